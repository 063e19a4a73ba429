/** Pseudo-random numbers that are the same for the same seed, so that a failing storm can be repeated. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  oneOf<T>(values: readonly T[]): T;
  /** Another stream that does not influence this one. */
  fork(name: string): Random;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;

  // Mulberry32: small, fast, and good enough to choose victims.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    oneOf(values) {
      const chosen = values[Math.floor(next() * values.length)];
      if (chosen === undefined) throw new Error("there is nothing to choose from");
      return chosen;
    },
    fork: (name) => seededRandom(seed ^ hashOf(name)),
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
