import { z } from "zod";
import { momentFrom } from "../../terminal/index.ts";
import { correctionKinds } from "../corrections/correction.ts";
import { correctionReasons, isCorrectionReason } from "../corrections/correction-reasons.ts";
import { errorLine, filledSentence } from "./filled-sentence.ts";

/** `corrections` in the details of `delivery.why`. */
const factsSchema = z.array(
  z.object({
    kind: z.enum(correctionKinds),
    reason: z.string().refine(isCorrectionReason),
    expected_at: z.coerce.date().optional(),
    details: z.record(z.string(), z.unknown()),
  }),
);

/** What is still to be done to a post after it was sent, or what failed: a label and a sentence for each. */
export function correctionLines(corrections: unknown, now: Date): [string, string][] {
  const known = factsSchema.safeParse(corrections).data ?? [];
  return known.map(({ kind, reason, expected_at, details }) => [
    kind === "edit" ? "correction" : "removal",
    [
      `${reason}: ${filledSentence(correctionReasons[reason].en, details)}`,
      ...(expected_at ? [`Expected ${momentFrom(expected_at, now)}.`] : []),
      ...(details.error ? [errorLine(details.error)] : []),
    ].join(" "),
  ]);
}
