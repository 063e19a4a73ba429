import { accountWide, type Forecast, type Message } from "../work/governor-contract.ts";
import { type Chance, intervalMs, jitterMs, type Pace } from "./modes.ts";

/** From inclusive, to exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface Placeable {
  /** Before this time it would be a repeat. */
  readonly notBefore?: Date | undefined;
  readonly message?: Message | undefined;
}

export interface Placed<T> {
  readonly task: T;
  readonly at: Date;
}

interface Placing {
  readonly span: Span;
  readonly pace: Pace;
  /** Maximum number of tasks. */
  readonly room: number;
  /** The last publication before these, done or planned. */
  readonly last?: Date | undefined;
  /** Told about every placed task. */
  readonly forecast?: Forecast | undefined;
  readonly chance: Chance;
}

/**
 * Assigns times to tasks in their order, as many as the span, the room and the governor allow, and returns the rest. A task that
 * may not go yet does not block those behind it.
 */
export function place<T extends Placeable>(tasks: readonly T[], placing: Placing): Placement<T> {
  const { forecast, pace, room } = placing;
  const count = Math.min(tasks.length, room);
  if (!forecast || pace.mode !== "smart") return placeEvery(stepsOf(count, placing), tasks, placing);
  // The governor may allow fewer; the even spread is for those.
  const tried = placeEvery(stepsOf(count, placing), tasks, { ...placing, forecast: forecast.fork() });
  return placeEvery(stepsOf(tried.placed.length, placing), tasks, placing);
}

interface Placement<T> {
  readonly placed: Placed<T>[];
  readonly left: T[];
}

/** Time of the first task, and the gap to each next one. */
interface Steps {
  readonly first: number;
  readonly gap: () => number;
}

function placeEvery<T extends Placeable>(
  steps: Steps,
  tasks: readonly T[],
  { span, room, forecast }: Placing,
): Placement<T> {
  const left = [...tasks];
  const placed: Placed<T>[] = [];
  const heldUntil = new Map<T, number>();
  let at = steps.first;
  while (left.length > 0 && placed.length < room && at < span.to.getTime()) {
    const ready = firstReady(left, at, heldUntil, forecast);
    if ("soonest" in ready) {
      at = ready.soonest;
      continue;
    }
    for (const task of left.splice(ready.index, 1)) {
      placed.push({ task, at: new Date(at) });
      forecast?.planned(task.message, at);
    }
    at += steps.gap();
  }
  return { placed, left };
}

/** The first task that may go at this time, or the next time at which one may. */
function firstReady<T extends Placeable>(
  tasks: readonly T[],
  at: number,
  heldUntil: Map<T, number>,
  forecast: Forecast | undefined,
): { readonly index: number } | { readonly soonest: number } {
  let soonest = Number.POSITIVE_INFINITY;
  for (const [index, task] of tasks.entries()) {
    const known = Math.max(task.notBefore?.getTime() ?? 0, heldUntil.get(task) ?? 0);
    if (known > at) {
      soonest = Math.min(soonest, known);
      continue;
    }
    const hold = forecast?.holdOf(task.message, at);
    if (!hold) return { index };
    if (accountWide.has(hold.code)) return { soonest: hold.until };
    heldUntil.set(task, hold.until);
    soonest = Math.min(soonest, hold.until);
  }
  return { soonest };
}

function stepsOf(count: number, { span, pace, last, chance }: Placing): Steps {
  const from = span.from.getTime();
  const shortest = Math.max(1000, (pace.gapSeconds ?? 0) * 1000, (pace.limiterSeconds ?? 0) * 1000);
  const interval = intervalMs(pace);
  if (interval !== undefined) {
    const gap = () => Math.max(interval, (pace.limiterSeconds ?? 0) * 1000) + jitterMs(chance);
    return { first: last ? Math.max(from, last.getTime() + gap()) : from, gap };
  }
  // The last publication counts in the spread, or every new plan would start with one at once.
  const to = span.to.getTime();
  const since = last ? Math.max(0, to - Math.max(last.getTime(), from)) / (count + 1) : 0;
  const first = last ? Math.max(from, last.getTime() + since) : from;
  const even = Math.max(shortest, Math.floor((to - first) / Math.max(count, 1)));
  return { first: Math.round(first), gap: () => even };
}
