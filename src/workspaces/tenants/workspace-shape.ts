import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { reason, somethingOf } from "../requests/fields.ts";

export const workspaceStatuses = ["active", "paused", "disabled"] as const;
export type WorkspaceStatus = (typeof workspaceStatuses)[number];

export const workspaceSchema = z
  .object({
    workspace_id: z.uuid(),
    name: z.string(),
    status: z.enum(workspaceStatuses),
    timezone: z.string(),
    settings: z.record(z.string(), z.unknown()),
    channels: z.int(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "Workspace" });
export type Workspace = z.infer<typeof workspaceSchema>;

const count = z.int().min(1).nullish();
const seconds = z.number().min(0.1).nullish();

const fields = {
  name: lineOfText({ min: 1, max: 200 }),
  timezone: z.string().max(100).describe("An IANA name, such as `Europe/Moscow`"),
  settings: z
    .strictObject({
      deduped_rows: z.boolean().nullish().describe("Keep a row for each repeat that was suppressed"),
      retention: z
        .strictObject({
          events_days: count,
          deliveries_days: count,
          payloads_days: count,
          media_days: count,
          large_video_days: count,
          large_video_bytes: count,
        })
        .nullish()
        .describe("How long things are kept"),
      policy: z
        .strictObject({
          max_attempts: count.describe("After so many the delivery is dead; 5 unless given"),
          backoff_base_seconds: seconds.describe("The first wait, doubled each time; 2 unless given"),
          backoff_max_seconds: seconds.describe("The longest wait; 600 unless given"),
          pause_on_permanent_seconds: count.describe(
            "How long a channel that refused rests; 3600 unless given",
          ),
          disable_after_permanent_streak: count.describe(
            "So many refusals in a row switch a channel off; 3 unless given",
          ),
        })
        .nullish()
        .describe("How failures are dealt with; a channel may have its own answer to the last two"),
    })
    .describe("Only what is given changes; null brings a default back"),
};

export const newWorkspace = z.strictObject({
  name: fields.name,
  timezone: fields.timezone.optional(),
  settings: fields.settings.optional(),
  reason: reason.optional(),
});
export type NewWorkspace = Omit<z.infer<typeof newWorkspace>, "reason">;

export const workspaceChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
);
export type WorkspaceChanges = Omit<z.infer<typeof workspaceChanges>, "reason">;
