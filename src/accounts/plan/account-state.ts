import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Format } from "../post/compose.ts";
import { repeatUntil } from "../reasons/task-facts.ts";
import type { Settings } from "../settings/workspace-settings.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import { modes } from "./modes.ts";
import type { OpenTask, PlannedAccount } from "./plan-account.ts";

const accountShape = z.object({
  owner: z.string(),
  mode: z.enum(modes),
  fix_interval_minutes: z.int().nullable(),
  daily_limit: z.int(),
  timezone: z.string(),
  window_from: z.string(),
  window_to: z.string(),
  is_active: z.boolean(),
});

const openShape = z.object({
  id: z.string(),
  at: z.coerce.date(),
  taken: z.boolean(),
  object_id: z.string(),
  chat_id: z.string(),
  format: z.enum(["default", "compact"]).nullable(),
  last_published_at: z.coerce.date().nullable(),
  origin: z.enum(["daily", "config", "manual"]),
  allow_duplicate: z.boolean(),
});

/** The account as the planner needs it. Its row stays locked until the end of the transaction, so that plans of one account run one by one. */
export interface AccountState {
  readonly owner: string;
  readonly isActive: boolean;
  readonly account: PlannedAccount;
  readonly publishedToday: number;
  readonly lastPublishedAt?: Date | undefined;
  readonly open: readonly KnownTask[];
  readonly plannedToday: boolean;
}

export interface KnownTask extends OpenTask {
  readonly objectId: string;
  readonly chatId: string;
  readonly format: Format | null;
}

export async function lockForPlan(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  { settings, now }: { readonly settings: Settings; readonly now: Date },
): Promise<AccountState | undefined> {
  const [row] = await tx`select * from accounts.lock_for_plan(${workspaceId}, ${accountId}, ${now})`;
  if (!row) return undefined;
  const account = accountShape.parse(row.account);
  const allowed = settings.allow_duplicates;
  return {
    owner: account.owner,
    isActive: account.is_active,
    account: {
      mode: account.mode,
      fixIntervalMinutes: account.fix_interval_minutes,
      timezone: account.timezone,
      windowFrom: account.window_from,
      windowTo: account.window_to,
      dailyLimit: account.daily_limit,
      limiterSeconds: limiterGap(settings.account_rate_limit),
    },
    publishedToday: row.published_today,
    lastPublishedAt: row.last_published_at ?? undefined,
    open: z
      .array(openShape)
      .parse(row.open)
      .map((task) => {
        const free =
          task.allow_duplicate ||
          (task.origin === "manual" ? allowed.manual_account : allowed.autopublish_account);
        const { id, at, taken, object_id: objectId, chat_id: chatId, format } = task;
        return { id, at, taken, objectId, chatId, format, notBefore: free ? undefined : repeatUntil(task) };
      }),
    plannedToday: row.planned_today,
  };
}

/** The smallest gap that never meets either of the limiter's limits. */
function limiterGap({ enabled, seconds, per_hour }: Settings["account_rate_limit"]): number {
  return enabled ? Math.max(seconds, 3600 / per_hour) : 0;
}
