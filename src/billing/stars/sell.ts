/** Selling for Stars in a bot: an invoice in the chat, or a link, the only way to begin a subscription. */
import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Shop } from "../sales/offer.ts";
import { beginSale, type Sale } from "../sales/sale.ts";
import { type BotApiSettings, callBot } from "./bot-api.ts";
import { writePayload } from "./payload.ts";
import { provider } from "./till.ts";

export interface Order<Given> {
  readonly workspaceId: string;
  readonly userId: number;
  readonly code: string;
  readonly given: Given;
  /** As the messenger shows them: up to 32 and 255 characters. */
  readonly title: string;
  readonly description: string;
}

export type Refused = {
  readonly ok: false;
  readonly code: "not_sold" | "too_many_purchases" | "provider_unheard";
};

export interface StarsInvoice {
  readonly title: string;
  readonly description: string;
  readonly payload: string;
  readonly label: string;
  readonly amount: number;
  readonly currency: "XTR";
}

export interface StarsSales<Given> {
  /** Begins a sale within the caller's transaction; its bot sends the invoice. */
  invoice(
    tx: Transaction,
    order: Order<Given>,
  ): Promise<{ readonly ok: true; readonly invoice: StarsInvoice } | Refused>;
  /** Begins a subscription; a repeat before it is paid may return another link of the same sale. */
  subscriptionLink(order: Order<Given>): Promise<{ readonly ok: true; readonly url: string } | Refused>;
}

/** The only period that Telegram has. */
const month = { days: 30, seconds: 2_592_000 } as const;

export function starsSales<Given>(
  shop: Shop<Given>,
  bot: string,
  { sql, clock, api }: { readonly sql: Sql; readonly clock: Clock; readonly api: BotApiSettings },
): StarsSales<Given> {
  const begin = (
    db: Sql | Transaction,
    { workspaceId, userId, code, given }: Order<Given>,
    recurring: boolean,
  ) =>
    beginSale(
      db,
      { workspaceId, userId, code, given, recurring, shop, provider, seller: bot, currency: "XTR" },
      clock.now(),
    );
  return {
    async invoice(tx, order) {
      const begun = await begin(tx, order, false);
      return begun.ok ? { ok: true, invoice: invoiceOf(begun.sale, order) } : begun;
    },
    async subscriptionLink(order) {
      const begun = await begin(sql, order, true);
      if (!begun.ok) return begun;
      if (begun.sale.period_days !== month.days) return { ok: false, code: "not_sold" };
      const { label, amount, ...invoice } = invoiceOf(begun.sale, order);
      const answer = await callBot(
        api,
        { workspaceId: order.workspaceId, bot },
        "createInvoiceLink",
        {
          ...invoice,
          ...{ provider_token: "", prices: [{ label, amount }], subscription_period: month.seconds },
        },
        z.string(),
      );
      return answer.kind === "ok"
        ? { ok: true, url: answer.result }
        : { ok: false, code: "provider_unheard" };
    },
  };
}

function invoiceOf(
  sale: Sale,
  { title, description }: Pick<Order<never>, "title" | "description">,
): StarsInvoice {
  return {
    ...{ title, description, payload: writePayload(sale), label: title },
    ...{ amount: sale.amount, currency: "XTR" as const },
  };
}
