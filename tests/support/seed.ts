/** The seed of every run before seeds were chosen anew: what it finds must stay found. */
export const regressionSeed = 20_261_116;

/** Seeds are whole numbers that fast-check and the storms both take. */
const largest = 2 ** 31 - 1;

/** One seed for the whole run: MOLVA_TEST_SEED, or a new one. */
export function chooseSeed(asked: string | undefined, random = Math.random): number {
  if (!asked) return 1 + Math.floor(random() * largest);
  const seed = Number(asked);
  if (!Number.isInteger(seed) || seed < 1 || seed > largest)
    throw new Error(`MOLVA_TEST_SEED is a whole number from 1 to ${largest}, not ${asked}`);
  return seed;
}

export const toRepeat = (seed: number) =>
  `Random inputs come from seed ${seed}; to have the same again: MOLVA_TEST_SEED=${seed} npm test`;
