import { z } from "zod";
import type { HttpAnswer } from "../../kernel/outbound/index.ts";
import { classify, type ErrorRule, longestWaitMs, retryAfterHeader, textOf } from "../classify.ts";
import type { SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";

const boardLost = { category: "PERMANENT", scope: "channel", code: "channel_unavailable" } as const;
const pictureRefused = { category: "PERMANENT", scope: "delivery", code: "media_rejected" } as const;
const restricted = { category: "PERMANENT", scope: "channel", code: "account_restricted" } as const;

/** What Pinterest's error numbers mean; the first match decides. */
export const rules: readonly ErrorRule[] = [
  { status: 400, providerCode: "235", verdict: pictureRefused },
  { status: 400, providerCode: "236", verdict: pictureRefused },
  { status: 400, text: /could not fetch the image|image (?:is )?not in a format/i, verdict: pictureRefused },
  {
    status: 400,
    text: /invalid URL|'link'/i,
    verdict: { category: "PERMANENT", scope: "delivery", code: "link_refused" },
  },
  { status: 400, text: /'board_id'/, verdict: boardLost },
  {
    status: 400,
    verdict: { category: "PERMANENT", scope: "delivery", code: "pinterest_bad_request" },
  },
  {
    status: 401,
    providerCode: "3",
    verdict: { category: "PERMANENT", scope: "channel", code: "permission_missing" },
  },
  {
    status: 403,
    providerCode: "29",
    text: /trial access/i,
    verdict: { category: "PERMANENT", scope: "channel", code: "trial_access" },
  },
  { status: 403, providerCode: "2625", verdict: restricted },
  { status: 403, providerCode: "2626", verdict: restricted },
  {
    status: 413,
    verdict: { category: "PERMANENT", scope: "delivery", code: "media_too_large" },
  },
];

const refusalShape = z.object({ code: z.int(), message: ifReadable(z.string()) });

/** Classifies a refusal by its number, or by its status if it came from Pinterest's proxy. */
export function classifyRefusal(answer: HttpAnswer, body: unknown, now: Date): SendError {
  const said = refusalShape.safeParse(body).data;
  const waited = answer.status === 429 ? resetOf(answer) : undefined;
  const retryAfterMs = longestWaitMs([retryAfterHeader(answer, now), waited]);
  return classify(
    {
      status: answer.status,
      ...(said && { providerCode: String(said.code) }),
      description: said?.message ?? `Pinterest answered with status ${answer.status}`,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: { status: answer.status, body: said ?? textOf(answer) },
    },
    rules,
  );
}

/** Seconds until the rate limit resets; sent with every answer, used only with 429. */
function resetOf({ headers }: HttpAnswer): number | undefined {
  const value = headers["x-ratelimit-reset"];
  return value && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

/** This request posts nothing, so a missing answer is a failure, not an unknown outcome. */
export function withoutDoubt(error: SendError): SendError {
  return error.code === "outcome_unknown" ? { ...error, code: "upstream_unavailable" } : error;
}
