import { inOneChange } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import { requireAccount } from "../admin/require-account.ts";
import type { PlanDeps } from "../plan/deps.ts";
import { respaceWithin } from "../plan/respace.ts";
import { wordsOf } from "../reasons/reasons.ts";

export interface Reactivated {
  /** Tasks of today that waited for the end of the flood and are in the queue again. */
  readonly resumed: number;
  /** Older ones, which have ended. */
  readonly expired: number;
}

/** What only a new sign-in mends. */
const needsLogin: readonly (string | null)[] = ["session_revoked", "account_banned"];

/**
 * Switches an account on again: refused before Telegram's wait is over, and for a session that is gone, unless it is forced.
 * Everything that waits for it gets a fresh time.
 */
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
