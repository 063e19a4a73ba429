/** Random choices that depend on the given texts alone, so that the same request gets the same answer. */
export interface Chance {
  /** A whole number from 0 to `below - 1`. */
  below(below: number): number;
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  /** The list in another order. */
  shuffled<T>(list: readonly T[]): T[];
}

export function chanceOf(...parts: readonly (string | number)[]): Chance {
  let state = hashOf(parts.join("\u0001"));

  /** Mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    pick(list) {
      const picked = list[below(list.length)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
    shuffled(list) {
      return list
        .map((item) => ({ item, key: next() }))
        .sort((left, right) => left.key - right.key)
        .map(({ item }) => item);
    },
  };
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
