/** What one account has sent lately, and what its workspace has sent of each house. */
export interface Sends {
  add(at: number, house: number): void;
  /** How many since then. Each window may only move forward, which is what makes it cheap. */
  since(from: number, window: "day" | "hour"): number;
  lastAt(): number;
  copiesSince(from: number, house: number): { own: number; others: number };
}

/** `together`: when anybody of the workspace sent something of a house. */
export function createSends(together: Map<number, number[]>): Sends {
  const times: number[] = [];
  const first = { day: 0, hour: 0 };
  const own = new Map<number, number[]>();

  return {
    add(at, house) {
      times.push(at);
      listOf(own, house).push(at);
      listOf(together, house).push(at);
    },
    since(from, window) {
      while ((times[first[window]] ?? Number.POSITIVE_INFINITY) <= from) first[window]++;
      return times.length - first[window];
    },
    lastAt: () => times.at(-1) ?? Number.NEGATIVE_INFINITY,
    copiesSince(from, house) {
      const mine = lately(listOf(own, house), from);
      return { own: mine, others: lately(listOf(together, house), from) - mine };
    },
  };
}

function listOf(lists: Map<number, number[]>, house: number): number[] {
  const known = lists.get(house);
  if (known) return known;
  const made: number[] = [];
  lists.set(house, made);
  return made;
}

function lately(times: number[], from: number): number {
  let old = 0;
  while ((times[old] ?? Number.POSITIVE_INFINITY) <= from) old++;
  if (old > 0) times.splice(0, old);
  return times.length;
}
