/** Short-lived keys and values: sessions, counters, marks. A crash may empty it; nothing that must not be lost belongs here. */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  /** Replaces the value and its time to live; without `ttlMs` it lives until it is deleted. */
  set(key: string, value: string, life?: Life): Promise<void>;
  /** True for exactly one of several who try at once. */
  setIfAbsent(key: string, value: string, life?: Life): Promise<boolean>;
  delete(key: string): Promise<boolean>;
  /** Adds and tells the sum, at once; an absent key counts from zero and only then takes the time to live. */
  increment(key: string, by?: number, life?: Life): Promise<number>;
  /** Gives an existing key a new time to live. */
  expire(key: string, ttlMs: number): Promise<boolean>;
  /** Removes what has expired and tells how much; where the server does it by itself, nothing is left to do. */
  purgeExpired(): Promise<number>;
  close(): Promise<void>;
}

export interface Life {
  readonly ttlMs?: number;
}

/** `increment` met a value that is no integer. */
export class NotACounterError extends Error {
  override readonly name = "NotACounterError";

  constructor(key: string, options?: ErrorOptions) {
    super(`the value under "${key}" is not an integer, so it cannot be counted up`, options);
  }
}

const maxKeyLength = 512;

/** The same rules for every server behind the interface; breaking one is a bug. */
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
