import { z } from "zod";
import { databaseError } from "./database-error.ts";

/** Why the books refuse a transfer: the message of the exception that their functions raise. */
export const refusalCodes = [
  "insufficient_balance",
  "amount_not_positive",
  "balance_too_large",
  "key_reused",
  "hold_ended",
  "hold_only_lowers",
  "hold_unknown",
  "operation_unknown",
  "payment_faulty",
  "payment_not_completed",
  "payment_unknown",
  "reason_missing",
  "refund_exceeds_payment",
  "sale_unknown",
  "user_unknown",
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** Nothing was moved. `sentence` says why. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly sentence: string;
}

export interface ShortOfTokens {
  readonly balance: number;
  readonly needed: number;
}

const shortage = z.object({ balance: z.int(), needed: z.int() });

/** The refusal behind a failed statement, if the books refused it. */
export function refusalOf(error: unknown): Refusal | undefined {
  const read = databaseError(error);
  const code = refusalCodes.find((each) => each === read?.message);
  if (!read || !code) return undefined;
  const short = code === "insufficient_balance" ? shortageOf(error) : undefined;
  return {
    code,
    sentence: short
      ? `${short.needed} tokens are needed, there are ${short.balance}.`
      : (read.detail ?? code),
  };
}

/** The balance and the needed tokens, if a statement failed because of them. */
export function shortageOf(error: unknown): ShortOfTokens | undefined {
  const read = databaseError(error);
  if (read?.message !== "insufficient_balance" || read.detail === undefined) return undefined;
  return shortage.parse(JSON.parse(read.detail));
}
