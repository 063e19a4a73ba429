import { z } from "zod";

/** What people may move, for a workspace (setting `account_pace`) and for an account, whose word comes last. */
const fields = {
  enabled: z.boolean().default(true).describe("Off: nothing is held back, though everything is remembered"),
  seasoned: z
    .boolean()
    .default(false)
    .describe(
      "Its owner vouches for it: the pace of its mode and daily limit from the first day, until Telegram warns it",
    ),
  start_per_day: whole(1, 500, 14).describe("Messages a day of an account that has sent nothing yet"),
  most_per_day: whole(1, 2000, 400).describe("Messages a day that no account gets past"),
  growth_percent: whole(0, 100, 45).describe("What a clean day adds before the first warning"),
  slow_down_percent: whole(5, 90, 30).describe("What a warning takes away"),
  spread: part(1, 20, 1.5).describe("How many times faster than evenly over the window messages may follow"),
  start_copies: whole(1, 500, 4).describe(
    "Near-identical texts a day of an account that has sent nothing yet",
  ),
  others_weight: part(0, 1, 0.25).describe("What a copy from another account of the workspace counts"),
  breaker_warnings: whole(1, 10, 2).describe("Warnings within two days that stop the account"),
  breaker_hours: whole(1, 720, 24).describe("Hours of such a stop; doubled while trials fail"),
  trial_sends: whole(1, 20, 3).describe("Messages that must go well after a stop"),
  trial_gap_minutes: whole(1, 1440, 30).describe("Minutes between those messages"),
};

export const paceSettingsShape = z.strictObject(fields);
/** Of a workspace: who is seasoned is said of each account by itself. */
export const workspacePaceShape = paceSettingsShape.omit({ seasoned: true });
export type WorkspacePace = Readonly<z.output<typeof workspacePaceShape>>;
export type PaceSettings = Readonly<z.output<typeof paceSettingsShape>>;

export const defaultSettings: PaceSettings = paceSettingsShape.parse({});

/** Null gives a setting back to the workspace. */
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

/** A stored value that no longer fits is as if it were not set: the defaults are the careful ones. */
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
  // `unwrap` leaves the words behind that stand on the default.
  const change = shape.unwrap().nullable().optional();
  return shape.description ? change.describe(shape.description) : change;
}
