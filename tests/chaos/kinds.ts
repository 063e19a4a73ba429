import { setTimeout as delay } from "node:timers/promises";
import type { AdversaryDeps, Havoc } from "./adversary.ts";
import type { StormSettings } from "./settings.ts";

/**
 * Storms of one kind of trouble only, which shows what it does by itself. `all` is everything that can be had without root,
 * processes killed at chosen points included (adversary.ts).
 */
export const kinds = [
  "all",
  "database",
  "disk",
  "connections",
  "clocks",
  "slow",
  "names",
  "standby",
] as const;
export type Kind = (typeof kinds)[number];

/** For how long connections are used up and disks are full. */
const holdMs = 4_000;
/** At each strike so many bots, each for so many calls, are answered a byte a second. */
const slowBots = 6;
const slowCalls = 8;

type Strike = (deps: AdversaryDeps) => Promise<void>;

/** Clocks and names are wrong inside the processes for as long as they run (misled.js). */
const strikes: Readonly<Partial<Record<Kind, Strike>>> = {
  database: ({ database }) => database.crash(),
  standby: ({ database }) => database.losePrimary(),
  disk: async ({ database }) => hold(await database.fillDisk()),
  connections: async ({ database }) => hold(await database.useUp()),
  async slow({ messengers, random }) {
    for (let each = 0; each < slowBots; each++) {
      const { messenger, bot } = random.oneOf(messengers.chats);
      messengers.misbehave({ provider: messenger, bot }, { kind: "trickle" }, slowCalls);
    }
  },
};

async function hold(letGo: () => Promise<void>): Promise<void> {
  await delay(holdMs);
  await letGo();
}

/** Strikes evenly over the time. */
export async function torment(
  { kind, seconds, restarts }: StormSettings,
  deps: AdversaryDeps,
): Promise<Havoc> {
  const strike = strikes[kind];
  const times = strike ? restarts : 0;
  const began = performance.now();
  const untilPart = (part: number) => delay(Math.max(0, began + part * seconds * 1_000 - performance.now()));
  for (let index = 0; index < times; index++) {
    await untilPart((index + 0.5) / times);
    await strike?.(deps);
    deps.say(`  struck ${index + 1} times, ${deps.messengers.arrivals.length} messages arrived`);
  }
  await untilPart(1);
  return { kills: 0, at: new Map(), restarts: kind === "database" ? times : 0, cuts: 0, strikes: times };
}
