import { setTimeout as delay } from "node:timers/promises";
import type { FaultKind } from "../../twins/index.ts";
import { until } from "../support/until.ts";
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
  /** Of a storm of one kind: how often it struck. */
  readonly strikes: number;
}

export interface AdversaryDeps {
  readonly fleet: Fleet;
  readonly database: Database;
  readonly messengers: Messengers;
  readonly random: Random;
  readonly say: (text: string) => void;
}

/**
 * If a process does not reach its point within this time, it is killed without one; the rarest point comes every ten
 * seconds.
 */
const patienceMs = 20_000;
/** How long a process may take to start on a very busy machine. */
const startWithinMs = 300_000;
/** At most this many processes are down or targeted at once: the others go on working. */
const hands = 2;
/** Connections are cut and messengers misbehave about this often. */
const cutEveryMs = 5_000;
const misbehaveEveryMs = 1_500;
const sayEveryMs = 30_000;

/**
 * Kills processes, cuts connections, restarts the database and injects faults. Every choice comes from the seed. Only
 * working processes are killed, so on a slow machine it takes longer for the same number of kills.
 */
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

  const plan = planOf(settings.kills, random.fork("kills"));
  const choices = random.fork("choices");
  const began = performance.now();
  const victims = new Set<Member>();
  const murders = Promise.all(
    Array.from({ length: hands }, async (_, hand) => {
      for (const [index, strike] of plan.entries()) {
        if (index % hands !== hand) continue;
        await untilItsTime(began, lastsMs, (index + 0.5) / plan.length);
        await kill(strike, { fleet: deps.fleet, victims, random: choices, note });
      }
    }),
  );
  let raging = true;
  const calm = () => {
    raging = false;
  };
  murders.then(calm, calm);
  const every = async (periodMs: number, strike: () => Promise<void> | void) => {
    while (raging) {
      await delay(periodMs);
      await strike();
    }
  };
  await Promise.all([
    murders,
    every(cutEveryMs, async () => {
      cuts += 1;
      if (choices.next() < 0.5) choices.oneOf(deps.fleet.members).cut();
      // The database is being restarted.
      else await deps.database.terminate(choices).catch(() => undefined);
    }),
    every(misbehaveEveryMs, () => misbehave(deps.messengers, choices)),
    every(sayEveryMs, () =>
      deps.say(`  ${kills} kills, ${deps.messengers.arrivals.length} messages arrived`),
    ),
    (async () => {
      for (let index = 0; index < settings.restarts; index++) {
        await untilItsTime(began, lastsMs, (index + 0.5) / settings.restarts);
        const away = performance.now();
        await deps.database.restart();
        restarts += 1;
        deps.say(`  PostgreSQL was away for ${Math.round((performance.now() - away) / 1_000)} s`);
      }
    })(),
  ]);
  return { kills, at, restarts, cuts, strikes: 0 };
}

const untilItsTime = (began: number, lastsMs: number, part: number) =>
  delay(Math.max(0, began + part * lastsMs - performance.now()));

interface Strike {
  readonly point: Point;
  readonly moment: Moment;
  /** Killed at any time instead of at the point. */
  readonly plain: boolean;
}

/** Every point and moment in turn, in an order given by the seed, with every third kill at no point. */
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
  /** Processes that are targeted already. */
  readonly victims: Set<Member>;
  readonly random: Random;
  note(name: string): void;
}

async function kill({ point, moment, plain }: Strike, hunt: Hunt): Promise<void> {
  const victim = await victimOf(point.role, hunt);
  hunt.victims.add(victim);
  const reached = !plain && (await reaches(victim, point, moment));
  victim.trap.disarm();
  victim.kill();
  hunt.note(reached ? `${point.name}, ${moment}` : "at random");
  hunt.victims.delete(victim);
}

/** Whether it reached the point while the trap was set; it dies there before it receives anything else. */
async function reaches(victim: Member, point: Point, moment: Moment): Promise<boolean> {
  const impatience = new AbortController();
  const sprung = new Promise<boolean>((resolve) => {
    victim.trap.arm(point, moment, () => {
      victim.kill();
      resolve(true);
    });
  });
  const gaveUp = delay(patienceMs, false, { signal: impatience.signal }).catch(() => false);
  const reached = await Promise.race([sprung, gaveUp]);
  impatience.abort();
  return reached;
}

/** A working process. */
async function victimOf(role: Point["role"], { fleet, victims, random }: Hunt): Promise<Member> {
  const able = () =>
    fleet.members.filter((member) => member.role === role && member.ready && !victims.has(member));
  await until(`a process of ${role} works`, () => able().length > 0, startWithinMs).catch((error) => {
    const words = fleet.members.filter((member) => member.role === role).map((member) => member.words);
    throw new Error(`${error}; the last words of each:\n${words.join("\n")}`);
  });
  return random.oneOf(able());
}

/** Faults of messengers, applied to the next calls of one bot. */
const misdeeds: readonly { readonly fault: FaultKind; readonly times: number; readonly method?: string }[] = [
  { fault: { kind: "status", status: 429, retryAfter: 1 }, times: 8 },
  { fault: { kind: "status", status: 500 }, times: 8 },
  { fault: { kind: "status", status: 502 }, times: 6 },
  { fault: { kind: "hang" }, times: 3 },
  { fault: { kind: "hang", after: true }, times: 3 },
  { fault: { kind: "drop_after" }, times: 4 },
  { fault: { kind: "drop_before" }, times: 4 },
  { fault: { kind: "malformed" }, times: 3 },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, times: 10 },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, times: 10, method: "sendPhoto" },
  { fault: { kind: "delay", ms: waits.slowestAnswerMs }, times: 10, method: "POST /uploads" },
  // The token is revoked, and restored.
  { fault: { kind: "status", status: 401 }, times: 2 },
];

function misbehave(messengers: Messengers, random: Random): void {
  const { fault, times, method } = random.oneOf(misdeeds);
  if (random.next() < networkShare) {
    const { messenger, id } = random.oneOf(messengers.places);
    // A refused token of Pinterest would be renewed, and tokens from variables are not. An answer of a site that cannot be read
    // is taken for its maintenance page, and waited for longer than a storm lasts.
    if (messenger === "pinterest" && fault.kind === "status" && fault.status === 401) return;
    if (messenger === "wordpress" && fault.kind === "malformed") return;
    messengers.misbehave({ provider: messenger, chat: id }, fault, Math.ceil(times / 2));
    return;
  }
  const { messenger, bot } = random.oneOf(messengers.chats);
  messengers.misbehave({ provider: messenger, bot, ...(method && { method }) }, fault, times);
}

/** How many of the faults strike a site, a wall or a board. */
const networkShare = 0.3;

function shuffled<T>(values: readonly T[], random: Random): T[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
