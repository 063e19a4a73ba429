import { z } from "zod";
import { defineTask, type Task, type TaskContext } from "../../kernel/jobs/index.ts";

/** The outcomes with which an addressed delivery can end. */
export const deliveryOutcomes = [
  "sent",
  "refused",
  "failed",
  "dead",
  "cancelled",
  "stale_dropped",
  "deduped",
  "channel_deleted",
] as const;

/** What a product is told when its delivery has ended; written by `delivery.tell_product`. */
export const deliveryEndSchema = z.object({
  workspace_id: z.string(),
  delivery_id: z.string(),
  channel_id: z.string(),
  message_id: z.string(),
  user: z.string(),
  run: z.string(),
  step: z.string(),
  outcome: z.enum(deliveryOutcomes),
  /** Not known to be sent, but a part of it may have arrived. */
  in_doubt: z.boolean(),
  /** Above 1 if an operator sent it again and the outcome changed, or if errors were found on its page. */
  times_told: z.int(),
  url: z.string().nullable(),
  provider_message_id: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /**
   * For a post that was sent: the errors on its page, once it was read. Told separately from the end, once, and only if there
   * are any.
   */
  page: z
    .object({ url: z.string(), findings: z.array(z.looseObject({ code: z.string(), message: z.string() })) })
    .nullable(),
});
export type DeliveryEnd = z.infer<typeof deliveryEndSchema>;

/** The job that tells a product how its delivery ended; `given` is what the product passed when it published. */
export interface EndTask<Given> extends Task<{ given: Given; end: DeliveryEnd }> {
  checkGiven(given: unknown): Given;
}

export interface EndTaskSpec<Given> {
  readonly name: string;
  /** The schema of what the product passes with its post and gets back with the end. */
  readonly given: z.ZodType<Given, Given>;
  readonly maxAttempts?: number;
  /** May run twice, as any job; `end.times_told` distinguishes several ends of one delivery. */
  readonly run: (
    job: { readonly given: NoInfer<Given>; readonly end: DeliveryEnd },
    context: TaskContext,
  ) => Promise<void>;
}

/**
 * @example
 * const published = defineEndTask({
 *   name: "seo.published",
 *   given: z.object({ hold: z.string() }),
 *   run: async ({ given, end }) => (end.outcome === "sent" ? settle(given.hold) : giveBack(given.hold)),
 * });
 */
export function defineEndTask<Given>({ name, given, maxAttempts, run }: EndTaskSpec<Given>): EndTask<Given> {
  const schema = z.object({ given, end: deliveryEndSchema });
  const task = defineTask({ name, schema, run, ...(maxAttempts !== undefined && { maxAttempts }) });
  const onlyGiven = defineTask({ name, schema: given, run: async () => {} });
  return { ...task, checkGiven: onlyGiven.check };
}
