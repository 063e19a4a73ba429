import { setTimeout as delay } from "node:timers/promises";
import type { FaultKind } from "../../twins/index.ts";
import type { Database } from "./database.ts";
import type { Fleet, Member } from "./fleet.ts";
import type { Messengers } from "./messengers.ts";
import { type Moment, moments, type Point, points } from "./points.ts";
import type { Random } from "./random.ts";
import { type StormSettings, waits } from "./settings.ts";

export interface Havoc {
  readonly kills: number;
  /** How often a process died at each point: "settle, after" → 12. */
  readonly at: ReadonlyMap<string, number>;
  readonly restarts: number;
  readonly cuts: number;
}

export interface AdversaryDeps {
  readonly fleet: Fleet;
  readonly database: Database;
  readonly messengers: Messengers;
  readonly random: Random;
  readonly say: (text: string) => void;
}

/** A point that is not reached within this time is left for a plain kill; the rarest comes every ten seconds. */
const longestPatienceMs = 12_000;
/** Connections are cut and messengers misbehave about this often. */
const cutEveryMs = 5_000;
const misbehaveEveryMs = 1_500;

/** Kills, cuts, restarts and misleads for as long as the storm lasts. Every choice comes from the seed. */
export async function rage(settings: StormSettings, deps: AdversaryDeps): Promise<Havoc> {
  const at = new Map<string, number>();
  let kills = 0;
  let cuts = 0;
  let restarts = 0;
  const { random } = deps;
  const lastsMs = settings.seconds * 1_000;
  const note = (name: string) => {
    kills += 1;
    at.set(name, (at.get(name) ?? 0) + 1);
  };

  const patienceMs = Math.min(longestPatienceMs, lastsMs / 2);
  const plan = planOf(settings.kills, random.fork("kills"));
  const choices = random.fork("choices");
  await Promise.all([
    evenly(lastsMs, settings.kills, async (index) => {
      const strike = plan[index];
      if (strike) await kill(strike, { fleet: deps.fleet, random: choices, patienceMs, note });
    }),
    evenly(lastsMs, Math.round(lastsMs / cutEveryMs), async () => {
      cuts += 1;
      if (choices.next() < 0.5) choices.oneOf(deps.fleet.members).cut();
      // While the server is being restarted there is nobody to ask.
      else await deps.database.terminate().catch(() => undefined);
    }),
    evenly(lastsMs, Math.round(lastsMs / misbehaveEveryMs), () => misbehave(deps.messengers, choices)),
    evenly(lastsMs, settings.restarts, async () => {
      deps.say("  PostgreSQL is restarted");
      await deps.database.restart();
      restarts += 1;
    }),
  ]);
  return { kills, at, restarts, cuts };
}

interface Strike {
  readonly point: Point;
  readonly moment: Moment;
  /** Not at the point but at any time. */
  readonly plain: boolean;
}

/** Every point and moment in turn, in an order of the seed's, with every third strike at no point at all. */
function planOf(kills: number, random: Random): Strike[] {
  const aimed = points.flatMap((point) => moments.map((moment) => ({ point, moment, plain: false })));
  const plan: Strike[] = [];
  while (plan.length < kills) {
    for (const strike of shuffled(aimed, random)) {
      plan.push(strike);
      if (plan.length % 3 === 2) plan.push({ ...random.oneOf(aimed), plain: true });
    }
  }
  return plan.slice(0, kills);
}

interface Hunt {
  readonly fleet: Fleet;
  readonly random: Random;
  readonly patienceMs: number;
  note(name: string): void;
}

async function kill(
  { point, moment, plain }: Strike,
  { fleet, random, patienceMs, note }: Hunt,
): Promise<void> {
  const victim = victimOf(fleet, point.role, random);
  if (plain) {
    victim.kill();
    return note("at random");
  }
  const sprung = new Promise<boolean>((resolve) => {
    victim.trap.arm(point, moment, () => {
      victim.kill();
      resolve(true);
    });
    setTimeout(() => resolve(false), patienceMs);
  });
  if (await sprung) return note(`${point.name}, ${moment}`);
  victim.trap.disarm();
  victim.kill();
  note("at random");
}

/** Rather one that works than one that is still starting. */
function victimOf(fleet: Fleet, role: Point["role"], random: Random): Member {
  const able = fleet.members.filter((member) => member.role === role);
  const working = able.filter((member) => member.ready);
  return random.oneOf(working.length > 0 ? working : able);
}

/** What messengers do to those who write to them; each for a moment, and to one bot or to all. */
const misdeeds: readonly { readonly fault: FaultKind; readonly forMs: number; readonly method?: string }[] = [
  { fault: { kind: "status", status: 429, retryAfter: 1 }, forMs: 1_500 },
  { fault: { kind: "status", status: 500 }, forMs: 1_500 },
  { fault: { kind: "status", status: 502 }, forMs: 1_000 },
  { fault: { kind: "hang" }, forMs: 700 },
  { fault: { kind: "hang", after: true }, forMs: 500 },
  { fault: { kind: "drop_after" }, forMs: 700 },
  { fault: { kind: "drop_before" }, forMs: 1_000 },
  { fault: { kind: "malformed" }, forMs: 500 },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, forMs: 1_500 },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, forMs: 10_000, method: "sendPhoto" },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, forMs: 10_000, method: "POST /uploads" },
  // The token is revoked, and given back.
  { fault: { kind: "status", status: 401 }, forMs: 300 },
];

function misbehave(messengers: Messengers, random: Random): void {
  const { fault, forMs, method } = random.oneOf(misdeeds);
  const { messenger, bot } = random.oneOf(messengers.chats);
  messengers.misbehave({ provider: messenger, bot, ...(method && { method }) }, fault, forMs);
}

/** Strikes `count` times, evenly over the time and without waiting for the last one; in the end waits for all. */
async function evenly(
  lastsMs: number,
  count: number,
  strike: (index: number) => Promise<void> | void,
): Promise<void> {
  const began = performance.now();
  const strikes: (Promise<void> | void)[] = [];
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, began + ((index + 0.5) / count) * lastsMs - performance.now()));
    strikes.push(strike(index));
  }
  await Promise.all(strikes);
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
