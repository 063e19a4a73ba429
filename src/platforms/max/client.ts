import type { z } from "zod";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { MediaOrder, Outcome, SendContext } from "../contract.ts";
import type { WithToken } from "../token-credential.ts";
import { classifyRefusal, refusalShape } from "./classify.ts";
import { uploadRules } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import type { UploadPolicy } from "./upload-policy.ts";

export interface MaxSettings {
  /** Without a trailing slash, such as `https://platform-api2.max.ru`. */
  readonly apiRoot: string;
  readonly uploadPolicy?: UploadPolicy;
  readonly notReadyWaitsMs?: readonly number[];
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export interface Connection<Context = WithToken<SendContext>> {
  readonly settings: MaxSettings;
  readonly context: Context;
}

/** What a call needs if it sends no post. */
export type CallContext = WithToken<Pick<SendContext, "http" | "clock" | "signal">>;

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Call the MAX Bot API and read its result. */
export async function call<T>(
  { method, path, query, body }: Call,
  result: z.ZodType<T>,
  { settings, context }: Connection<CallContext>,
): Promise<Reply<T>> {
  const answer = await context.http.request({
    method,
    url: `${settings.apiRoot}${path}${Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : ""}`,
    // The token without a prefix: MAX refuses "Bearer".
    headers: { authorization: context.token, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs: settings.requestTimeoutMs ?? 30_000,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);

  const parsed = jsonOf(answer);
  // The expected result is tried first: an answer that contains it is a success, whatever else is in it.
  const read = answer.status < 300 ? result.safeParse(parsed) : undefined;
  if (read?.success) return { kind: "ok", result: read.data };
  return answer.status >= 300 || refusalShape.safeParse(parsed).success
    ? { kind: "failed", error: classifyRefusal(answer, parsed, context.clock.now()) }
    : unreadable(answer);
}

/**
 * The query that names the recipient: `user:42` is a person, anything else a chat or channel. `#2` distinguishes
 * several channels of one chat.
 */
export function recipientOf(targetId: string): Record<string, string> {
  const plain = targetId.replace(/#\d+$/, "");
  const user = /^user:(.+)$/.exec(plain)?.[1];
  return user === undefined ? { chat_id: plain } : { user_id: user };
}

/**
 * A bot can use only its own upload tokens. A bot token contains no account id, so the beginning of its hash is used.
 */
export function mediaOrder(token: string): MediaOrder {
  return {
    account: `max:${sha256Hex(token).slice(0, 16)}`,
    rulesFor(media, contentType) {
      const as = uploadTypeOf(media, contentType);
      return { as, ...uploadRules[as] };
    },
  };
}
