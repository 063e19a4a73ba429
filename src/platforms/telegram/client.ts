import { z } from "zod";
import type { FormPart } from "../../kernel/outbound/index.ts";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { CheckContext, Outcome, SendContext } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import { classifyRefusal, refusalShape } from "./classify.ts";

export interface TelegramSettings {
  /** Without a trailing slash, such as `https://api.telegram.org`. */
  readonly apiRoot: string;
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

/** A form carries files; anything else is sent as JSON. */
export type Body =
  | { readonly json: Readonly<Record<string, unknown>> }
  | { readonly form: readonly FormPart[] };

/** Calls one method of the Bot API and parses its result. */
export async function call<T>(
  method: string,
  body: Body,
  result: z.ZodType<T>,
  { settings, context }: Connection<WithToken<CheckContext>>,
): Promise<Reply<T>> {
  const isForm = "form" in body;
  const answer = await context.http.request({
    method: "POST",
    url: `${settings.apiRoot}/bot${context.token}/${method}`,
    body: isForm ? body.form : JSON.stringify(body.json),
    timeoutMs: isForm ? (settings.uploadTimeoutMs ?? 120_000) : (settings.requestTimeoutMs ?? 30_000),
    ...(!isForm && { headers: { "content-type": "application/json" } }),
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);

  const parsed = jsonOf(answer);
  const refused = answer.status >= 300 || refusalShape.safeParse(parsed).success;
  if (refused) return { kind: "failed", error: classifyRefusal(answer, parsed, context.clock.now()) };
  const success = z.object({ result }).safeParse(parsed);
  return success.success ? { kind: "ok", result: success.data.result } : unreadable(answer);
}

export interface Connection<Context = WithToken<SendContext>> {
  readonly settings: TelegramSettings;
  readonly context: Context;
}
