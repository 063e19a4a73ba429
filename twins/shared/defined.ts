/** The same type with optional keys present or absent, never present and undefined. */
export type Defined<T> = T extends object ? { [K in keyof T]: Exclude<T[K], undefined> } : never;

/** Removes the optional keys that are undefined, as parsed input and spread settings have them. */
export function definedOnly<T extends object>(value: T): Defined<T> {
  // Object.fromEntries loses the keys' types; only keys with the value undefined were removed.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
