import type { HttpAnswer, HttpClient, HttpRequest } from "../../kernel/outbound/index.ts";
import type { NotDone } from "./ask.ts";

/** An answer with its JSON; undefined if the body is something else, such as HTML of a proxy. */
export interface JsonAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly json: unknown;
  readonly retryAfterMs: number | undefined;
}

export async function requestJson(http: HttpClient, request: HttpRequest): Promise<JsonAnswer | NotDone> {
  const answer = await http.request({
    ...request,
    headers: {
      accept: "application/json",
      ...(request.body !== undefined && { "content-type": "application/json" }),
      ...request.headers,
    },
  });
  if (answer.kind === "failure") {
    // Larger than what is read: the next answer would be as well.
    if (answer.reason === "too_large") return { kind: "end", reason: "unavailable", detail: answer.message };
    const timedOut = answer.reason === "timeout";
    return { kind: "again", reason: "unavailable", detail: answer.message, timedOut };
  }
  return {
    kind: "answer",
    status: answer.status,
    json: jsonOf(answer),
    retryAfterMs: retryAfterOf(answer),
  };
}

/** How a status that is not 200 ended, where the provider has no own rules for it. */
export function attemptOf({ status, retryAfterMs }: JsonAnswer, detail: string): NotDone {
  const told = `HTTP ${status}${detail ? `: ${detail}` : ""}`.slice(0, 300);
  if (status === 402) return { kind: "end", reason: "quota", detail: told };
  if (status === 429) return { kind: "again", reason: "quota", detail: told, waitMs: retryAfterMs };
  if (status === 408 || status >= 500 || status < 400)
    return { kind: "again", reason: "unavailable", detail: told, waitMs: retryAfterMs };
  return { kind: "end", reason: "refused", detail: told, ...(status === 401 && { fault: "key" }) };
}

/** In seconds; a date is not used by these providers. */
function retryAfterOf({ headers }: HttpAnswer): number | undefined {
  const seconds = Number(headers["retry-after"]?.trim() || Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
