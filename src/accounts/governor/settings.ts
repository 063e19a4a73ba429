import { z } from "zod";

/** What people may move, for a workspace and for an account; the account's word comes last. */
export const paceSettingsShape = z
  .object({
    enabled: z.boolean().describe("Off: nothing is held back, though everything is still remembered"),
    start_per_day: bounded(1, 500).describe("Messages a day for an account that has sent nothing yet"),
    most_per_day: bounded(1, 2000).describe("Messages a day that no account gets past"),
    growth_percent: bounded(0, 100).describe(
      "How much a used day without a warning adds, before the first warning",
    ),
    slow_down_percent: bounded(5, 90).describe("How much a warning takes away"),
    spread: z
      .number()
      .min(1)
      .max(20)
      .describe("How many times faster than an even spread over the window messages may follow each other"),
    start_copies: bounded(1, 500).describe(
      "Near-identical texts a day for an account that has sent nothing yet",
    ),
    others_weight: z
      .number()
      .min(0)
      .max(1)
      .describe("What a copy from another account of the workspace counts"),
    breaker_warnings: bounded(1, 10).describe("Warnings within two days that stop the account for a while"),
    breaker_hours: bounded(1, 720).describe("Hours of that stop; doubled while trials fail"),
    trial_sends: bounded(1, 20).describe("Clean messages after a stop before the account is trusted again"),
    trial_gap_minutes: bounded(1, 1440).describe("Minutes between those messages"),
  })
  .strict();

export type PaceSettings = Readonly<z.infer<typeof paceSettingsShape>>;

/** What is kept for a workspace or an account: only what somebody has moved. */
export const paceChangesShape = paceSettingsShape.partial();
export type PaceChanges = Readonly<z.infer<typeof paceChangesShape>>;

export const defaultSettings: PaceSettings = {
  enabled: true,
  start_per_day: 10,
  most_per_day: 400,
  growth_percent: 30,
  slow_down_percent: 30,
  spread: 1.5,
  start_copies: 3,
  others_weight: 0.15,
  breaker_warnings: 2,
  breaker_hours: 24,
  trial_sends: 3,
  trial_gap_minutes: 30,
};

export function settingsOf(workspace: PaceChanges, account: PaceChanges): PaceSettings {
  return paceSettingsShape.parse({ ...defaultSettings, ...workspace, ...account });
}

function bounded(least: number, most: number) {
  return z.number().int().min(least).max(most);
}
