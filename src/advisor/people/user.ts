import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdvisorSettings, type Plan, plansOf, traceOf } from "../advisor-settings.ts";
import { type Quota, quotaShape } from "../ask/quota.ts";
import { upsellOf } from "../ask/upsell.ts";
import { textsFor } from "../subject/language.ts";
import type { Subject } from "../subject/subject.ts";
import { Refusal } from "../v1/refusal.ts";

export interface User {
  readonly id: string;
  readonly plan: Plan;
  readonly plan_until: Date | null;
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
    select id, plan, plan_until, locale, terms_accepted_at, data_policy_accepted_at from advisor.users
    where workspace_id = ${workspaceId} and telegram_user_id = ${telegramUserId}`;
  return row;
}

const ofPro = {
  files: { what: "Sending files", reason: "media_attempt" },
  pets: { what: "Keeping pets", reason: "memory_attempt" },
  history: { what: "History", reason: "memory_attempt" },
} as const;

/** Requires Pro. Unknown people are on Free and get an offer. */
export function requirePro(
  user: User | undefined,
  feature: keyof typeof ofPro,
  subject: Subject,
  locale: string | null = null,
): User {
  if (user?.plan === "pro") return user;
  const { what, reason } = ofPro[feature];
  throw new Refusal("plan_required", "pro_required", `${what} is part of Pro.`, {
    more: { upsell: upsellOf(reason, textsFor(locale ?? user?.locale ?? null, subject)) },
  });
}

export async function quotaFor(
  sql: Sql | Transaction,
  workspaceId: string,
  telegramUserId: number,
  settings: AdvisorSettings,
  now: Date,
): Promise<Quota> {
  const plans = JSON.stringify(plansOf(settings));
  const [row] = await sql`
    select coalesce(
      (select advisor.quota_of(u, ${plans}::text::jsonb, ${now}) from advisor.users u
        where u.workspace_id = ${workspaceId} and u.telegram_user_id = ${telegramUserId}),
      advisor.quota_of_stranger(${workspaceId}, ${traceOf(settings, telegramUserId)}, ${plans}::text::jsonb, ${now})
    ) as quota`;
  return quotaShape.parse(row?.quota);
}
