import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { reason } from "../policies/policy-shape.ts";

const scope = z.enum(["workspace", "user", "policy"]);
const subject = lineOfText({ min: 1, max: 200 }).describe("A user or a policy; * means each for itself");
export const period = z.enum(["day", "month"]).describe("In UTC");
export const unit = z.enum(["usd", "tokens", "calls"]);

/** The key of a cap. */
export const budgetKey = z
  .object({ scope, subject, period, unit })
  .refine((given) => given.scope !== "workspace" || given.subject === "*", {
    error: "The workspace is one: its subject is *",
    path: ["subject"],
  });
export type BudgetKey = z.output<typeof budgetKey>;

export const budgetSchema = z
  .object({
    scope,
    subject,
    period,
    unit,
    cap: z.number(),
    used: z
      .number()
      .nullable()
      .describe("Spent and held in this period; null for a cap of each user or policy"),
    updated_at: z.date(),
  })
  .meta({ id: "LlmBudget" });
export type BudgetView = z.infer<typeof budgetSchema>;

export const budgetCap = z.strictObject({ cap: z.number().min(0).max(1e12), reason: reason.optional() });
