import { z } from "zod";
import { parseModes } from "../../../content/index.ts";
import { reason } from "../../../workspaces/index.ts";
import { templateLimits } from "../../templates/limits.ts";
import { chosenId } from "../fields.ts";

/** The id of a template; channels.template_ref refers to it. */
export const templateId = chosenId;

/** One version of a template as operators read it. */
export const templateSchema = z.object({
  template_id: templateId,
  version: z.int(),
  body: z.string(),
  defaults: z.record(z.string(), z.unknown()),
  active: z.boolean(),
  created_at: z.string(),
});
export type Template = z.infer<typeof templateSchema>;

export const newVersion = z.strictObject({
  template_id: templateId,
  body: z.string().min(1).max(templateLimits.body).describe("Liquid"),
  defaults: z
    .looseObject({ parse_mode: z.enum(parseModes).optional().describe("The markup of the body") })
    .optional()
    .describe("Values of what a post does not bring"),
  activate: z.boolean().optional().describe("Write posts by this version from now on"),
  reason: reason.optional(),
});
export type NewVersion = Omit<z.infer<typeof newVersion>, "reason">;
