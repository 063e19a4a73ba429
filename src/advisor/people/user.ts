import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Quota, quotaShape } from "../ask/quota.ts";
import { Refusal } from "../door/refusal.ts";
import { type AdvisorSettings, type Plan, plansOf } from "../settings.ts";

export interface User {
  readonly id: string;
  readonly plan: Plan;
  readonly locale: string | null;
  readonly terms_accepted_at: Date | null;
  readonly data_policy_accepted_at: Date | null;
}

export async function findUser(
  sql: Sql | Transaction,
  workspaceId: string,
  telegramUserId: number,
): Promise<User | undefined> {
  const [row] = await sql<User[]>`
    select id, plan, locale, terms_accepted_at, data_policy_accepted_at from advisor.users
    where workspace_id = ${workspaceId} and telegram_user_id = ${telegramUserId}`;
  return row;
}

/** For what only Pro has; whoever is unknown is on Free. */
export function requirePro<T extends User>(user: T | undefined, what: string): T {
  if (user?.plan === "pro") return user;
  throw new Refusal("plan_required", "pro_required", `${what} is part of Pro.`);
}

export async function quotaFor(
  sql: Sql | Transaction,
  workspaceId: string,
  telegramUserId: number,
  settings: AdvisorSettings,
  now: Date,
): Promise<Quota> {
  // Somebody who never asked has a row here only: looking leaves no trace.
  const [row] = await sql`
    select advisor.quota_of(u, ${JSON.stringify(plansOf(settings))}::text::jsonb, ${now}) as quota
    from (
      select * from advisor.users where workspace_id = ${workspaceId} and telegram_user_id = ${telegramUserId}
      union all
      select (jsonb_populate_record(null::advisor.users, jsonb_build_object('workspace_id', ${workspaceId}::text, 'plan', 'free',
        'research_used', 0, 'photos_used', 0, 'research_reset_at', ${now}::timestamptz, 'photos_reset_at', ${now}::timestamptz))).*
      limit 1
    ) u`;
  return quotaShape.parse(row?.quota);
}
