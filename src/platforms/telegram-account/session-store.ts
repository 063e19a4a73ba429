import type { AccountRef } from "./contract.ts";

export type SessionId = Pick<AccountRef, "workspaceId" | "accountId">;

export const valueKinds = ["auth_key", "kv", "peer", "reference"] as const;
export type ValueKind = (typeof valueKinds)[number];

export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** Other names by which the value is found. */
  readonly names?: readonly string[];
}

/** The stored values of one account's client. */
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
  /** False if another process has it. */
  take(id: SessionId): Promise<boolean>;
  /** Renews all; sessions that are missing in the result are lost. */
  renew(): Promise<readonly (SessionId & { readonly wanted: boolean })[]>;
  free(id: SessionId): Promise<void>;
}

/** Where sessions of accounts are stored; implemented by the owner of the accounts. */
export interface SessionStore {
  values(account: SessionId): SessionValues;
  leases(holder: string, leaseMs: number): Leases;
}
