import { z } from "zod";

/** Parts of queries and paths that several routes share. */

/**
 * A moment as ISO 8601 with its offset, so that nobody has to guess a time zone. PostgreSQL has no year 0, and nothing here is
 * older than the Unix epoch.
 */
export const momentText = z.iso
  .datetime({ offset: true })
  // An invalid time (NaN) has been refused already.
  .refine((text) => !(Date.parse(text) < 0), "A time after 1970 is needed");

export const moment = momentText.transform((text) => new Date(text));

/** A comma-separated list of known words: `a,b,c`. */
export function wordsOf<const Words extends readonly string[]>(words: Words) {
  const list = z.array(z.enum(words));
  return z.string().transform((text, context) => {
    const parsed = list.safeParse(text.split(","));
    if (parsed.success) return parsed.data;
    context.addIssue(`One or several of ${words.join(", ")}, separated by commas`);
    return z.NEVER;
  });
}
