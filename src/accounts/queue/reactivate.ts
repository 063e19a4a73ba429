import { inOneChange } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { respaceWithin } from "../plan/respace.ts";
import { wordsOf } from "../reasons/task-reasons.ts";

interface Reactivated {
  /** Today's tasks that are back in the queue after a flood wait. */
  readonly resumed: number;
  /** Older tasks, which are ended. */
  readonly expired: number;
}

/** Only a new sign-in helps. */
const needsLogin: readonly (string | null)[] = ["session_revoked", "account_banned"];

/** Switches an account on and reschedules its tasks. Refused during Telegram's wait or without a session, unless forced. */
export async function reactivate(
  deps: PlanDeps,
  workspaceId: string,
  accountId: string,
  { force = false, ...who }: Who & { readonly force?: boolean },
): Promise<Reactivated> {
  const { sql, clock } = deps;
  const key = { workspaceId, accountId };
  await requireAccount(sql, workspaceId, accountId, who);
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const [account] = await tx<
      [{ flood_until: Date | null; stopped_code: string | null; last_error: string | null }]
    >`
      select flood_until, stopped_code, last_error from accounts.accounts
      where workspace_id = ${workspaceId} and id = ${accountId} for update`;
    if (!force) refuseEarly(account, now);
    const [done] = await tx<[Reactivated]>`
      select resumed, expired from accounts.reactivate(${workspaceId}, ${accountId}, ${wordsOf("flood_expired")},
        ${who.operator}, ${tx.json({ was: account.stopped_code, forced: force })}, ${now})`;
    await respaceWithin(tx, deps, key);
    return { resumed: done.resumed, expired: done.expired };
  });
}

function refuseEarly(
  {
    flood_until,
    stopped_code,
    last_error,
  }: { flood_until: Date | null; stopped_code: string | null; last_error: string | null },
  now: Date,
): void {
  if (flood_until && now < flood_until)
    throw accountsProblem("account_flood_wait", {
      detail: `Telegram's wait lasts until ${flood_until.toISOString()}.`,
      headers: { "retry-after": String(Math.ceil((flood_until.getTime() - now.getTime()) / 1000)) },
    });
  if (needsLogin.includes(stopped_code))
    throw accountsProblem("account_inactive", {
      detail: `${last_error ?? stopped_code}: sign in with this account again, which also switches it on.`,
    });
}
