import { type Chance, intervalMs, jitterMs, type Pace } from "./modes.ts";

/** From inclusive, to exclusive. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

export interface Placeable {
  /** Earlier it would be a repeat. */
  readonly notBefore?: Date | undefined;
}

export interface Placed<T> {
  readonly task: T;
  readonly at: Date;
}

export interface Placing {
  readonly span: Span;
  readonly pace: Pace;
  /** How many at most. */
  readonly room: number;
  /** When the account published last, or will before any of these: a gap lies between. */
  readonly last?: Date | undefined;
  readonly chance: Chance;
}

/**
 * Times for tasks in their order, as many as the span and the room hold; the rest comes back. A task that may not go yet lets
 * those behind it pass.
 */
export function place<T extends Placeable>(
  tasks: readonly T[],
  placing: Placing,
): { placed: Placed<T>[]; left: T[] } {
  const { span, room } = placing;
  const left = [...tasks];
  const placed: Placed<T>[] = [];
  const steps = stepsOf(Math.min(left.length, room), placing);
  let at = steps.first;
  while (left.length > 0 && placed.length < room) {
    const ready = left.findIndex(({ notBefore }) => !notBefore || notBefore.getTime() <= at);
    if (ready < 0) {
      at = Math.min(...left.map(({ notBefore }) => notBefore?.getTime() ?? at));
      continue;
    }
    if (at >= span.to.getTime()) break;
    placed.push(...left.splice(ready, 1).map((task) => ({ task, at: new Date(at) })));
    at += steps.gap();
  }
  return { placed, left };
}

/** Where the first one stands, and how far the next is from it. */
function stepsOf(count: number, { span, pace, last, chance }: Placing): { first: number; gap: () => number } {
  const from = span.from.getTime();
  const interval = intervalMs(pace);
  if (interval !== undefined) {
    const gap = () => interval + jitterMs(chance);
    return { first: last ? Math.max(from, last.getTime() + gap()) : from, gap };
  }
  // The last publication takes a place in the spread, or every new plan would begin with one at once.
  const to = span.to.getTime();
  const since = last ? Math.max(0, to - Math.max(last.getTime(), from)) / (count + 1) : 0;
  const first = last ? Math.max(from, last.getTime() + since) : from;
  const shortest = Math.max(1000, (pace.gapSeconds ?? 0) * 1000);
  const even = Math.max(shortest, Math.floor((to - first) / Math.max(count, 1)));
  return { first: Math.round(first), gap: () => even };
}
