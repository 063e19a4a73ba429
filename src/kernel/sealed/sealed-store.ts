/**
 * Everything that is stored encrypted, as data: each module lists its stores in its manifest. `molva secrets rotate` and
 * `molva doctor` know a store only from there, and a test finds one that was forgotten.
 */

/** A column of tokens; inside JSON, with the path of the token. */
export interface SealedColumn extends Common {
  readonly kind: "column";
  readonly table: string;
  /** The primary key. The tokens are sealed for it: `rowOf(table, ...key)`. */
  readonly key: readonly [string, ...string[]];
  readonly column: string;
  readonly path?: readonly [string, ...string[]];
  /** Only rows whose columns have these values. */
  readonly only?: Readonly<Record<string, string>>;
}

/** Values of the key-value store. */
export interface SealedKeys extends Common {
  readonly kind: "keys";
  /** The beginnings of the keys. */
  readonly prefixes: readonly string[];
  /** The place that a value is sealed for. */
  readonly place: (key: string) => string;
}

/** Files of the object storage, which a table lists. They are written once under a new key and removed after they expire. */
export interface SealedObjects extends Common {
  readonly kind: "objects";
  readonly table: string;
  readonly key: readonly [string, ...string[]];
  /** The column with the key of the file. */
  readonly storageKey: string;
  readonly expiresAt: string;
  readonly place: (storageKey: string) => string;
}

interface Common {
  /** For reports; one of a kind. */
  readonly name: string;
  /** What helps if the key is lost for ever. */
  readonly ifLost: string;
}

export type SealedStore = SealedColumn | SealedKeys | SealedObjects;
