import { type ManualClock, manualClock } from "../../../kernel/clock/index.ts";
import { connect, type Sql } from "../../../kernel/db/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import { createProviderClient } from "../../../kernel/outbound/index.ts";
import { aShop } from "../../testing/a-shop.ts";
import { createYooKassa } from "../client.ts";
import type { CardDeps } from "../deps.ts";
import { type CardSale, payByCard } from "../pay-by-card.ts";

export const shop = { id: "700", secretKey: "test_secret" };
const returnUrl = "https://t.me/a_bot";
const receipts = { vatCode: 1, paymentSubject: "service", paymentMode: "full_payment" };

/** What a separate process has to do, and when. */
export interface CardTask extends Wish {
  readonly what: "renew" | "pay";
  readonly databaseUrl: string;
  readonly apiRoot: string;
  readonly now: string;
}

/** The harness's dependencies, for another process. */
export function cardDepsOf({ databaseUrl, apiRoot, now }: CardTask) {
  const sql = connect({ url: databaseUrl, max: 2 });
  const { deps, http } = depsOver(sql, manualClock(new Date(now)), apiRoot);
  return {
    deps,
    async close() {
      await http.close();
      await sql.end({ timeout: 1 });
    },
  };
}

export function depsOver(sql: Sql, clock: ManualClock, apiRoot: string) {
  const http = createProviderClient({ defaultTimeoutMs: 2_000 });
  const deps: CardDeps = {
    ...{ sql, clock, receipts },
    log: silentLog,
    language: "ru",
    yookassa: createYooKassa({
      shop: { ...shop, apiRoot },
      http,
      pause: async () => {},
      requestTimeoutMs: 1_000,
    }),
  };
  return { deps, http };
}

export interface Wish {
  readonly workspaceId: string;
  readonly userId: number;
  readonly code?: string;
  readonly recurring?: boolean;
  readonly work?: string;
}

export const product = aShop();

/** A person taps the button that pays by card. */
export const tapPay = (
  deps: CardDeps,
  { workspaceId, userId, code = "starter", recurring = false, work = "article-1" }: Wish,
): Promise<CardSale> =>
  payByCard(deps, {
    ...{ workspaceId, userId, shop: product, code, recurring, returnUrl },
    given: { work },
  });

/** The payment behind a payment page's address. */
export const orderOf = (sale: CardSale): string => {
  if (sale.kind !== "pay") throw new Error(`there is nothing to pay: ${JSON.stringify(sale)}`);
  const id = new URL(sale.url).searchParams.get("orderId");
  if (id === null) throw new Error(`no payment in ${sale.url}`);
  return id;
};
