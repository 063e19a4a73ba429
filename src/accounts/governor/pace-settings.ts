import { z } from "zod";

/** Settings for a workspace (`account_pace`) and for an account; the account's override the workspace's. */
const fields = {
  enabled: z
    .boolean()
    .default(true)
    .describe("Off: no message is delayed; sends and warnings are still recorded"),
  seasoned: z
    .boolean()
    .default(false)
    .describe("No warm-up: the pace of its mode and daily limit from the first day, until Telegram warns it"),
  start_per_day: whole(1, 500, 14).describe("Messages a day for an account that has sent nothing yet"),
  most_per_day: whole(1, 2000, 400).describe("Most messages a day for any account"),
  growth_percent: whole(0, 100, 45).describe("Daily growth before the first warning"),
  slow_down_percent: whole(5, 90, 30).describe("Cut after a warning"),
  spread: part(1, 20, 1.5).describe("How much closer than an even spread over the window messages may be"),
  start_copies: whole(1, 500, 4).describe(
    "Near-identical texts a day for an account that has sent nothing yet",
  ),
  others_weight: part(0, 1, 0.25).describe("Weight of a copy sent by another account of the workspace"),
  breaker_warnings: whole(1, 10, 2).describe("Number of warnings within two days that stop the account"),
  breaker_hours: whole(1, 720, 24).describe("Hours of such a stop; doubled after each failed trial"),
  trial_sends: whole(1, 20, 3).describe("Trial messages that must succeed after a stop"),
  trial_gap_minutes: whole(1, 1440, 30).describe("Minutes between trial messages"),
};

export const paceSettingsShape = z.strictObject(fields);
/** For a workspace: `seasoned` is set per account only. */
export const workspacePaceShape = paceSettingsShape.omit({ seasoned: true });
export type WorkspacePace = Readonly<z.output<typeof workspacePaceShape>>;
export type PaceSettings = Readonly<z.output<typeof paceSettingsShape>>;

export const defaultSettings: PaceSettings = paceSettingsShape.parse({});

/** Null restores the workspace's setting. */
export const paceChangesShape = z.strictObject({
  enabled: changed(fields.enabled),
  seasoned: changed(fields.seasoned),
  start_per_day: changed(fields.start_per_day),
  most_per_day: changed(fields.most_per_day),
  growth_percent: changed(fields.growth_percent),
  slow_down_percent: changed(fields.slow_down_percent),
  spread: changed(fields.spread),
  start_copies: changed(fields.start_copies),
  others_weight: changed(fields.others_weight),
  breaker_warnings: changed(fields.breaker_warnings),
  breaker_hours: changed(fields.breaker_hours),
  trial_sends: changed(fields.trial_sends),
  trial_gap_minutes: changed(fields.trial_gap_minutes),
});
export type PaceChanges = Readonly<z.output<typeof paceChangesShape>>;
export const workspacePaceChanges = paceChangesShape.omit({ seasoned: true });
export type WorkspacePaceChanges = Readonly<z.output<typeof workspacePaceChanges>>;

/** An invalid stored value is ignored: the defaults are the careful ones. */
export function settingsOf(workspace: object, account: object): PaceSettings {
  for (const given of [{ ...workspace, ...account }, workspace]) {
    const parsed = paceSettingsShape.safeParse(given);
    if (parsed.success) return parsed.data;
  }
  return defaultSettings;
}

function whole(least: number, most: number, usual: number) {
  return z.int().min(least).max(most).default(usual);
}

function part(least: number, most: number, usual: number) {
  return z.number().min(least).max(most).default(usual);
}

function changed<Shape extends z.ZodType>(shape: z.ZodDefault<Shape>) {
  // `unwrap` drops the description of the default.
  const change = shape.unwrap().nullable().optional();
  return shape.description ? change.describe(shape.description) : change;
}
