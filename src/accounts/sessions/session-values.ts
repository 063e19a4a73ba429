import { createHash } from "node:crypto";
import { rowOf, type Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { SessionId, SessionValues, StoredValue, ValueKind } from "../../platforms/index.ts";

export interface ValuesDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

interface Row {
  kind: ValueKind;
  key: string;
  value: string;
}

const placeOf = ({ workspaceId, accountId }: SessionId, kind: ValueKind, key: string) =>
  rowOf("accounts.session_values", workspaceId, accountId, kind, key);

/** Moves the stored values of one account to another, replacing that one's. */
export async function moveSessionValues(
  { sql, vault }: { readonly sql: Transaction; readonly vault: Vault },
  from: SessionId,
  to: SessionId,
): Promise<void> {
  await sql`
    delete from accounts.session_values where workspace_id = ${to.workspaceId} and account_id = ${to.accountId}`;
  const rows = await sql<(Row & { names: string[] })[]>`
    delete from accounts.session_values
    where workspace_id = ${from.workspaceId} and account_id = ${from.accountId} returning kind, key, value, names`;
  const moved = rows.map(({ kind, key, value, names }) => ({
    workspace_id: to.workspaceId,
    account_id: to.accountId,
    kind,
    key,
    value: vault.encrypt(vault.decrypt(value, placeOf(from, kind, key)), placeOf(to, kind, key)),
    names,
  }));
  if (moved.length > 0) await sql`insert into accounts.session_values ${sql(moved)}`;
}

/** The values of one account, encrypted. */
export function sessionValues({ sql, vault }: ValuesDeps, owner: SessionId): SessionValues {
  const { workspaceId, accountId } = owner;
  const own = (kind?: ValueKind) => sql`
    workspace_id = ${workspaceId} and account_id = ${accountId} ${kind ? sql`and kind = ${kind}` : sql``}`;
  const opened = ({ kind, key, value }: Row): StoredValue => ({
    key,
    value: Buffer.from(vault.decrypt(value, placeOf(owner, kind, key)), "base64"),
  });
  const nameHash = (kind: ValueKind, name: string) =>
    createHash("sha256").update(`${kind} ${name}`).digest("base64url");

  return {
    async get(kind, key) {
      const [row] = await sql<Row[]>`
        select kind, key, value from accounts.session_values where ${own(kind)} and key = ${key}`;
      return row && opened(row).value;
    },
    async find(kind, name) {
      const [row] = await sql<Row[]>`
        select kind, key, value from accounts.session_values
        where ${own(kind)} and names @> ${[nameHash(kind, name)]} limit 1`;
      return row && opened(row);
    },
    async list(kind) {
      const rows = await sql<Row[]>`
        select kind, key, value from accounts.session_values where ${own(kind)} order by key`;
      return rows.map(opened);
    },
    async put(kind, values) {
      if (values.length === 0) return;
      const rows = values.map(({ key, value, names = [] }) => ({
        workspace_id: workspaceId,
        account_id: accountId,
        kind,
        key,
        value: vault.encrypt(Buffer.from(value).toString("base64"), placeOf(owner, kind, key)),
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
