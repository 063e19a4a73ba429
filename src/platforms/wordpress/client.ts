import type { z } from "zod";
import type { HttpClient, HttpRequest } from "../../kernel/outbound/index.ts";
import { jsonOf, withoutAnswer } from "../classify.ts";
import type { Outcome, SendContext } from "../contract.ts";
import { classifyRefusal, pageInstead } from "./classify.ts";

export interface WordPressSettings {
  /** The root of the twin's sites. */
  readonly twinRoot?: string;
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
  /** For addresses that users entered. */
  readonly guarded?: HttpClient;
}

export type CallContext = Pick<SendContext, "http" | "clock" | "signal">;

/** How to reach a site. `root` is on the origin that its owner named; the password goes nowhere else. */
export interface Line {
  readonly root: string;
  readonly authorization: string;
  readonly settings: WordPressSettings;
  readonly context: CallContext;
}

export type Reply<T> =
  | { readonly kind: "ok"; readonly result: T; readonly headers: Readonly<Record<string, string>> }
  | Exclude<Outcome, { kind: "sent" }>;

export interface Asked {
  readonly method: "GET" | "POST" | "DELETE";
  /** `/wp/v2/posts` */
  readonly route: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly json?: unknown;
  readonly form?: HttpRequest["body"];
}

/** Calls the REST API of a site. Redirects are not followed: one would turn a POST into a GET, or lead elsewhere. */
export async function call<T>(asked: Asked, shape: z.ZodType<T>, line: Line): Promise<Reply<T>> {
  const { settings, context, authorization } = line;
  const { method, route, query = {}, json, form } = asked;
  const body = json === undefined ? form : JSON.stringify(json);
  const timeoutMs = form ? (settings.uploadTimeoutMs ?? 120_000) : (settings.requestTimeoutMs ?? 30_000);
  const answer = await (settings.guarded ?? context.http).request({
    method,
    url: restAddress(line.root, route, query),
    headers: {
      authorization,
      accept: "application/json",
      ...(json !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
    timeoutMs,
    maxRedirects: 0,
    ...(context.signal && { signal: context.signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);
  const parsed = jsonOf(answer);
  const read = answer.status < 300 ? shape.safeParse(parsed) : undefined;
  if (read?.success) return { kind: "ok", result: read.data, headers: answer.headers };
  if (answer.status < 300) return pageInstead(answer);
  return {
    kind: "failed",
    error: classifyRefusal(answer, parsed, context.clock.now(), form ? "upload" : "page"),
  };
}

/** The URL of a route: below `…/wp-json/`, or with `?rest_route=` if the site has plain permalinks. */
export function restAddress(
  root: string,
  route: string,
  query: Readonly<Record<string, string | number>> = {},
): string {
  const url = new URL(root);
  if (url.searchParams.has("rest_route")) url.searchParams.set("rest_route", route);
  else url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, "")}${route}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

/** Nothing was written, so a missing answer is a failure, not an unknown outcome. */
export function withoutDoubt<T extends { readonly kind: string }>(
  reply: Exclude<Reply<T>, { kind: "ok" }>,
): Extract<Outcome, { kind: "failed" }> {
  const { error } = reply;
  const code = error.code === "outcome_unknown" ? "upstream_unavailable" : error.code;
  return { kind: "failed", error: { ...error, code } };
}
