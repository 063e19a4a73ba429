import assert from "node:assert/strict";
import { aSale, aSubscriptionSale } from "../../src/billing/testing/builders.ts";
import { type Settled, settleCardPayment } from "../../src/billing/yookassa/settle.ts";
import type { CardPayment } from "../../src/billing/yookassa/shapes.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { type Connections, type Place, picked } from "./ledger-connections.ts";
import * as model from "./ledger-model.ts";
import { type LedgerOperation, people } from "./ledger-operation.ts";

interface Card {
  readonly id: number;
  readonly saleId: number;
  readonly recurring: boolean;
  readonly payment: model.Payment;
  /** What YooKassa's object was at each moment; a notification may be acted on with any of these, however late. */
  readonly moments: CardPayment[];
  /** Another sum or another person than was sold to: it must credit nothing. */
  readonly isUnlikeSale: boolean;
  credits: number;
  isTold: boolean;
}

/** Payments at YooKassa and its notifications: again, late, overtaken by others, of money that is unlike its sale. */
export function cardsSold(
  { answered, atOnce, together }: Connections,
  { workspaceId, name, books, referrerOf }: Place,
) {
  const cards: Card[] = [];

  function begin(id: number, saleId: number, sold: Sold, recurring: boolean, pick: number): void {
    const isOtherSum = pick % 9 === 0;
    const isOtherPerson = pick % 9 === 1;
    const user = isOtherPerson ? 1 + (sold.user % people) : sold.user;
    const object: CardPayment = {
      ...{ id: `${name}-card-${id}`, status: "pending", paid: false, created_at: new Date() },
      amount: roubles(isOtherSum ? sold.rub - 1 : sold.rub),
      payment_method: { type: "bank_card", id: `method-${sold.user}`, saved: recurring },
      metadata: metadataOf({
        workspace_id: workspaceId,
        payment_id: id,
        sale_id: saleId,
        user_id: user,
      }),
    };
    cards.push({
      ...{ id, saleId, recurring, payment: model.unpaid(sold), moments: [object] },
      ...{ isUnlikeSale: isOtherSum || isOtherPerson, credits: 0, isTold: false },
    });
  }

  async function offer({ user, tokens, pick }: LedgerOperation): Promise<void> {
    const sold = { user, tokens: tokens + 5, bonus: tokens % 5, rub: tokens * 10 };
    const recurring = pick % 2 === 0;
    const sell = recurring ? aSubscriptionSale : aSale;
    const saleId = await answered((sql) => sell(sql, workspaceId, { userId: user, ...sold }));
    if (saleId === undefined) return;
    const [row] = await rows<{ id: number }>(
      (sql) => sql`select id from billing.expect_payment(${workspaceId}, ${saleId})`,
    );
    if (row) begin(row.id, saleId, sold, recurring, pick);
  }

  /** Something happens at YooKassa, of which nobody hears yet: paid, cancelled, a part given back. */
  async function move({ pick, tokens }: LedgerOperation): Promise<void> {
    const card = picked(cards, pick);
    const last = card?.moments.at(-1);
    if (!card || !last || last.status === "canceled") return;
    if (last.status === "pending" && tokens % 4 === 0)
      card.moments.push({
        ...{ ...last, status: "canceled" },
        cancellation_details: { party: "payment_network", reason: "insufficient_funds" },
      });
    else if (last.status === "pending") card.moments.push({ ...last, status: "succeeded", paid: true });
    else {
      const gone = last.refunded_amount?.value ?? 0;
      const all = Math.min(last.amount.value, gone + tokens + 0.5);
      if (all > gone) card.moments.push({ ...last, refunded_amount: roubles(all) });
    }
  }

  /** Notifications of two moments are acted on at once, each as often as YooKassa likes. */
  async function tell(operation: LedgerOperation): Promise<void> {
    const card = picked(cards, operation.pick);
    if (!card) return;
    const { moments } = card;
    const chosen = [operation.tokens, operation.tokens + operation.pick].map((at) => picked(moments, at));
    const told = chosen.filter((moment) => moment !== undefined);
    const outcomes = await Promise.all(
      told.map((moment) =>
        atOnce(operation, (sql) => settleCardPayment({ sql, clock: systemClock, log: silentLog }, moment)),
      ),
    );
    count(card, outcomes.flat());
    for (const moment of told) note(card, moment);
  }

  /** An answer may be lost with its connection, so there may be fewer of them than credits, never more. */
  function count(card: Card, outcomes: readonly (Settled | undefined)[]): void {
    card.credits += outcomes.filter((each) => each === "credited" || each === "renewed").length;
    assert.ok(
      card.credits <= (card.isUnlikeSale ? 0 : 1),
      `payment ${card.id} was credited ${card.credits} times`,
    );
  }

  function note(card: Card, { status, refunded_amount }: CardPayment): void {
    if (status === "pending") return;
    card.isTold = true;
    if (status === "canceled" || card.isUnlikeSale) return;
    model.pay(books, card.payment, referrerOf(card.payment.user));
    if (refunded_amount) model.takeMoneyBack(books, card.payment, refunded_amount.value);
  }

  const subscribed = () => cards.filter(({ recurring, payment }) => recurring && payment.paid);

  /** Several processes begin to charge for the next period; one payment comes of it, or none when the last one is not told yet. */
  async function renew(operation: LedgerOperation): Promise<void> {
    const card = picked(subscribed(), operation.pick);
    if (!card) return;
    const { saleId, payment } = card;
    await together(
      [
        (tx) => tx<{ answer: number | null }[]>`
          select (billing.begin_renewal(${workspaceId}, s.id, s.period_end)).id as answer
          from billing.subscriptions s where s.workspace_id = ${workspaceId} and s.sale_id = ${saleId}`,
      ],
      operation,
    );
    const begun = await rows<{ id: number }>(
      (sql) => sql`
        select id from billing.payments
        where workspace_id = ${workspaceId} and sale_id = ${saleId} and renews is not null`,
    );
    const known = new Set(cards.map(({ id }) => id));
    const fresh = begun.filter(({ id }) => !known.has(id));
    assert.ok(fresh.length <= 1, `${fresh.length} payments were begun for one period of sale ${saleId}`);
    const { user, tokens, bonus, rub } = payment;
    for (const { id } of fresh) begin(id, saleId, { user, tokens, bonus, rub }, true, operation.pick);
  }

  async function switchRecurring(operation: LedgerOperation): Promise<void> {
    const card = picked(subscribed(), operation.pick);
    if (!card) return;
    const status = operation.tokens % 3 === 0 ? "cancelled" : "active";
    await together(
      [
        (tx) => tx<{ answer: number | null }[]>`
          select billing.change_subscription(${workspaceId}, s.id, ${status})::int as answer
          from billing.subscriptions s where s.workspace_id = ${workspaceId} and s.sale_id = ${card.saleId}`,
      ],
      operation,
    );
  }

  async function check(): Promise<void> {
    const found = await rows<{ id: number; status: string; refunded: number }>(
      (sql) => sql`
        select id, status, refunded::float8 from billing.payments
        where workspace_id = ${workspaceId} and id = any(${cards.map(({ id }) => id)}) and fault is null order by id`,
    );
    const expected = cards
      .filter(({ isUnlikeSale, isTold, moments }) => !(isUnlikeSale && isTold && moments[1]?.paid))
      .map((card) => ({ id: card.id, status: statusOf(card), refunded: card.payment.refunded }))
      .toSorted((one, other) => one.id - other.id);
    assert.deepEqual([...found], expected);
  }

  const rows = async <Row>(ask: Parameters<typeof answered<readonly object[]>>[0]) =>
    ((await answered(ask)) ?? []) as readonly Row[];

  return { offer, move, tell, renew, switchRecurring, check };
}

type Sold = Pick<model.Payment, "user" | "tokens" | "bonus" | "rub">;

function statusOf({ isTold, payment }: Card): string {
  if (!isTold) return "pending";
  if (!payment.paid) return "failed";
  return payment.refunded === payment.rub ? "refunded" : "completed";
}

const roubles = (value: number) => ({ value, currency: "RUB" });

const metadataOf = (given: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value)]));
