import { z } from "zod";
import {
  classify,
  type ErrorRule,
  jsonOf,
  longestWaitMs,
  retryAfterHeader,
  unreadable,
  withoutAnswer,
} from "../../../src/platforms/classify.ts";
import type { CheckContext, Outcome } from "../../../src/platforms/index.ts";

export interface BoardSettings {
  readonly apiRoot: string;
  readonly timeoutMs: number;
}

export type Reply<T> = { readonly kind: "ok"; readonly result: T } | Exclude<Outcome, { kind: "sent" }>;

export interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly json?: object;
  readonly bytes?: Uint8Array;
}

const rules: readonly ErrorRule[] = [
  { status: 400, verdict: { category: "PERMANENT", scope: "delivery", code: "board_bad_request" } },
];

export async function call<T>(
  { method, path, json, bytes }: Call,
  result: z.ZodType<T>,
  settings: BoardSettings,
  { credential, http, clock, signal }: Pick<CheckContext, "credential" | "http" | "clock" | "signal">,
): Promise<Reply<T>> {
  const { login = "", key = "" } = credential;
  const answer = await http.request({
    method,
    url: `${settings.apiRoot}${path}`,
    headers: {
      ...{ "x-login": login, "x-key": key },
      ...(json && { "content-type": "application/json" }),
      ...(bytes && { "content-type": "application/octet-stream" }),
    },
    ...(json && { body: JSON.stringify(json) }),
    ...(bytes && { body: bytes }),
    timeoutMs: settings.timeoutMs,
    ...(signal && { signal }),
  });
  if (answer.kind === "failure") return withoutAnswer(answer);
  const body = jsonOf(answer);
  if (answer.status >= 300) {
    const said = z.object({ message: z.string() }).safeParse(body).data?.message;
    const retryAfterMs = longestWaitMs([retryAfterHeader(answer, clock.now())]);
    const refusal = {
      status: answer.status,
      description: said || `the board answered with status ${answer.status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status: answer.status, body },
    };
    return { kind: "failed", error: classify(refusal, rules) };
  }
  const read = result.safeParse(body);
  return read.success ? { kind: "ok", result: read.data } : unreadable(answer);
}
