import { z } from "zod";
import { reason } from "../../../workspaces/index.ts";
import { rate } from "../fields.ts";

/** The limit that all channels of one rate group share. */
export const limitSchema = z
  .object({
    platform: z.string(),
    rate_group: z.string(),
    rate_rps: z.number().nullable(),
    next_allowed_at: z.date().nullable(),
    cooldown_until: z
      .date()
      .nullable()
      .describe("The provider asked for patience: nothing is sent before this"),
    channels: z.int(),
    updated_at: z.date(),
  })
  .meta({ id: "Limit" });
export type Limit = z.infer<typeof limitSchema>;

export const limitChange = z.strictObject({
  rate_rps: rate.describe("Requests a second for the whole group; null and 0: no limit"),
  reason: reason.optional(),
});
