import { z } from "zod";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { Outcome, SendContext } from "../contract.ts";
import { classifyRefusal, refusalShape } from "./classify.ts";

export interface TelegramSettings {
  /** Without a trailing slash, such as `https://api.telegram.org`. */
  readonly apiRoot: string;
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

/** Call one method of the Bot API and read its result. A form carries files, anything else goes as JSON. */
export async function call<T>(
  method: string,
  body: Readonly<Record<string, unknown>> | FormData,
  result: z.ZodType<T>,
  { settings, context }: Connection,
): Promise<Reply<T>> {
  const isForm = body instanceof FormData;
  const answer = await context.http.request({
    method: "POST",
    url: `${settings.apiRoot}/bot${context.token}/${method}`,
    body: isForm ? body : JSON.stringify(body),
    timeoutMs: isForm ? (settings.uploadTimeoutMs ?? 120_000) : (settings.requestTimeoutMs ?? 30_000),
    ...(!isForm && { headers: { "content-type": "application/json" } }),
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);

  const parsed = jsonOf(answer);
  const refused = answer.status >= 300 || refusalShape.safeParse(parsed).success;
  if (refused) return { kind: "failed", error: classifyRefusal(answer, parsed, context.clock.now()) };
  const success = z.object({ ok: z.literal(true), result }).safeParse(parsed);
  return success.success ? { kind: "ok", result: success.data.result } : unreadable(answer);
}

export interface Connection {
  readonly settings: TelegramSettings;
  readonly context: SendContext;
}
