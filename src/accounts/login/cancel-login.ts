import type { Who } from "../admin/access.ts";
import { attemptAt, type LoginView, moveAttempt, openSteps, refOf, viewOf } from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";

/** Cancels a sign-in and deletes what it stored, unless the account existed before. */
export async function cancelLogin(
  deps: LoginDeps,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<LoginView> {
  const attempt = await attemptAt(deps, workspaceId, id, openSteps, who);
  const moved = await moveAttempt(deps, workspaceId, attempt, { step: "cancelled" });
  const [account] = await deps.sql`
    select from accounts.accounts where workspace_id = ${workspaceId} and id = ${attempt.account_id}`;
  if (!account) await driverOf(deps).forget(await refOf(deps, workspaceId, attempt));
  return viewOf(moved ?? { ...attempt, step: "cancelled" });
}
