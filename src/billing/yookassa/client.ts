import type { z } from "zod";
import type { HttpAnswer, HttpClient } from "../../kernel/outbound/index.ts";
import {
  type CardPayment,
  type CardRefund,
  cardPaymentShape,
  cardRefundShape,
  errorShape,
  listOf,
} from "./shapes.ts";

/** A shop at YooKassa. */
export interface Shop {
  readonly id: string;
  readonly secretKey: string;
  /** Without a trailing slash, such as `https://api.yookassa.ru/v3`. */
  readonly apiRoot: string;
}

export interface ClientDeps {
  readonly shop: Shop;
  readonly http: HttpClient;
  readonly pause: (ms: number) => Promise<void>;
  readonly requestTimeoutMs?: number | undefined;
}

export type Reply<T> =
  | { readonly kind: "ok"; readonly value: T }
  /** YooKassa did not do it, and will not. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: string;
      readonly reason: string;
      readonly parameter?: string | undefined;
    }
  /** The outcome is unknown: a repeat with the same key is not done twice. */
  | { readonly kind: "trouble"; readonly mayBeDone: boolean; readonly reason: string };

/**
 * A request with an idempotency key. Its body stays the same however often it is sent: YooKassa refuses the same key
 * with another body.
 */
export interface KeyedRequest {
  readonly key: string;
  readonly body: string;
}

export interface PaymentsQuery {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly status?: CardPayment["status"] | undefined;
  readonly cursor?: string | undefined;
}

export interface YooKassa {
  readonly shopId: string;
  createPayment(request: KeyedRequest): Promise<Reply<CardPayment>>;
  createRefund(request: KeyedRequest): Promise<Reply<CardRefund>>;
  payment(id: string): Promise<Reply<CardPayment>>;
  refund(id: string): Promise<Reply<CardRefund>>;
  /** One page, the newest first. */
  payments(query: PaymentsQuery): Promise<Reply<{ items: CardPayment[]; next_cursor?: string | undefined }>>;
  refundsOf(paymentId: string): Promise<Reply<{ items: CardRefund[] }>>;
  /** The newest first. */
  refundsSince(
    since: Date,
    cursor?: string,
  ): Promise<Reply<{ items: CardRefund[]; next_cursor?: string | undefined }>>;
}

/** Waits before retries with the same key. */
const pausesMs = [500, 2_000];
const timeoutMs = 20_000;

export function createYooKassa(deps: ClientDeps): YooKassa {
  const get = <S extends z.ZodType>(path: string, shape: S) =>
    patiently(deps, () => call(deps, "GET", path, shape));
  const post = <S extends z.ZodType>(path: string, request: KeyedRequest, shape: S) =>
    patiently(deps, () => call(deps, "POST", path, shape, request));
  return {
    shopId: deps.shop.id,
    createPayment: (request) => post("/payments", request, cardPaymentShape),
    createRefund: (request) => post("/refunds", request, cardRefundShape),
    payment: (id) => get(`/payments/${encodeURIComponent(id)}`, cardPaymentShape),
    refund: (id) => get(`/refunds/${encodeURIComponent(id)}`, cardRefundShape),
    payments: ({ since, until, status, cursor }) =>
      get(
        `/payments?${queryOf({
          limit: "100",
          "created_at.gte": since.toISOString(),
          "created_at.lt": until?.toISOString(),
          status,
          cursor,
        })}`,
        listOf(cardPaymentShape),
      ),
    refundsOf: (paymentId) =>
      get(`/refunds?${queryOf({ limit: "100", payment_id: paymentId })}`, listOf(cardRefundShape)),
    refundsSince: (since, cursor) =>
      get(
        `/refunds?${queryOf({ limit: "100", "created_at.gte": since.toISOString(), cursor })}`,
        listOf(cardRefundShape),
      ),
  };
}

async function patiently<T>({ pause }: ClientDeps, ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
  let reply = await ask();
  let mayBeDone = false;
  for (const ms of pausesMs) {
    if (reply.kind !== "trouble") break;
    mayBeDone ||= reply.mayBeDone;
    await pause(ms);
    reply = await ask();
  }
  // An earlier attempt may have succeeded even if the last one did not arrive.
  return reply.kind === "trouble" ? { ...reply, mayBeDone: mayBeDone || reply.mayBeDone } : reply;
}

async function call<S extends z.ZodType>(
  { shop, http, requestTimeoutMs = timeoutMs }: ClientDeps,
  method: "GET" | "POST",
  path: string,
  shape: S,
  request?: KeyedRequest,
): Promise<Reply<z.output<S>>> {
  const answer = await http.request({
    method,
    url: `${shop.apiRoot}${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${shop.id}:${shop.secretKey}`).toString("base64")}`,
      ...(request && { "content-type": "application/json", "idempotence-key": request.key }),
    },
    ...(request && { body: request.body }),
    timeoutMs: requestTimeoutMs,
  });
  if (answer.kind === "failure")
    return { kind: "trouble", mayBeDone: answer.mayHaveArrived, reason: answer.message };
  const body = jsonOf(answer);
  if (answer.status === 200) {
    const read = shape.safeParse(body);
    if (read.success) return { kind: "ok", value: read.data };
    return { kind: "trouble", mayBeDone: true, reason: "YooKassa answered something unreadable" };
  }
  return refusalOf(answer.status, body);
}

/** After 500 or 202, by which YooKassa asks to retry, the outcome is unknown; a request with 429 was not processed. */
function refusalOf(status: number, body: unknown): Reply<never> {
  const read = errorShape.safeParse(body);
  if (status === 429) return { kind: "trouble", mayBeDone: false, reason: "YooKassa is asked too often" };
  if (status < 400 || status >= 500 || !read.success)
    return { kind: "trouble", mayBeDone: true, reason: `YooKassa answered HTTP ${status}` };
  const { code, description, parameter } = read.data;
  const reason = [description || code, parameter && `(${parameter})`].filter(Boolean).join(" ");
  return { kind: "refused", status, code, reason, parameter };
}

function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // HTML of a proxy: the status decides.
    return undefined;
  }
}

function queryOf(fields: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) query.set(name, value);
  return query;
}
