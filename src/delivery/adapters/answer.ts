import { z } from "zod";
import type { Carried } from "../dispatch/carry.ts";
import { storedError } from "../dispatch/carry.ts";
import { publicPageSchema } from "../dispatch/public-page.ts";

/** The specification's normalised error; the fields after `raw` are for the function that settles. */
const errorSchema = z.object({
  category: z.enum(["TRANSIENT", "PERMANENT"]),
  scope: z.enum(["delivery", "channel", "platform"]),
  code: z.string(),
  retry_after_ms: z.number().exactOptional(),
  message: z.string(),
  raw: z.unknown().describe("What the provider said, without secrets; null in the answer to a repeat"),
  migrate_to: z.string().exactOptional().describe("The id under which a group goes on as a supergroup"),
  payload_ref: z.string().exactOptional().describe("Where the provider's whole answer is kept"),
  reconciled: z.enum(["found", "absent"]).exactOptional(),
  late_ms: z.number().exactOptional(),
});

/** The adapter's response: the specification's output, or its normalised error. */
export const answerSchema = z
  .discriminatedUnion("outcome", [
    z.object({
      ok: z.literal(true),
      outcome: z.literal("sent"),
      provider_message_id: z.string(),
      url: z.string().exactOptional(),
      page: publicPageSchema.exactOptional(),
      raw: z.unknown(),
      reconciled: z
        .enum(["found", "absent"])
        .exactOptional()
        .describe("What looking for an earlier attempt found"),
      late_ms: z.number().exactOptional(),
    }),
    z.object({ ok: z.literal(false), outcome: z.literal("failed"), error: errorSchema }),
    z.object({
      ok: z.literal(false),
      outcome: z.literal("unknown").describe("It may have arrived: look before it is sent again"),
      error: errorSchema,
    }),
  ])
  .meta({ id: "AdapterAnswer" });

export type AdapterAnswer = z.infer<typeof answerSchema>;

export function answerOf({ outcome, payload_ref, page, ...besides }: Carried): AdapterAnswer {
  if (outcome.kind === "sent") {
    const { providerMessageId, url, raw } = outcome;
    return {
      ...{ ok: true, outcome: "sent", provider_message_id: providerMessageId, raw },
      ...(url && { url }),
      ...(page && { page }),
      ...besides,
    };
  }
  return {
    ok: false,
    outcome: outcome.kind,
    error: {
      ...storedError(outcome.error),
      raw: outcome.error.raw ?? null,
      ...(payload_ref && { payload_ref }),
      ...besides,
    },
  };
}

/** The part of an answer that is stored for repeats: without the provider's own text, which may hold personal data. */
export function keptAnswer(answer: AdapterAnswer): AdapterAnswer {
  return answer.ok ? answer : { ...answer, error: { ...answer.error, raw: null } };
}
