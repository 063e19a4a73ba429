import { z } from "zod";
import { lineOfText } from "../../http/index.ts";
import { platformNames } from "../../platforms/index.ts";

/** Fields that several objects share. */

export const platform = z.enum(platformNames);
export const reason = lineOfText({ min: 3, max: 500 }).describe("Why; it stands in the audit trail");
export const dryRun = z.boolean().optional().describe("Say what would change, and change nothing");

/** A name that channels and limits call each other by. */
export const key = lineOfText({ min: 1, max: 200 });

/** An id that its operator chooses. */
export const chosenId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "Up to 64 small Latin letters, digits, - and _; the first is a letter or a digit",
  );

/** Requests a second; null and 0 mean no limit. */
export const rate = z.number().min(0).max(1000).nullable();

/** A yes or no in a query, which knows only text. */
export const flag = z.enum(["true", "false"]).transform((text) => text === "true");

export const changesSchema = z
  .record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))
  .describe("Each field that changes, before and after");

/** A request to change nothing is more likely a mistake than a wish. */
export function somethingOf<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  return schema.refine((given) => Object.keys(given).some((field) => field !== "reason"), {
    error: "Give at least one field to change",
    // An unknown field is what to tell of, when there is one.
    when: ({ issues }) => issues.length === 0,
  });
}
