import { availableParallelism } from "node:os";

/** Limits of password hashing: each check is deliberately slow and needs 32 MB. */
export interface PasswordWorkLimits {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Half of the processors, and at most two of the four threads that files and name look-ups also need. */
export const passwordWorkLimits: PasswordWorkLimits = {
  atOnce: Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2))),
  waiting: 16,
};

/** About the time that a full queue takes. */
const retryAfterSeconds = 5;

export interface Busy {
  readonly kind: "busy";
  readonly retryAfterSeconds: number;
}

/** Queues work that checks or makes password hashes; refuses it if too many wait already. */
export type PasswordWork = <T>(work: () => Promise<T>) => Promise<T | Busy>;

/**
 * One queue for the whole server: limits per login and per address do not stop a flood from many addresses.
 */
export function createPasswordWork({
  atOnce,
  waiting,
}: PasswordWorkLimits = passwordWorkLimits): PasswordWork {
  const queue: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else return { kind: "busy", retryAfterSeconds };
    try {
      return await work();
    } finally {
      // The slot goes straight to the next in the queue, so that no new request takes it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
