import { z } from "zod";
import type { Compiled, Outcome, PlatformDefinition } from "../../platforms/index.ts";

/** For a post that is a page: from when on everybody can open it. Settling such a delivery schedules the read back. */
export const publicPageSchema = z.object({
  public_from: z.string().describe("From when on everybody can open the page"),
});

export type PublicPage = z.infer<typeof publicPageSchema>;

/** Undefined if the post is no page or is not public: nobody can read a draft. */
export function publicPage(
  outcome: Outcome,
  compiled: Compiled,
  { pages }: PlatformDefinition,
  now: Date,
): PublicPage | undefined {
  if (outcome.kind !== "sent" || !outcome.url) return undefined;
  const from = pages?.publicFrom({ compiled, raw: outcome.raw }, now);
  return from && { public_from: from.toISOString() };
}
