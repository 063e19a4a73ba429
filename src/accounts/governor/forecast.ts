import { intervalMs } from "../plan/modes.ts";
import { dayAfter, dayAt, instantAt } from "../plan/time-zone.ts";
import type { Ahead, Forecast, GovernedPace, Hold, Message } from "../work/governor-contract.ts";
import { distanceBetween, nearBits } from "./fingerprint.ts";
import { learn } from "./learn.ts";
import { maySend } from "./may-send.ts";
import { ceilingOf, gapOf, isSeasoned, memoryAt } from "./pace.ts";
import type { PaceMemory } from "./pace-memory.ts";
import type { KnownAccount } from "./pace-store.ts";
import type { ChatFacts, Facts } from "./send-facts.ts";

interface ForecastFacts {
  readonly known: KnownAccount;
  readonly chats: ReadonlyMap<string, ChatFacts>;
  /** Undefined for a text without words. */
  readonly fingerprints: ReadonlyMap<string, bigint | undefined>;
  /** Near-identical messages of the last day, by fingerprint. */
  readonly copies: ReadonlyMap<bigint, Facts["copies"]>;
  readonly others: Ahead["others"];
}

/** Simulates the coming days with the governor's own rules. */
export function forecastFrom(facts: ForecastFacts): Forecast {
  return forecastOn(
    { ...facts, near: new Map(), copies: withOthers(facts) },
    {
      memory: facts.known.memory,
      sends: [...facts.known.sends],
      lastInChat: new Map(),
      own: new Map([...facts.copies].map(([text, { own }]) => [text, [...own]])),
    },
  );
}

/** State that planned messages change. */
interface Simulation {
  memory: PaceMemory;
  readonly sends: number[];
  readonly lastInChat: Map<string, number>;
  readonly own: Map<bigint, number[]>;
}

/** For each text the near-identical ones, itself included; computed on demand. */
type Near = Map<bigint, readonly bigint[]>;

const nobody: Facts["copies"] = { own: [], others: [] };

function forecastOn(facts: ForecastFacts & { readonly near: Near }, course: Simulation): Forecast {
  const { known, chats, fingerprints, copies, near } = facts;
  const { account, settings, timezone } = known;
  const dayStartAt = dayStarts(timezone);

  function factsAt(message: Message | undefined, at: number): Facts {
    const text = message && fingerprints.get(message.text);
    const chat = message && chats.get(message.chatId);
    const lastSentAt = (message && course.lastInChat.get(message.chatId)) ?? chat?.lastSentAt;
    return {
      now: at,
      dayStart: dayStartAt(at),
      sends: course.sends,
      chat: { slowModeSeconds: 0, ...chat, ...(lastSentAt !== undefined && { lastSentAt }) },
      copies:
        text === undefined
          ? nobody
          : { own: course.own.get(text) ?? [], others: until(copies.get(text)?.others ?? [], at) },
    };
  }

  return {
    paceAt(at) {
      return paceAt(known, course.memory, at.getTime(), dayStartAt(at.getTime()));
    },
    holdOf(message, at): Hold | undefined {
      const decision = maySend(course.memory, account, factsAt(message, at), settings);
      return decision.go ? undefined : { until: decision.until, code: decision.code };
    },
    planned(message, at) {
      course.memory = learn(course.memory, account, factsAt(message, at), { kind: "sent" }, settings);
      course.sends.push(at);
      if (!message) return;
      course.lastInChat.set(message.chatId, at);
      const text = fingerprints.get(message.text);
      if (text === undefined) return;
      const copied = near.get(text) ?? [...course.own.keys()].filter((one) => isNear(one, text));
      near.set(text, copied);
      for (const one of copied) course.own.get(one)?.push(at);
    },
    fork: () =>
      forecastOn(facts, {
        memory: course.memory,
        sends: [...course.sends],
        lastInChat: new Map(course.lastInChat),
        own: new Map([...course.own].map(([text, times]) => [text, [...times]])),
      }),
  };
}

/** Adds the copies that other accounts have planned to those they have sent. */
function withOthers({ copies, fingerprints, others }: ForecastFacts): ForecastFacts["copies"] {
  if (others.length === 0) return copies;
  const planned = others.flatMap(({ text, at }) => {
    const fingerprint = fingerprints.get(text);
    return fingerprint === undefined ? [] : [{ fingerprint, at: at.getTime() }];
  });
  return new Map(
    [...copies].map(([text, sent]) => {
      const near = planned.filter(({ fingerprint }) => isNear(fingerprint, text)).map(({ at }) => at);
      return [text, { own: sent.own, others: [...sent.others, ...near].sort((one, next) => one - next) }];
    }),
  );
}

/** Sorted times up to `moment`. */
function until(times: readonly number[], moment: number): readonly number[] {
  const later = times.findIndex((time) => time > moment);
  return later < 0 ? times : times.slice(0, later);
}

function isNear(one: bigint, other: bigint): boolean {
  return distanceBetween(one, other) <= nearBits;
}

/** The pace of the account at `now`, given what is remembered then. */
export function paceAt(
  known: KnownAccount,
  remembered: PaceMemory,
  now: number,
  dayStart: number,
): GovernedPace {
  const { account, settings } = known;
  const memory = memoryAt(remembered, account, settings, { now, dayStart });
  if (!settings.enabled || isSeasoned(memory, settings)) return { gapFactor: 1, gapSeconds: 0 };
  const ceiling = ceilingOf(memory, account, settings, now);
  const gap = gapOf(ceiling, account, settings);
  const interval = intervalMs(known);
  return {
    gapFactor: interval === undefined ? 1 : Math.max(1, gap / interval),
    gapSeconds: Math.round(gap / 1000),
    todaysCeiling: ceiling,
  };
}

/** Midnights of a time zone; cached, because they are asked in order. */
function dayStarts(timezone: string): (at: number) => number {
  let start = 0;
  let end = 0;
  return (at) => {
    if (at < start || at >= end) {
      const day = dayAt(new Date(at), timezone);
      start = instantAt(day, "00:00", timezone).getTime();
      end = instantAt(dayAfter(day), "00:00", timezone).getTime();
    }
    return start;
  };
}
