import { writePayload } from "../../src/billing/stars/payload.ts";
import { starsTill } from "../../src/billing/stars/till.ts";
import { aShop } from "../../src/billing/testing/a-shop.ts";
import { aSale, aSubscriptionSale } from "../../src/billing/testing/builders.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { Sql } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { type Connections, type Place, picked } from "./ledger-connections.ts";
import * as model from "./ledger-model.ts";
import type { LedgerOperation } from "./ledger-operation.ts";

interface StarsSale {
  readonly id: number;
  readonly recurring: boolean;
  readonly sold: Pick<model.Payment, "user" | "tokens" | "bonus" | "rub">;
  /** By their number: a sale that is paid for once has one charge. */
  readonly charges: Map<number, model.Payment>;
}

/** What Telegram tells of Stars: again, in any order, of money that went back before it was told that it came. */
export function starsSold({ answered, atOnce }: Connections, { workspaceId, books, referrerOf }: Place) {
  const sales: StarsSale[] = [];
  const till = (sql: Sql) =>
    starsTill({ sql, clock: systemClock, log: silentLog, shop: aShop(), telegram: {} });

  function chargeOf(sale: StarsSale, number: number) {
    const { user: userId, rub: amount } = sale.sold;
    const { id, recurring } = sale;
    const name = { id, recurring, user_id: userId, package: recurring ? "pro" : "starter" };
    return {
      ...{ userId, amount, currency: "XTR", payload: writePayload(name), chargeId: `stars-${id}-${number}` },
      ...(recurring && { expiresAt: new Date(Date.UTC(2030, number, 1)), isFirst: number === 0 }),
    };
  }

  function came(sale: StarsSale, number: number): model.Payment {
    const payment = sale.charges.get(number) ?? model.unpaid(sale.sold);
    sale.charges.set(number, payment);
    model.pay(books, payment, referrerOf(payment.user));
    return payment;
  }

  return {
    async offer({ user, tokens, pick }: LedgerOperation): Promise<void> {
      const sold = { user, tokens: tokens + 5, bonus: tokens % 5, rub: tokens * 10 };
      const recurring = pick % 3 === 0;
      const terms = { userId: user, provider: "stars", ...sold, stars: sold.rub };
      // Nobody is told of an invoice that was lost on the way, so the one that was answered is the one that is paid.
      const id = await answered((sql) => (recurring ? aSubscriptionSale : aSale)(sql, workspaceId, terms));
      if (id !== undefined) sales.push({ id, recurring, sold, charges: new Map() });
    },
    async charge(operation: LedgerOperation): Promise<void> {
      const sale = picked(sales, operation.pick);
      if (!sale) return;
      const number = sale.recurring ? operation.tokens % 6 : 0;
      await atOnce(operation, (sql) => till(sql).paid(workspaceId, chargeOf(sale, number)));
      came(sale, number);
    },
    async giveBack(operation: LedgerOperation): Promise<void> {
      const sale = picked(sales, operation.pick);
      if (!sale) return;
      const number = sale.recurring ? operation.tokens % 6 : 0;
      const charge = chargeOf(sale, number);
      await Promise.all([
        atOnce(operation, (sql) => till(sql).refunded(workspaceId, charge)),
        answered((sql) => till(sql).paid(workspaceId, charge)),
      ]);
      const payment = came(sale, number);
      model.takeMoneyBack(books, payment, payment.rub);
    },
  };
}
