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

/** Seconds that the clock of the database's machine is ahead, one strike after the other. */
const clockSteps = [3_600, 0, -3_600, 0];
/**
 * What was written while the clock was ahead waits until it is that late again, which an hour after the storm would be. So the clock ends
 * further than it ever was.
 */
const clockEndsAt = 2 * 3_600;

/** Ends when the trouble was really there, or throws. */
type Strike = (deps: AdversaryDeps, index: number) => Promise<void>;

/** Clocks and names are wrong inside the processes, too, for as long as they run (misled.js). */
const strikes: Readonly<Partial<Record<Kind, Strike>>> = {
  database: ({ database }) => database.crash(),
  standby: ({ database }) => database.losePrimary(),
  disk: async ({ database }) => hold(await database.fillDisk()),
  connections: async ({ database, random }) => hold(await database.useUp(random)),
  clocks: ({ database }, index) => database.moveClock(clockSteps[index % clockSteps.length] ?? 0),
  async slow({ messengers, random }) {
    for (let each = 0; each < slowBots; each++) {
      const { messenger, bot } = random.oneOf(messengers.chats);
      messengers.misbehave({ provider: messenger, bot }, { kind: "trickle" }, slowCalls);
    }
  },
};

/** How often the trouble of a kind was seen to happen, by those whom it happened to. */
export function troublesOf(
  kind: Kind,
  { strikes, kills }: Havoc,
  { fleet, messengers }: AdversaryDeps,
): number {
  if (kind === "all") return kills + messengers.faults;
  if (kind === "slow") return messengers.faults;
  if (kind === "names") return fleet.misled("name");
  if (kind === "clocks") return strikes + fleet.misled("clock");
  return strikes;
}

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
  let struck = 0;
  const untilPart = (part: number) => delay(Math.max(0, began + part * seconds * 1_000 - performance.now()));
  for (let index = 0; index < times; index++) {
    await untilPart((index + 0.5) / times);
    await strike?.(deps, index);
    struck += 1;
    deps.say(`  struck ${struck} times, ${deps.messengers.arrivals.length} messages arrived`);
  }
  await untilPart(1);
  if (kind === "clocks") await deps.database.moveClock(clockEndsAt);
  return { kills: 0, at: new Map(), restarts: kind === "database" ? struck : 0, cuts: 0, strikes: struck };
}
