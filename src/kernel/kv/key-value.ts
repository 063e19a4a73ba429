/** Short-lived keys and values: sessions, counters, marks. A crash may empty it, so store only what may be lost. */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  /** Replaces the value and its time to live; without `ttlMs` it lives until it is deleted. */
  set(key: string, value: string, life?: Life): Promise<void>;
  /** Of several concurrent callers, exactly one gets true. */
  setIfAbsent(key: string, value: string, life?: Life): Promise<boolean>;
  delete(key: string): Promise<boolean>;
  /** Atomically adds and returns the sum. An absent key counts from zero; only then is the time to live set. */
  increment(key: string, by?: number, life?: Life): Promise<number>;
  /** Gives an existing key a new time to live. */
  expire(key: string, ttlMs: number): Promise<boolean>;
  /** The keys that begin with the prefix, in parts and in any order; one that comes or goes meanwhile may be missed. */
  keysWith(prefix: string): AsyncIterable<readonly string[]>;
  /** Puts another value in the place of `from` and keeps the time to live; false if the value is no longer `from`. */
  replace(key: string, from: string, to: string): Promise<boolean>;
  /** Removes expired keys and returns how many; 0 where the server does it by itself. */
  purgeExpired(): Promise<number>;
  close(): Promise<void>;
}

export interface Life {
  readonly ttlMs?: number;
}

/** `increment` found a value that is not an integer. */
export class NotACounterError extends Error {
  override readonly name = "NotACounterError";

  constructor(key: string, options?: ErrorOptions) {
    super(`the value under "${key}" is not an integer, so it cannot be counted up`, options);
  }
}

const maxKeyLength = 512;

/** The same rules for every implementation; breaking one is a bug. */
export function checkKey(key: string): void {
  if (key.length === 0 || key.length > maxKeyLength || key.includes("\0")) {
    throw new RangeError(`a key has 1 to ${maxKeyLength} characters and no NUL`);
  }
}

export function checkValue(value: string): void {
  if (value.includes("\0")) throw new RangeError("a value holds no NUL");
}

export function checkTtl(ttlMs: number | undefined): void {
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs > 0)) {
    throw new RangeError("a time to live is a whole number of milliseconds above zero");
  }
}

export function checkStep(by: number): void {
  if (!Number.isSafeInteger(by)) throw new RangeError("a counter moves by whole numbers");
}
