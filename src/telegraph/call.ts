import { z } from "zod";
import type { Clock } from "../kernel/clock/index.ts";
import type { HttpAnswer, HttpClient } from "../kernel/outbound/index.ts";
import type { Failure } from "./result.ts";

export interface CallDeps {
  /** Without a trailing slash, such as `https://api.telegra.ph`. */
  readonly apiRoot: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Waits, or ends early when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly requestTimeoutMs?: number;
}

/** How long the whole call may take. */
export interface Patience {
  readonly deadline: Date;
  readonly signal?: AbortSignal;
}

export type Reply<T> =
  | { readonly kind: "ok"; readonly result: T }
  /** Telegraph refused; a retry would not help. */
  | { readonly kind: "failed"; readonly failure: Failure }
  /** A temporary failure. `mayBeDone` tells whether the call may have taken effect. */
  | { readonly kind: "trouble"; readonly mayBeDone: boolean; readonly detail: string };

/** Calls a method and reads its result. Waits as long as Telegraph demands, within the deadline. */
export async function call<T>(
  deps: CallDeps,
  method: string,
  params: Readonly<Record<string, unknown>>,
  result: z.ZodType<T>,
  patience: Patience,
): Promise<Reply<T>> {
  for (;;) {
    const reply = await once(deps, method, params, result, patience);
    if (reply.kind !== "wait") return reply;
    if (reply.ms > timeLeft(deps, patience) || patience.signal?.aborted)
      return { kind: "failed", failure: { code: "busy", retryAfterMs: reply.ms } };
    await deps.pause(reply.ms, patience.signal);
  }
}

/** For calls that are safe to repeat. */
export async function twice<T>(work: () => Promise<Reply<T>>): Promise<Reply<T>> {
  const first = await work();
  return first.kind === "trouble" ? work() : first;
}

const envelope = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.string() }),
]);

async function once<T>(
  deps: CallDeps,
  method: string,
  params: Readonly<Record<string, unknown>>,
  result: z.ZodType<T>,
  patience: Patience,
): Promise<Reply<T> | { readonly kind: "wait"; readonly ms: number }> {
  const timeoutMs = Math.min(deps.requestTimeoutMs ?? 30_000, timeLeft(deps, patience));
  if (timeoutMs <= 0 || patience.signal?.aborted)
    return { kind: "trouble", mayBeDone: false, detail: "the time for it was over" };
  const answer = await deps.http.request({
    method: "POST",
    url: `${deps.apiRoot}/${method}`,
    // Raw UTF-8: escaped, each Russian letter would take six bytes of the limit instead of two.
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(params),
    timeoutMs,
    ...(patience.signal && { signal: patience.signal }),
  });
  if (answer.kind === "failure")
    return { kind: "trouble", mayBeDone: answer.mayHaveArrived, detail: answer.message };
  const read = envelope.safeParse(jsonOf(answer));
  if (!read.success) return fromGateway(answer);
  if (!read.data.ok) return refusalOf(read.data.error);
  const parsed = result.safeParse(read.data.result);
  if (parsed.success) return { kind: "ok", result: parsed.data };
  return { kind: "trouble", mayBeDone: true, detail: `${method} answered something unreadable` };
}

/** An HTML page of the web server. Below 500 it refuses the request, and a retry would be refused as well. */
function fromGateway({ status }: HttpAnswer): Reply<never> {
  if (status >= 400 && status < 500)
    return { kind: "failed", failure: { code: "refused", providerCode: `HTTP ${status}` } };
  return { kind: "trouble", mayBeDone: true, detail: `HTTP ${status}` };
}

function refusalOf(code: string): Reply<never> | { readonly kind: "wait"; readonly ms: number } {
  const seconds = /^FLOOD_WAIT_(\d+)$/.exec(code)?.[1];
  // A second more than demanded: Telegraph punishes a wait that ends too early with a longer one.
  if (seconds !== undefined) return { kind: "wait", ms: (Number(seconds) + 1) * 1000 };
  if (code === "PAGE_SAVE_FAILED") return { kind: "trouble", mayBeDone: true, detail: code };
  if (code === "CONTENT_TEXT_REQUIRED") return { kind: "failed", failure: { code: "empty" } };
  const isForeign = code === "PAGE_ACCESS_DENIED" || code === "PAGE_NOT_FOUND";
  return { kind: "failed", failure: { code: isForeign ? "not_editable" : "refused", providerCode: code } };
}

function timeLeft({ clock }: CallDeps, { deadline }: Patience): number {
  return deadline.getTime() - clock.now().getTime();
}

function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Telegraph also answers with HTML; the caller decides what that means.
    return undefined;
  }
}
