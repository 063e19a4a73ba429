import { contactOf } from "./contact.ts";
import { type CardDeps, type PaymentRef, provider } from "./deps.ts";
import { prepareRequest } from "./request.ts";
import { sendRequest } from "./send-request.ts";
import { failPayment } from "./settle.ts";

/**
 * `taken`: not due, or requested before: a period is charged once, by any number of processes.
 * `unknown`: the outcome is unknown; it is looked up, never charged a second time.
 */
export type Renewed = "charged" | "declined" | "pending" | "unknown" | "taken";

/** Charges the saved method of a subscription for its next period. */
export async function renew(
  deps: CardDeps,
  { workspaceId, subscriptionId }: { readonly workspaceId: string; readonly subscriptionId: number },
): Promise<Renewed> {
  const begun = await beginRenewal(deps, workspaceId, subscriptionId);
  if (begun === "taken" || begun === "declined") return begun;
  const sent = await sendRequest(deps, begun);
  if (sent.kind === "unknown") return "unknown";
  if (sent.kind === "refused") return "declined";
  const outcomes = { succeeded: "charged", canceled: "declined", pending: "pending" } as const;
  const { status } = sent.payment;
  return status === "waiting_for_capture" ? "pending" : outcomes[status];
}

/** The payment and its request in one transaction. What cannot be charged fails here, without a request to YooKassa. */
async function beginRenewal(
  deps: CardDeps,
  workspaceId: string,
  subscriptionId: number,
): Promise<PaymentRef | "taken" | "declined"> {
  const now = deps.clock.now();
  return deps.sql.begin(async (tx) => {
    const [payment] = await tx<
      { id: number | null; sale_id: number; user_id: number; method_id: string | null }[]
    >`
      select p.id, p.sale_id, p.user_id, p.method_id
      from billing.begin_renewal(${workspaceId}, ${subscriptionId}, ${now}) p`;
    if (!payment || payment.id === null) return "taken";
    const ref = { workspaceId, paymentId: payment.id };
    const { sale_id: saleId, method_id: methodId, user_id: userId } = payment;
    const hasReceipt = !deps.receipts || (await contactOf(tx, { workspaceId, userId })) !== undefined;
    if (methodId === null || !hasReceipt) {
      await failPayment(tx, ref, methodId === null ? "method_not_saved" : "contact_missing", now);
      return "declined";
    }
    await prepareRequest(deps, tx, { ...ref, saleId, how: { methodId } });
    return ref;
  });
}

interface Due {
  readonly workspaceId: string;
  readonly subscriptionId: number;
}

/** Renews every subscription whose period ends within the hour. Several processes may do it at once. */
export async function renewDue(deps: CardDeps): Promise<readonly Renewed[]> {
  const { sql, clock, log } = deps;
  const due = await sql<Due[]>`
    select workspace_id as "workspaceId", subscription_id as "subscriptionId"
    from billing.renewals_due(${provider}, p_now => ${clock.now()})`;
  const done: Renewed[] = [];
  for (const each of due) {
    try {
      done.push(await renew(deps, each));
    } catch (error) {
      // One failure must not delay the others; its payment is checked again.
      log.error({ err: error, ...each }, "a subscription could not be renewed");
    }
  }
  return done;
}

/** Tells people a day before they are charged. */
export async function warnOfRenewals({ sql, clock }: Pick<CardDeps, "sql" | "clock">): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select billing.warn_of_renewals(${provider}, p_now => ${clock.now()}) as count`;
  return row.count;
}
