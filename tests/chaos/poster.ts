import { setTimeout as delay } from "node:timers/promises";
import type { Member } from "./fleet.ts";
import type { Harness } from "./harness.ts";
import { networkPost } from "./networks.ts";
import type { Random } from "./random.ts";
import { networkPostEveryMs, type StormSettings } from "./settings.ts";

/** A post whose author was told that it is accepted. */
export interface Accepted {
  readonly number: number;
  readonly group: number;
  readonly beganAt: number;
  readonly answeredAt: number;
}

export interface PosterDeps {
  readonly harness: Harness;
  readonly apis: readonly Member[];
  readonly picture: string;
  readonly random: Random;
}

const askAgainMs = 200;
const answerWithinMs = 5_000;
/** A text and a picture with a caption of its own are two messages in Telegram. */
const seriesShare = 0.05;

/** Authors who post evenly over the whole time and repeat each post until a server accepts it. */
export async function postAll(settings: StormSettings, deps: PosterDeps): Promise<Accepted[]> {
  const { random, harness } = deps;
  const { telegram, max } = settings.chatsPerPost;
  const posts = Math.round(settings.deliveries / (telegram + max));
  const began = performance.now();
  const accepted: Promise<Accepted>[] = [];
  for (let number = 1; number <= posts; number++) {
    const dueMs = ((number - 1) / posts) * settings.seconds * 1_000;
    await delay(Math.max(0, began + dueMs - performance.now()));
    const group = random.between(0, harness.firstNetworkGroup - 1);
    accepted.push(post(number, group, random.next() < seriesShare, deps));
  }
  return Promise.all(accepted);
}

/** Numbers of posts for networks begin here, so that they differ from the others. */
const firstNetworkNumber = 2_000_001;

/** The same for sites, walls and boards, which take fewer posts. */
export async function postToNetworks({ seconds }: StormSettings, deps: PosterDeps): Promise<Accepted[]> {
  const { groups, firstNetworkGroup } = deps.harness;
  const began = performance.now();
  const accepted: Promise<Accepted>[] = [];
  for (let index = 0; index * networkPostEveryMs < seconds * 1_000; index++) {
    await delay(Math.max(0, began + index * networkPostEveryMs - performance.now()));
    const group = firstNetworkGroup + (index % (groups.length - firstNetworkGroup));
    const number = firstNetworkNumber + index;
    accepted.push(accept(number, group, networkPost(number, textOf(number), deps.picture), deps));
  }
  return Promise.all(accepted);
}

const post = (number: number, group: number, series: boolean, deps: PosterDeps): Promise<Accepted> =>
  accept(number, group, payloadOf(number, series ? deps.picture : undefined), deps);

async function accept(number: number, group: number, payload: object, deps: PosterDeps): Promise<Accepted> {
  const body = JSON.stringify({
    source_ref: `chaos-${number}`,
    tags: [deps.harness.tags[group]],
    payload,
  });
  const beganAt = Date.now();
  for (let turn = number; ; turn++) {
    const api = deps.apis[turn % deps.apis.length];
    if (api && (await isAccepted(api.url, body, deps.harness.secret)))
      return { number, group, beganAt, answeredAt: Date.now() };
    await delay(askAgainMs);
  }
}

/** Every message of a post contains its number, so that it is recognised in any chat. */
function payloadOf(number: number, picture: string | undefined): object {
  const text = textOf(number);
  return picture
    ? { text, media: [{ type: "photo", url: picture, caption: `№${number}. Снимок моста` }] }
    : { text };
}

const textOf = (number: number) =>
  `№${number}. Сегодня в городе открыли новый мост: движение по нему пустят с понедельника.`;

/** The number of the post that a message belongs to. */
export function numberIn(text: string): number | undefined {
  const found = /№(\d+)\./.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

async function isAccepted(url: string, body: string, secret: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/v1/ingest`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-molva-secret": secret },
      body,
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    if (answer.status >= 400 && answer.status < 500) throw new Refused(`${answer.status} ${text}`);
    return answer.ok;
  } catch (error) {
    if (error instanceof Refused) throw error;
    return false; // the server was killed, or is not back yet
  }
}

class Refused extends Error {
  override readonly name = "Refused";
}
