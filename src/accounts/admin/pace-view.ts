import { z } from "zod";
import type { AccountPace } from "../governor/describe-pace.ts";
import type { PaceGovernor } from "../governor/governor.ts";
import { type PaceChanges, paceSettingsShape } from "../governor/pace-settings.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { respaceAccount } from "../plan/respace.ts";
import type { AccountKey, Governor, PaceReason } from "../work/governor-contract.ts";
import { requireAccount, type Who } from "./access.ts";

export interface PaceDeps extends PlanDeps {
  readonly pace: Pick<PaceGovernor, "paceOf" | "adjust">;
}

const words = { code: z.string(), ru: z.string(), en: z.string() };
export const paceReasonSchema = z.object({
  ...words,
  until: z.date().nullable().describe("When it ends, where that is known"),
});
export type PaceReasonView = z.output<typeof paceReasonSchema>;

export const paceSchema = z.object({
  enabled: z.boolean(),
  todays_ceiling: z
    .int()
    .nullable()
    .describe("Most messages today; null: only the account's daily limit applies"),
  sent_today: z.int(),
  gap_factor: z.number().describe("Factor by which the mode's gaps are stretched"),
  gap_seconds: z.int().describe("Minimum gap between two messages"),
  copies_per_text: z
    .int()
    .nullable()
    .describe("How many chats may get nearly the same text within a day; null: no limit"),
  breaker: z.object({
    state: z.enum(["closed", "open", "half_open"]),
    until: z.date().nullable(),
    trials_left: z.int().nullable(),
  }),
  quiet_until: z.date().nullable(),
  sent_without_warning: z.int(),
  warnings: z
    .array(z.object({ ...words, at: z.date(), seconds: z.number().nullable(), counts: z.boolean() }))
    .describe("Of the last two weeks, newest first"),
  reasons: z.array(paceReasonSchema).describe("Why the account has this pace, and until when"),
  settings: paceSettingsShape,
});
type PaceView = z.output<typeof paceSchema>;

export async function readPace(
  deps: PaceDeps,
  workspaceId: string,
  accountId: string,
  who: Who,
): Promise<PaceView> {
  await requireAccount(deps.sql, workspaceId, accountId, who);
  return viewOf(await deps.pace.paceOf({ workspaceId, accountId }));
}

/** Changes the account's own settings; null restores the workspace's setting. Pending tasks are rescheduled at once. */
export async function adjustPace(
  deps: PaceDeps,
  workspaceId: string,
  accountId: string,
  changes: PaceChanges,
  who: Who,
): Promise<PaceView> {
  await requireAccount(deps.sql, workspaceId, accountId, who);
  const pace = await deps.pace.adjust({ workspaceId, accountId }, changes, who);
  await respaceAccount(deps, { workspaceId, accountId });
  return viewOf(pace);
}

/** Reasons that do not slow the account down. */
const harmless = new Set(["full_pace", "off"]);

/** Why the account is slow, for the answer to whoever has just planned something for it. */
export async function slowedBy(governor: Governor, account: AccountKey): Promise<PaceReasonView[]> {
  const { reasons = [] } = await governor.paceOf(account);
  return reasons.filter(({ code }) => !harmless.has(code)).map(reasonView);
}

function reasonView({ code, ru, en, until }: PaceReason): PaceReasonView {
  return { code, ru, en, until: until ?? null };
}

function viewOf(pace: AccountPace): PaceView {
  const { breaker } = pace;
  return {
    enabled: pace.enabled,
    todays_ceiling: pace.todaysCeiling ?? null,
    sent_today: pace.sentToday,
    gap_factor: Math.round(pace.gapFactor * 100) / 100,
    gap_seconds: pace.gapSeconds,
    copies_per_text: pace.copiesPerText ?? null,
    breaker: { state: breaker.state, until: breaker.until ?? null, trials_left: breaker.trialsLeft ?? null },
    quiet_until: pace.quietUntil ?? null,
    sent_without_warning: pace.sentWithoutWarning,
    warnings: pace.warnings.map(({ seconds, ...warning }) => ({ ...warning, seconds: seconds ?? null })),
    reasons: pace.reasons.map(reasonView),
    settings: pace.settings,
  };
}
