import type { z } from "zod";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { Outcome, SendContext } from "../contract.ts";
import { classifyRefusal, refusalShape } from "./classify.ts";
import type { UploadPolicy } from "./upload-policy.ts";

export interface MaxSettings {
  /** Without a trailing slash, such as `https://platform-api2.max.ru`. */
  readonly apiRoot: string;
  readonly uploadPolicy?: UploadPolicy;
  readonly notReadyWaitsMs?: readonly number[];
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export interface Connection {
  readonly settings: MaxSettings;
  readonly context: SendContext;
}

/** What a call that sends no post needs. */
export interface CallConnection {
  readonly settings: MaxSettings;
  readonly context: Pick<SendContext, "http" | "token" | "clock" | "signal">;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

export interface Call {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Call the MAX Bot API and read its result. */
export async function call<T>(
  { method, path, query, body }: Call,
  result: z.ZodType<T>,
  { settings, context }: CallConnection,
): Promise<Reply<T>> {
  const answer = await context.http.request({
    method,
    url: `${settings.apiRoot}${path}?${new URLSearchParams(query)}`,
    // The token stands alone: with "Bearer" before it, it is refused.
    headers: { authorization: context.token, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs: settings.requestTimeoutMs ?? 30_000,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);

  const parsed = jsonOf(answer);
  if (answer.status >= 300 || refusalShape.safeParse(parsed).success) {
    return { kind: "failed", error: classifyRefusal(answer, parsed, context.clock.now()) };
  }
  const read = result.safeParse(parsed);
  return read.success ? { kind: "ok", result: read.data } : unreadable(answer);
}

/** The query that names who receives: `user:42` is a person, anything else a chat or channel. */
export function recipientOf(targetId: string): Record<string, string> {
  const user = /^user:(.+)$/.exec(targetId)?.[1];
  return user === undefined ? { chat_id: targetId } : { user_id: user };
}
