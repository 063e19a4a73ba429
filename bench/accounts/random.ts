/** Random numbers that are the same for the same seed on every machine. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  next(): number;
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  logNormal(median: number, sigma: number): number;
  exponential(mean: number): number;
  pick<T>(among: readonly T[]): T;
  /** One of the names, as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** A separate stream for every purpose, so that one strategy's draws do not change another's thresholds. */
export function randomOf(...purpose: readonly (string | number)[]): Random {
  const next = mulberry32(hash32(purpose.join("/")));
  const between = (low: number, high: number) => low + (high - low) * next();
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    logNormal: (median, sigma) =>
      median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
    exponential: (mean) => -mean * Math.log(1 - next()),
    pick: (among) => {
      const picked = among[Math.floor(next() * among.length)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    weighted: (weights) => {
      const names = Object.keys(weights) as (keyof typeof weights)[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      throw new Error("no weights");
    },
  };
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a. */
function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
