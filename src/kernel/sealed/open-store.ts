import type { Clock } from "../clock/index.ts";
import type { Vault } from "../crypto/index.ts";
import type { Sql } from "../db/index.ts";
import type { KeyValue } from "../kv/index.ts";
import type { ObjectStorage } from "../storage/index.ts";
import { openColumn } from "./open-column.ts";
import { openKeys } from "./open-keys.ts";
import { openObjects } from "./open-objects.ts";
import type { SealedStore } from "./sealed-store.ts";

export interface SealedDeps {
  readonly sql: Sql;
  readonly keyValue: KeyValue;
  readonly storage: ObjectStorage;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** One stored token. */
export interface SealedRow {
  /** Names the row for a person; tells nothing of its content. */
  readonly id: string;
  /** Finds the row again. */
  readonly key: readonly string[];
  readonly token: string;
  readonly place: string;
}

export interface OpenStore {
  /** Every token, in parts of bounded size. */
  parts(): AsyncIterable<readonly SealedRow[]>;
  /** The row as it is now. */
  again(row: SealedRow): Promise<SealedRow | undefined>;
  /** Compare-and-set: false if the row has another token by now, or is gone. */
  replace(row: SealedRow, token: string): Promise<boolean>;
}

export function openStore(store: SealedStore, deps: SealedDeps): OpenStore {
  if (store.kind === "column") return openColumn(store, deps);
  return store.kind === "keys" ? openKeys(store, deps) : openObjects(store, deps);
}
