import { z } from "zod";
import { templateLimits } from "../../kernel/liquid/index.ts";
import { chosenName, reason } from "../policies/policy-shape.ts";

/** One version of a prompt as operators read it. */
export const promptSchema = z
  .object({
    name: chosenName,
    version: z.int(),
    body: z.string(),
    source: z.enum(["file", "operator"]).describe("A file of the release, or an operator"),
    active: z.boolean(),
    created_at: z.date(),
  })
  .meta({ id: "LlmPrompt" });
export type PromptView = z.infer<typeof promptSchema>;

export const newPromptVersion = z.strictObject({
  name: chosenName,
  body: z
    .string()
    .min(1)
    .max(templateLimits.body)
    .describe(
      "A head in YAML, the system part, `=== user ===`, the user part; or YAML with `meta`, `system`, `user`, `variables`",
    ),
  activate: z.boolean().optional().describe("Ask models by this version from now on"),
  reason: reason.optional(),
});
export type NewPromptVersion = Omit<z.infer<typeof newPromptVersion>, "reason">;
