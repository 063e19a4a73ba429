import { createHash } from "node:crypto";
import type { Vault } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";

export const valueKinds = ["auth_key", "kv", "peer", "reference"] as const;
export type ValueKind = (typeof valueKinds)[number];

export interface StoredValue {
  readonly key: string;
  readonly value: Uint8Array;
  /** What else the value may be asked for by. */
  readonly names?: readonly string[];
}

/** What one account's client remembers, sealed in PostgreSQL. */
export interface SessionValues {
  get(kind: ValueKind, key: string): Promise<Uint8Array | undefined>;
  find(kind: ValueKind, name: string): Promise<StoredValue | undefined>;
  list(kind: ValueKind): Promise<readonly StoredValue[]>;
  put(kind: ValueKind, values: readonly StoredValue[]): Promise<void>;
  remove(kind: ValueKind, key: string): Promise<void>;
  removeNamed(kind: ValueKind, name: string): Promise<void>;
  clear(kind?: ValueKind): Promise<void>;
}

export interface ValuesDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

interface Row {
  key: string;
  value: string;
}

export function sessionValues(
  { sql, vault }: ValuesDeps,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
): SessionValues {
  const own = (kind?: ValueKind) => sql`
    workspace_id = ${workspaceId} and account_id = ${accountId} ${kind ? sql`and kind = ${kind}` : sql``}`;
  const opened = ({ key, value }: Row): StoredValue => ({
    key,
    value: Buffer.from(vault.decrypt(value), "base64"),
  });
  const nameHash = (kind: ValueKind, name: string) =>
    createHash("sha256").update(`${kind} ${name}`).digest("base64url");

  return {
    async get(kind, key) {
      const [row] = await sql<Row[]>`
        select key, value from accounts.session_values where ${own(kind)} and key = ${key}`;
      return row && opened(row).value;
    },
    async find(kind, name) {
      const [row] = await sql<Row[]>`
        select key, value from accounts.session_values
        where ${own(kind)} and names @> ${[nameHash(kind, name)]} limit 1`;
      return row && opened(row);
    },
    async list(kind) {
      const rows = await sql<Row[]>`
        select key, value from accounts.session_values where ${own(kind)} order by key`;
      return rows.map(opened);
    },
    async put(kind, values) {
      if (values.length === 0) return;
      const rows = values.map(({ key, value, names = [] }) => ({
        workspace_id: workspaceId,
        account_id: accountId,
        kind,
        key,
        value: vault.encrypt(Buffer.from(value).toString("base64")),
        names: names.map((name) => nameHash(kind, name)),
      }));
      await sql`
        insert into accounts.session_values ${sql(rows)}
        on conflict (workspace_id, account_id, kind, key) do update
          set value = excluded.value, names = excluded.names`;
    },
    async remove(kind, key) {
      await sql`delete from accounts.session_values where ${own(kind)} and key = ${key}`;
    },
    async removeNamed(kind, name) {
      await sql`delete from accounts.session_values where ${own(kind)} and names @> ${[nameHash(kind, name)]}`;
    },
    async clear(kind) {
      await sql`delete from accounts.session_values where ${own(kind)}`;
    },
  };
}
