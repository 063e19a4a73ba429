import { z } from "zod";
import {
  type AccountPace,
  type PaceChanges,
  type PaceGovernor,
  paceSettingsShape,
} from "../governor/index.ts";
import type { PlanDeps } from "../plan/deps.ts";
import { respaceAccount } from "../plan/respace.ts";
import type { AccountKey, Governor, PaceReason } from "../work/governor.ts";
import type { Who } from "./access.ts";
import { requireAccount } from "./require-account.ts";

export interface PaceDeps extends PlanDeps {
  readonly pace: Pick<PaceGovernor, "paceOf" | "adjust">;
}

const words = { code: z.string(), ru: z.string(), en: z.string() };
export const paceReasonSchema = z.object({
  ...words,
  until: z.date().nullable().describe("When it ends, where that is known"),
});
export type PaceReasonView = z.output<typeof paceReasonSchema>;

/** What the governor allows an account now, and why. */
export const paceSchema = z.object({
  enabled: z.boolean(),
  todays_ceiling: z.int().nullable().describe("Messages today at most; null: the account's own limit alone"),
  sent_today: z.int(),
  gap_factor: z.number().describe("By how much the mode's gaps are stretched"),
  gap_seconds: z.int().describe("The least between two messages"),
  copies_per_text: z
    .int()
    .nullable()
    .describe("How many chats may get nearly the same text within a day; null: nothing limits them"),
  breaker: z.object({
    state: z.enum(["closed", "open", "half_open"]),
    until: z.date().nullable(),
    trials_left: z.int().nullable(),
  }),
  quiet_until: z.date().nullable(),
  sent_without_warning: z.int(),
  warnings: z
    .array(z.object({ ...words, at: z.date(), seconds: z.number().nullable(), counts: z.boolean() }))
    .describe("Of the last two weeks, the newest first"),
  reasons: z.array(paceReasonSchema).describe("Why the account goes at this pace, and until when"),
  settings: paceSettingsShape,
});
export type PaceView = z.output<typeof paceSchema>;

export async function readPace(
  deps: PaceDeps,
  workspaceId: string,
  accountId: string,
  who: Who,
): Promise<PaceView> {
  await requireAccount(deps.sql, workspaceId, accountId, who);
  return viewOf(await deps.pace.paceOf({ workspaceId, accountId }));
}

/** Moves the account's own measures; null gives one back to the workspace. What waits gets its times by the new ones at once. */
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

/** Reasons that hold nothing back. */
const harmless = new Set(["full_pace", "off"]);

/** What holds the account back, for whoever has just planned something for it. */
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
