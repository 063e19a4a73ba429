import { z } from "zod";
import { parseModes } from "../../../content/index.ts";
import { templateLimits } from "../../templates/limits.ts";
import { templateId } from "../../templates/template.ts";
import { reason } from "../fields.ts";

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
