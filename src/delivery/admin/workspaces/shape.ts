import { z } from "zod";
import { lineOfText } from "../../../http/index.ts";
import { reason, somethingOf } from "../fields.ts";

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

const count = z.int().min(1);

const fields = {
  name: lineOfText({ min: 1, max: 200 }),
  timezone: z.string().max(100).describe("An IANA name, such as `Europe/Moscow`"),
  settings: z.strictObject({
    deduped_rows: z.boolean().optional().describe("Keep a row for each repeat that was suppressed"),
    retention: z
      .strictObject({
        events_days: count.optional(),
        deliveries_days: count.optional(),
        payloads_days: count.optional(),
        media_days: count.optional(),
        large_video_days: count.optional(),
        large_video_bytes: count.optional(),
      })
      .optional(),
  }),
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
