import { z } from "zod";
import { lineOfText } from "../../http/index.ts";

/** Fields that routes of every module share. */

export const reason = lineOfText({ min: 3, max: 500 }).describe("Why; it is written to the audit trail");
export const dryRun = z.boolean().optional().describe("Say what would change, and change nothing");

/** A boolean in a query, where every value is text. */
export const flag = z.enum(["true", "false"]).transform((text) => text === "true");

export const changesSchema = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .describe("Each field that changes, before and after");

/** A request that changes nothing is most likely a mistake. */
export function somethingOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return schema.refine((given) => Object.keys(given).some((field) => field !== "reason"), {
    error: "Give at least one field to change",
    // If there is an unknown field, that is the error to report.
    when: ({ issues }) => issues.length === 0,
  });
}
