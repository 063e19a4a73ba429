import { inOneChange, noteChange } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";
import { deviceOf } from "./known-account.ts";
import { refOf } from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";
import { refusedStep } from "./login-problems.ts";

/** Telegram has already ended the session. */
const gone: readonly string[] = ["session_revoked", "account_banned"];

/**
 * Ends the account's session at Telegram, deletes it and switches the account off. With `force` it is deleted even if Telegram cannot be
 * reached.
 */
export async function logOut(
  deps: LoginDeps,
  workspaceId: string,
  accountId: string,
  { force = false, ...who }: Who & { readonly force?: boolean | undefined },
): Promise<void> {
  const driver = driverOf(deps);
  await requireAccount(deps.sql, workspaceId, accountId, who);
  const [row] = await deps.sql<{ device: unknown }[]>`
    select device from accounts.accounts where workspace_id = ${workspaceId} and id = ${accountId}`;
  const ref = await refOf(deps, workspaceId, { account_id: accountId, device: deviceOf(row) });
  const client = await driver.open(ref);
  const answer = await client.logOut();
  await client.close();
  if (!answer.ok && !gone.includes(answer.error.code) && !force) throw refusedStep(answer.error);
  await driver.forget(ref);

  const now = deps.clock.now();
  await inOneChange(deps.sql, async (tx) => {
    await tx`
      update accounts.accounts
      set is_active = false, stopped_code = 'session_revoked', stopped_at = ${now}, connected_at = null,
        last_error = 'Аккаунт вышел из Telegram', updated_at = ${now}
      where workspace_id = ${workspaceId} and id = ${accountId}`;
    const meta = { object: "account", id: accountId, connected: false, at_telegram: answer.ok };
    await noteChange(tx, { workspaceId, now, by: who, meta });
  });
}
