import { z } from "zod";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { Outcome, SendContext } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import { classifyRefusal, refusalShape } from "./classify.ts";

export interface VkSettings {
  /** Without a trailing slash, such as `https://api.vk.ru`. */
  readonly apiRoot: string;
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export type CallContext = WithToken<Pick<SendContext, "http" | "clock" | "signal">>;

export interface Connection<Context = WithToken<SendContext>> {
  readonly settings: VkSettings;
  readonly context: Context;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

export type Params = Readonly<Record<string, string | number>>;

/** The API version whose answers are parsed here. */
export const version = "5.199";

/** Calls a method of the VK API and parses its result. Always by POST: a long text does not fit into a URL. */
export async function call<T>(
  method: string,
  params: Params,
  result: z.ZodType<T>,
  { settings, context }: Connection<CallContext>,
): Promise<Reply<T>> {
  const form = Object.entries({ ...params, v: version }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const answer = await context.http.request({
    method: "POST",
    url: `${settings.apiRoot}/method/${method}`,
    // In a header, because a refusal repeats the parameters.
    headers: {
      authorization: `Bearer ${context.token}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(form).toString(),
    timeoutMs: settings.requestTimeoutMs ?? 30_000,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);

  const parsed = jsonOf(answer);
  const read = answer.status < 300 ? z.object({ response: result }).safeParse(parsed) : undefined;
  if (read?.success) return { kind: "ok", result: read.data.response };
  return answer.status >= 300 || refusalShape.safeParse(parsed).success
    ? { kind: "failed", error: classifyRefusal(answer, parsed, context.clock.now()) }
    : unreadable(answer);
}
