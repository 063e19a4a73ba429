import { z } from "zod";
import { rowOf, type Vault } from "../../kernel/crypto/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { readProxy, shownProxy } from "../../platforms/index.ts";
import { inOneChange, noteChange } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import type { LoginDeps } from "./login-deps.ts";

interface ProxyDeps {
  readonly sql: Sql;
  readonly vault: Vault;
}

export const proxyAddress = z
  .string()
  .max(500)
  .refine(
    (text) => readProxy(text) !== undefined,
    "socks5://user:password@host:port, http://…, mtproxy://secret@host:port or a t.me/proxy link",
  )
  .describe(
    "socks5://user:password@host:port, http://host:port, mtproxy://secret@host:port, or a t.me/proxy link",
  );

/** The account's proxy with its password. */
export async function proxyOf(
  { sql, vault }: ProxyDeps,
  { workspaceId, accountId }: AccountKey,
): Promise<string | undefined> {
  const [row] = await sql<{ address: string }[]>`
    select address from accounts.proxies where workspace_id = ${workspaceId} and account_id = ${accountId}`;
  return row && vault.decrypt(row.address, placeOf(workspaceId, accountId));
}

/** Moves the proxy to another account, replacing that one's; if there is none to move, the other's stays. */
export async function moveProxy(
  { sql, vault }: { readonly sql: Transaction; readonly vault: Vault },
  from: AccountKey,
  to: AccountKey,
  now: Date,
): Promise<void> {
  const [row] = await sql<{ address: string }[]>`
    delete from accounts.proxies
    where workspace_id = ${from.workspaceId} and account_id = ${from.accountId} returning address`;
  if (row)
    await keepProxy(
      { sql, vault },
      to,
      vault.decrypt(row.address, placeOf(from.workspaceId, from.accountId)),
      now,
    );
}

function placeOf(workspaceId: string, accountId: string): string {
  return rowOf("accounts.proxies", workspaceId, accountId);
}

export async function shownProxyOf(deps: ProxyDeps, account: AccountKey): Promise<string | null> {
  const stored = await proxyOf(deps, account);
  const proxy = stored === undefined ? undefined : readProxy(stored);
  return proxy ? shownProxy(proxy) : null;
}

export async function changeProxy(
  deps: LoginDeps,
  workspaceId: string,
  accountId: string,
  proxy: string | null,
  who: Who,
): Promise<{ proxy: string | null }> {
  const now = deps.clock.now();
  const account = { workspaceId, accountId };
  await requireAccount(deps.sql, workspaceId, accountId, who);
  await inOneChange(deps.sql, async (tx) => {
    await keepProxy({ sql: tx, vault: deps.vault }, account, proxy, now);
    const meta = { object: "account", id: accountId, proxy: proxy === null ? "removed" : "changed" };
    await noteChange(tx, { workspaceId, now, by: who, meta });
  });
  return { proxy: await shownProxyOf(deps, account) };
}

/** Null removes the proxy. Takes effect with the next connection. */
export async function keepProxy(
  { sql, vault }: { readonly sql: Sql | Transaction; readonly vault: Vault },
  { workspaceId, accountId }: AccountKey,
  address: string | null,
  now: Date,
): Promise<void> {
  if (address === null) {
    await sql`
      delete from accounts.proxies where workspace_id = ${workspaceId} and account_id = ${accountId}`;
    return;
  }
  await sql`
    insert into accounts.proxies (workspace_id, account_id, address, updated_at)
    values (${workspaceId}, ${accountId}, ${vault.encrypt(address, placeOf(workspaceId, accountId))}, ${now})
    on conflict (workspace_id, account_id) do update set address = excluded.address, updated_at = ${now}`;
}
