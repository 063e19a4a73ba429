import { type Front, startFront } from "./front.ts";
import { type RealWordPress, startRealWordPress } from "./real-wordpress.ts";

/** The one real site of a test file, in a folder of its host, with a server before it that can be told to fail. */
export interface ContractSite {
  readonly front: Front;
  readonly real: RealWordPress;
}

export const siteName = "shop";

let running: Promise<ContractSite> | undefined;
let users = 0;

async function start(): Promise<ContractSite> {
  const front = await startFront();
  const real = await startRealWordPress({ knownAs: `${front.url}/${siteName}` });
  front.passTo(real.server);
  return { front, real };
}

export function contractSite(): Promise<ContractSite> {
  running ??= start();
  return running;
}

/** Counts who needs the site, so that it ends with the last of them. */
export function holdSite(): () => Promise<void> {
  users += 1;
  return async () => {
    users -= 1;
    if (users > 0) return;
    const { front, real } = await contractSite();
    await front.close();
    await real.stop();
  };
}
