import type { CardDeps, PaymentRef } from "./deps.ts";
import { keptRequest } from "./request.ts";
import { sendRequest } from "./send-request.ts";
import { addresseeOf, failPayment, settleCardPayment } from "./settle.ts";
import type { CardPayment } from "./shapes.ts";

const hour = 3_600_000;
/** YooKassa remembers a key for a day; it is not used in the last hour. */
const repeatWithinMs = 23 * hour;
const lookBackMs = 26 * hour;

/** Checks payments without an end: the notification, the answer, or the process that waited for it was lost. */
export async function reconcileCardPayments(deps: CardDeps): Promise<number> {
  const { sql, clock, log } = deps;
  const refs = await sql<PaymentRef[]>`
    select workspace_id as "workspaceId", payment_id as "paymentId" from billing.take_card_payments(p_now => ${clock.now()})`;
  for (const ref of refs) {
    try {
      await reconcile(deps, ref);
    } catch (error) {
      // The other payments are still checked; this one is retried.
      log.error({ err: error, ...ref }, "a payment by card could not be looked at");
    }
  }
  return refs.length;
}

async function reconcile(deps: CardDeps, ref: PaymentRef): Promise<void> {
  const { sql, yookassa, clock } = deps;
  const [payment] = await sql<Waiting[]>`
    select p.charge_id as "chargeId", p.renews is not null as "isRenewal", s.status as "subscriptionStatus",
      w.status = 'active' as "mayCharge"
    from billing.payments p
    join workspaces.workspaces w using (workspace_id)
    left join billing.subscriptions s on s.workspace_id = p.workspace_id and s.id = p.subscription
    where p.workspace_id = ${ref.workspaceId} and p.id = ${ref.paymentId} and p.status = 'pending'`;
  if (!payment) return;
  if (payment.chargeId !== null) {
    const known = await yookassa.payment(payment.chargeId);
    if (known.kind === "ok") await settleCardPayment(deps, known.value);
    return;
  }
  if (payment.isRenewal && !payment.mayCharge) return;
  const request = await keptRequest(sql, ref);
  if (!request) return;
  const age = clock.now().getTime() - request.created_at.getTime();
  // A failed request is not repeated if the person has cancelled or paid otherwise meanwhile.
  const isWanted = !payment.isRenewal || payment.subscriptionStatus === "active";
  if (isWanted && age < repeatWithinMs) await sendRequest(deps, ref);
  else await findOrGiveUp(deps, ref, request.created_at);
}

interface Waiting {
  readonly chargeId: string | null;
  readonly isRenewal: boolean;
  readonly subscriptionStatus: string | null;
  /** Nobody is charged without a tap while the workspace is paused. */
  readonly mayCharge: boolean;
}

/** After its key has expired, a payment is found by its metadata. */
async function findOrGiveUp(deps: CardDeps, ref: PaymentRef, askedAt: Date): Promise<void> {
  const found = await find(deps, ref, askedAt);
  if (found === "unheard") return;
  if (!found) {
    await failPayment(deps.sql, ref, "not_created", deps.clock.now());
    return;
  }
  await deps.sql`select billing.name_charge(${ref.workspaceId}, ${ref.paymentId}, ${found.id})`;
  await settleCardPayment(deps, found);
}

async function find(
  { yookassa }: CardDeps,
  ref: PaymentRef,
  askedAt: Date,
): Promise<CardPayment | "unheard" | undefined> {
  const since = new Date(askedAt.getTime() - hour);
  const until = new Date(askedAt.getTime() + lookBackMs);
  let cursor: string | undefined;
  do {
    const page = await yookassa.payments({ since, until, cursor });
    if (page.kind !== "ok") return "unheard";
    const found = page.value.items.find((payment) => {
      const to = addresseeOf(payment);
      return to?.workspace_id === ref.workspaceId && to.payment_id === ref.paymentId;
    });
    if (found) return found;
    cursor = page.value.next_cursor;
  } while (cursor !== undefined);
  return undefined;
}

/** Records refunds of the last day whose notification was lost. */
export async function reconcileCardRefunds(deps: CardDeps): Promise<void> {
  const { yookassa, clock } = deps;
  const since = new Date(clock.now().getTime() - lookBackMs);
  const payments = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await yookassa.refundsSince(since, cursor);
    if (page.kind !== "ok") return;
    for (const { status, payment_id } of page.value.items)
      if (status === "succeeded") payments.add(payment_id);
    cursor = page.value.next_cursor;
  } while (cursor !== undefined);
  for (const id of payments) {
    const payment = await yookassa.payment(id);
    if (payment.kind === "ok") await settleCardPayment(deps, payment.value);
  }
}

/** Requests contain contacts; those that can no longer be repeated are deleted. */
export async function forgetCardRequests({ sql, clock }: Pick<CardDeps, "sql" | "clock">): Promise<void> {
  await sql`select billing.forget_card_requests(${clock.now()})`;
}
