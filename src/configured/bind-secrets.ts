/** Brings secrets of an earlier release to their rows: tokens that any row could open become the row's own. */
import { rowOf, type Vault, VaultError } from "../kernel/crypto/index.ts";
import type { Sql } from "../kernel/db/index.ts";

interface SealedColumn {
  readonly table: string;
  readonly key: readonly string[];
  readonly column: string;
}

/** Every column that holds sealed texts. Raw payloads lie in object storage and soon end; their rows know their hashes. */
const sealedColumns: readonly SealedColumn[] = [
  { table: "workspaces.secrets", key: ["workspace_id", "secret_id"], column: "ciphertext" },
  {
    table: "accounts.session_values",
    key: ["workspace_id", "account_id", "kind", "key"],
    column: "value",
  },
  { table: "accounts.proxies", key: ["workspace_id", "account_id"], column: "address" },
  { table: "accounts.login_attempts", key: ["workspace_id", "id"], column: "code_hash" },
];

const upgrade = "secrets bound to their rows";
const batch = 500;

/**
 * Does it once. Answers how many secrets no key at hand opens: they stay as they are, and the next call tries again. Any number of
 * processes may call it.
 */
export async function bindSecrets(sql: Sql, vault: Vault): Promise<{ unreadable: number }> {
  const done = await sql`select from molva.upgrades where name = ${upgrade}`;
  if (done.length > 0) return { unreadable: 0 };
  let unreadable = 0;
  for (const sealed of sealedColumns) unreadable += await bindColumn(sql, vault, sealed);
  if (unreadable === 0)
    await sql`insert into molva.upgrades (name) values (${upgrade}) on conflict do nothing`;
  return { unreadable };
}

async function bindColumn(sql: Sql, vault: Vault, { table, key, column }: SealedColumn): Promise<number> {
  const names = key.join(", ");
  const places = (from: number) => key.map((_, at) => `$${from + at}`).join(", ");
  const asText = key.map((name) => `${name}::text`).join(", ");
  let last: readonly string[] | undefined;
  let unreadable = 0;
  for (;;) {
    const rows: { key: string[]; token: string }[] = await sql.unsafe(
      `select array[${asText}] as key, ${column} as token from ${table}
       where ${column} is not null ${last ? `and (${names}) > (${places(1)})` : ""}
       order by ${names} limit ${batch}`,
      [...(last ?? [])],
    );
    for (const { key: id, token } of rows) {
      const bound = boundOrNothing(vault, token, rowOf(table, ...id));
      if (bound === "unreadable") unreadable++;
      // Only what is still there: a process may have replaced it meanwhile.
      else if (bound)
        await sql.unsafe(
          `update ${table} set ${column} = $1 where ${column} = $2 and (${names}) = (${places(3)})`,
          [bound, token, ...id],
        );
    }
    last = rows.at(-1)?.key;
    if (rows.length < batch) return unreadable;
  }
}

function boundOrNothing(vault: Vault, token: string, place: string): string | undefined | "unreadable" {
  try {
    return vault.bind(token, place);
  } catch (error) {
    if (error instanceof VaultError) return "unreadable";
    throw error;
  }
}
