import type { Transaction } from "../../kernel/db/index.ts";
import { cut } from "../../kernel/words/index.ts";
import type { AccountPerson, DeviceParameters } from "../../platforms/index.ts";
import { inOneChange, noteChange } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import { reactivate } from "../queue/reactivate.ts";
import { moveSessionValues } from "../sessions/session-values.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import { moveProxy } from "./account-proxies.ts";
import { accountOfPerson, deviceOf, type KnownAccount } from "./known-account.ts";
import { refOf } from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";

interface Entered {
  /** Account id under which the session is stored. */
  readonly accountId: string;
  readonly device: DeviceParameters;
  readonly person: AccountPerson;
  readonly phone?: string | undefined;
  readonly title?: string | undefined;
  readonly how: "phone" | "qr" | "import";
}

/**
 * Creates or updates the account of the signed-in user and switches it on. A session of a user that already has an account is moved
 * to that account.
 */
export async function finish(
  deps: LoginDeps,
  workspaceId: string,
  entered: Entered,
  who: Who,
): Promise<string> {
  const phone = entered.person.phone ?? entered.phone;
  const person = { ...entered.person, ...(phone !== undefined && { phone }) };
  const settled = await settle(deps, workspaceId, { ...entered, person }, who);
  if (settled.foreign) {
    await discardSession(deps, workspaceId, entered);
    throw accountsProblem("not_yours", { detail: "This Telegram account belongs to somebody else here." });
  }
  const { accountId, wasOff, floodUntil } = settled;
  // A new sign-in does not end Telegram's wait.
  const waits = floodUntil !== null && floodUntil > deps.planning.clock.now();
  if (wasOff && !waits) await reactivate(deps.planning, workspaceId, accountId, { ...who, force: true });
  return accountId;
}

type Settled =
  | { readonly foreign: true }
  | {
      readonly foreign: false;
      readonly accountId: string;
      readonly wasOff: boolean;
      readonly floodUntil: Date | null;
    };

async function settle(deps: LoginDeps, workspaceId: string, entered: Entered, who: Who): Promise<Settled> {
  const now = deps.clock.now();
  const known = await deps.sql.begin(async (tx) => accountOfPerson(tx, workspaceId, entered.person));
  if (known && known.owner !== who.owner && !who.isAdmin) return { foreign: true };
  if (known && known.id !== entered.accountId) await endOldSession(deps, workspaceId, known);
  return inOneChange(deps.sql, async (tx) => {
    // Concurrent sign-ins of one user must not create two accounts.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`accounts.login ${workspaceId}`}, 0))`;
    const account = await accountOfPerson(tx, workspaceId, entered.person);
    const accountId = account?.id ?? entered.accountId;
    if (accountId !== entered.accountId)
      await moveSession(tx, deps, { workspaceId, accountId: entered.accountId }, { workspaceId, accountId });
    await saveAccount(tx, workspaceId, accountId, entered, who, now);
    const meta = { object: "account", id: accountId, connected: true, how: entered.how };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return {
      foreign: false as const,
      accountId,
      wasOff: account?.is_active === false,
      floodUntil: account?.flood_until ?? null,
    };
  });
}

/** Moves the session and the proxy to another account; both are encrypted per account. */
async function moveSession(
  tx: Transaction,
  { vault, clock }: LoginDeps,
  from: AccountKey,
  to: AccountKey,
): Promise<void> {
  await moveSessionValues({ sql: tx, vault }, from, to);
  await moveProxy({ sql: tx, vault }, from, to, clock.now());
}

async function saveAccount(
  tx: Transaction,
  workspaceId: string,
  id: string,
  { person, device, title }: Entered,
  { owner }: Who,
  now: Date,
): Promise<void> {
  const row = {
    workspace_id: workspaceId,
    id,
    owner,
    title: cut(title ?? person.name, 200),
    phone: person.phone ?? null,
    telegram_user_id: person.userId,
    device: tx.json({ ...device }),
    connected_at: now,
    created_at: now,
    updated_at: now,
  };
  await tx`
    insert into accounts.accounts ${tx(row)}
    on conflict (workspace_id, id) do update set
      phone = coalesce(excluded.phone, accounts.phone), telegram_user_id = excluded.telegram_user_id,
      device = excluded.device, connected_at = excluded.connected_at, updated_at = excluded.updated_at,
      title = case when ${title !== undefined} then excluded.title else accounts.title end,
      last_error = case when accounts.is_active then null else accounts.last_error end`;
}

/** Ends the account's old session, so that Telegram does not list it for ever. */
async function endOldSession(deps: LoginDeps, workspaceId: string, known: KnownAccount): Promise<void> {
  const ref = await refOf(deps, workspaceId, { account_id: known.id, device: deviceOf(known) });
  const [stored] = await deps.sql`
    select from accounts.session_values
    where workspace_id = ${workspaceId} and account_id = ${known.id} and kind = 'auth_key' limit 1`;
  const driver = driverOf(deps);
  if (stored) {
    const client = await driver.open(ref);
    await client.logOut();
    await client.close();
  }
  await driver.forget(ref);
}

/** Ends a session that was made here; an imported one is only forgotten. */
async function discardSession(deps: LoginDeps, workspaceId: string, entered: Entered): Promise<void> {
  const ref = await refOf(deps, workspaceId, { account_id: entered.accountId, device: entered.device });
  const driver = driverOf(deps);
  if (entered.how !== "import") {
    const client = await driver.open(ref);
    await client.logOut();
    await client.close();
  }
  await driver.forget(ref);
}
