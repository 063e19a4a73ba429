/** The same shape in which an optional key is present or absent, never present and undefined. */
export type Defined<T> = T extends object ? { [K in keyof T]: Exclude<T[K], undefined> } : never;

/** Leaves out the optional keys that hold undefined, as parsed input and spread settings do. */
export function definedOnly<T extends object>(value: T): Defined<T> {
  // Object.fromEntries forgets the keys' types; only keys whose value is undefined were taken away.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>;
}
