import { z } from "zod";
import { defineTask, type Task, type TaskContext } from "../../kernel/jobs/index.ts";

/** The outcomes of a sale, as its product receives them. */
export const outcomeKinds = [
  "paid",
  "renewed",
  "refused",
  "failed",
  "refunded",
  "referral_bonus",
  "renewal_soon",
  "renewal_failed",
  "paused",
  "cancelled",
  "resumed",
  "ended",
] as const;

/** Written by `billing.tell_seller`. `user_id` is the person to tell: for a referral bonus, the referrer. */
export const outcomeSchema = z.object({
  kind: z.enum(outcomeKinds),
  workspace_id: z.string(),
  sale_id: z.int(),
  user_id: z.int(),
  product: z.string(),
  package: z.string(),
  provider: z.string(),
  seller: z.string(),
  recurring: z.boolean(),
  at: z.string(),
  payment_id: z.int().nullish(),
  subscription_id: z.int().nullish(),
  tokens: z.int().nullish(),
  amount: z.number().nullish(),
  currency: z.string().nullish(),
  /** The end of the paid period, for what lasts a time. */
  until: z.string().nullish(),
  balance: z.int().nullish(),
  fault: z.string().nullish(),
  reason: z.string().nullish(),
  refunded: z.number().nullish(),
  refunded_tokens: z.int().nullish(),
});
export type SaleOutcome = z.infer<typeof outcomeSchema>;

/** The job by which a product receives the outcome of its sale; `given` is what it passed when it began the sale. */
export interface OutcomeTask<Given> extends Task<{ given: Given; outcome: SaleOutcome }> {
  checkGiven(given: unknown): Given;
}

export interface OutcomeTaskSpec<Given> {
  readonly name: string;
  /** Schema of the product's own data of a sale, such as the work that waits for tokens; returned with each outcome. */
  readonly given: z.ZodType<Given, Given>;
  /** May run twice, like any job. */
  readonly run: (
    job: { readonly given: NoInfer<Given>; readonly outcome: SaleOutcome },
    context: TaskContext,
  ) => Promise<void>;
}

/**
 * @example
 * const sold = defineOutcomeTask({
 *   name: "seo.sold",
 *   given: z.object({ chat: z.string(), unfinished: z.string().nullable() }),
 *   run: async ({ given, outcome }) => (outcome.kind === "paid" ? offerToGoOn(given, outcome) : tell(given, outcome)),
 * });
 */
export function defineOutcomeTask<Given>({ name, given, run }: OutcomeTaskSpec<Given>): OutcomeTask<Given> {
  const task = defineTask({ name, schema: z.object({ given, outcome: outcomeSchema }), run });
  const onlyGiven = defineTask({ name, schema: given, run: async () => {} });
  return { ...task, checkGiven: onlyGiven.check };
}
