/** Stars as a provider: refunds, cancelling, and Telegram's list of transactions. */
import { z } from "zod";
import type { PaymentProvider, ProviderPayment } from "../providers/provider.ts";
import { type BotApiSettings, callBot } from "./bot-api.ts";
import { provider } from "./till.ts";

const partner = z.object({ type: z.string(), transaction_type: z.string().optional() });
const transactions = z.object({
  transactions: z.array(
    z.object({
      ...{ id: z.string(), amount: z.int(), date: z.int() },
      ...{ source: partner.optional(), receiver: partner.optional() },
    }),
  ),
});
const done = z.literal(true);
const pageSize = 100;
/** A bot with more transactions than this needs another way to read them. */
const mostPages = 2_000;

export function starsProvider(api: BotApiSettings): PaymentProvider {
  return {
    name: provider,
    async refund({ workspaceId, seller, userId, chargeId, isWhole, amount, refundedAfter }) {
      if (!isWhole || amount !== refundedAfter)
        return { kind: "refused", reason: "Stars go back only as a whole: refund all of the payment." };
      if (seller === null) return { kind: "refused", reason: "Which bot got the Stars is not known." };
      const answer = await callBot(
        api,
        { workspaceId, bot: seller },
        "refundStarPayment",
        { user_id: userId, telegram_payment_charge_id: chargeId },
        done,
      );
      if (answer.kind === "refused" && answer.reason.includes("CHARGE_ALREADY_REFUNDED"))
        return { kind: "done" };
      return answered(answer);
    },
    async setRecurring({ workspaceId, seller, userId, chargeId }, on) {
      const fields = { user_id: userId, telegram_payment_charge_id: chargeId, is_canceled: !on };
      const bot = { workspaceId, bot: seller };
      return answered(await callBot(api, bot, "editUserStarSubscription", fields, done));
    },
    async payments(workspaceId, sellers, since) {
      const found: ProviderPayment[] = [];
      for (const bot of sellers) {
        const told = await paymentsOf(workspaceId, bot, since);
        if ("trouble" in told) return told;
        found.push(...told);
      }
      return found;
    },
  };

  /** The oldest come first, so all of them are read. */
  async function paymentsOf(
    workspaceId: string,
    bot: string,
    since: Date,
  ): Promise<ProviderPayment[] | { readonly trouble: string }> {
    const paid = new Map<string, { amount: number; at: Date; refunded: number }>();
    for (let page = 0; page < mostPages; page += 1) {
      const fields = { offset: page * pageSize, limit: pageSize };
      const answer = await callBot(api, { workspaceId, bot }, "getStarTransactions", fields, transactions);
      if (answer.kind !== "ok") return { trouble: answer.reason };
      for (const { id, amount, date, source, receiver } of answer.result.transactions) {
        const at = new Date(date * 1_000);
        if (source?.transaction_type === "invoice_payment") paid.set(id, { amount, at, refunded: 0 });
        const given = receiver?.transaction_type === "invoice_payment" ? paid.get(id) : undefined;
        if (given) given.refunded = amount;
      }
      if (answer.result.transactions.length < pageSize) break;
    }
    return [...paid]
      .filter(([, { at }]) => at >= since)
      .map(([chargeId, one]) => ({ chargeId, currency: "XTR", ...one }));
  }
}

function answered(answer: Awaited<ReturnType<typeof callBot>>) {
  if (answer.kind === "ok") return { kind: "done" as const };
  return answer.kind === "refused"
    ? { kind: "refused" as const, reason: answer.reason }
    : { kind: "unknown" as const, reason: answer.reason };
}
