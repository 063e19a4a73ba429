import type { z } from "zod";
import type { HttpAnswer, HttpRequest } from "../../kernel/outbound/index.ts";
import { jsonOf, unreadable, withoutAnswer } from "../classify.ts";
import type { Credential, Outcome, SendContext } from "../contract.ts";
import { classifyRefusal } from "./classify.ts";

export interface PinterestSettings {
  /** Without a trailing slash, such as `https://api.pinterest.com`. */
  readonly apiRoot: string;
  /** Where people give access, such as `https://www.pinterest.com`. */
  readonly webRoot: string;
  /** The app that asks people for access; absent if the server has none. */
  readonly app?: { readonly id: string; readonly secret: string } | undefined;
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
}

export type AskContext = Pick<SendContext, "http" | "clock" | "signal">;
export type CallContext = AskContext & { readonly credential: Credential };

export interface Connection<Context = SendContext> {
  readonly settings: PinterestSettings;
  readonly context: Context;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

export interface Asked {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** A new Pin contains its picture, so it takes as long as an upload, and may be stored although a server error comes back. */
  readonly makesPin?: boolean;
}

/** Call the API of the account and read its result. */
export async function call<T>(
  { method, path, query = {}, json, makesPin = false }: Asked,
  result: z.ZodType<T>,
  { settings, context }: Connection<CallContext>,
): Promise<Reply<T>> {
  const search = new URLSearchParams(query).toString();
  const { requestTimeoutMs = 30_000, uploadTimeoutMs = 120_000 } = settings;
  const reply = await answerTo(
    {
      method,
      url: `${settings.apiRoot}/v5${path}${search && `?${search}`}`,
      headers: {
        authorization: `Bearer ${context.credential.access_token ?? ""}`,
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      timeoutMs: makesPin ? uploadTimeoutMs : requestTimeoutMs,
    },
    result,
    context,
  );
  return makesPin ? inDoubt(reply) : reply;
}

/**
 * A server error says nothing about the Pin: it may have been stored before the error. Pinterest does not detect repeats, so
 * the Pin is looked up before it is sent again.
 */
function inDoubt<T>(reply: Reply<T>): Reply<T> {
  if (reply.kind !== "failed" || reply.error.code !== "upstream_unavailable") return reply;
  return { kind: "unknown", error: { ...reply.error, code: "outcome_unknown" } };
}

/** One exchange with Pinterest: the result, the classified refusal, or an unknown outcome. */
export async function answerTo<T>(
  request: HttpRequest,
  result: z.ZodType<T>,
  { http, clock, signal }: AskContext,
): Promise<Reply<T>> {
  const answer = await http.request({ ...request, ...(signal && { signal }) });
  if (answer.kind === "failure") return withoutAnswer(answer);
  if (answer.status >= 300)
    return { kind: "failed", error: classifyRefusal(answer, jsonOf(answer), clock.now()) };
  const read = result.safeParse(bodyOf(answer));
  return read.success ? { kind: "ok", result: read.data } : unreadable(answer);
}

/** 204 has no body. */
const bodyOf = (answer: HttpAnswer): unknown => (answer.status === 204 ? null : jsonOf(answer));
