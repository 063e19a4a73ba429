/** What the flows need to sell Pro and to manage what was bought. */
import {
  type Providers,
  paidUntil,
  type Refused,
  type StarsInvoice,
  type StarsSales,
  type Subscription,
  setRecurring,
  subscriptionOf,
} from "../../billing/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { texts } from "../texts/index.ts";
import { type Given, packageCode, product } from "./shop.ts";

export interface Buyer {
  readonly workspaceId: string;
  readonly userId: string;
  readonly language: "ru" | "en";
}

export interface ProSales {
  /** For thirty days. */
  readonly stars: number;
  invoice(tx: Transaction, buyer: Buyer): Promise<{ ok: true; invoice: StarsInvoice } | Refused>;
  link(buyer: Buyer): Promise<{ ok: true; url: string } | Refused>;
  subscription(buyer: Pick<Buyer, "workspaceId" | "userId">): Promise<Subscription | undefined>;
  /** The end of what is paid for; undefined when nothing is, or not any more. */
  paidUntil(buyer: Pick<Buyer, "workspaceId" | "userId">): Promise<Date | undefined>;
  /** False when Telegram did not do it. */
  setRecurring(buyer: Pick<Buyer, "workspaceId" | "userId">, on: boolean): Promise<boolean>;
}

export interface ProSalesDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly providers: Providers;
  readonly sales: StarsSales<Given>;
  readonly stars: number;
}

export function proSales({ sql, clock, providers, sales, stars }: ProSalesDeps): ProSales {
  const orderOf = ({ workspaceId, userId, language }: Buyer) => ({
    ...{ workspaceId, userId: Number(userId), code: packageCode, given: {} },
    title: texts[language].proOffer.title,
    description: texts[language].proOffer.description,
  });
  const find = ({ workspaceId, userId }: Pick<Buyer, "workspaceId" | "userId">) =>
    subscriptionOf(sql, { workspaceId, userId: Number(userId), product });
  return {
    stars,
    invoice: (tx, buyer) => sales.invoice(tx, orderOf(buyer)),
    link: (buyer) => sales.subscriptionLink(orderOf(buyer)),
    subscription: find,
    async paidUntil({ workspaceId, userId }) {
      const until = await paidUntil(sql, { workspaceId, userId: Number(userId), product });
      return until && until > clock.now() ? until : undefined;
    },
    async setRecurring(buyer, on) {
      const found = await find(buyer);
      if (!found) return false;
      const answer = await setRecurring({ sql, clock, providers }, buyer.workspaceId, found, on);
      return answer.kind === "done";
    },
  };
}
