import type { AccountRef } from "./contract.ts";

export type SessionId = Pick<AccountRef, "workspaceId" | "accountId">;

export const valueKinds = ["auth_key", "kv", "peer", "reference"] as const;
export type ValueKind = (typeof valueKinds)[number];

export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** What else the value may be asked for by. */
  readonly names?: readonly string[];
}

/** What one account's client remembers. */
export interface SessionValues {
  get(kind: ValueKind, key: string): Promise<Uint8Array | undefined>;
  find(kind: ValueKind, name: string): Promise<StoredValue | undefined>;
  list(kind: ValueKind): Promise<readonly StoredValue[]>;
  put(kind: ValueKind, values: readonly StoredValue[]): Promise<void>;
  remove(kind: ValueKind, key: string): Promise<void>;
  removeNamed(kind: ValueKind, name: string): Promise<void>;
  clear(kind?: ValueKind): Promise<void>;
}

/** Which sessions this process may have open. */
export interface Leases {
  /** False when another process has it. */
  take(id: SessionId): Promise<boolean>;
  /** Keeps all; those that are missing in the answer are lost. */
  renew(): Promise<readonly (SessionId & { readonly wanted: boolean })[]>;
  free(id: SessionId): Promise<void>;
}

/** Where the sessions of accounts are kept, by whoever owns the accounts. */
export interface SessionStore {
  values(account: SessionId): SessionValues;
  leases(holder: string, leaseMs: number): Leases;
}
