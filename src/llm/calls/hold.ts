import { type Estimate, usdOf } from "../estimate.ts";
import type { LlmError } from "../failures.ts";
import { candidatesOf, type Policy, type Price, priceOf } from "../policies/briefing.ts";
import { extend, type Held } from "./books.ts";
import type { CallDeps } from "./deps.ts";
import { budgetError } from "./errors.ts";
import type { Progress, Question } from "./question.ts";
import { mayHaveCost } from "./request-row.ts";

/** A dead process is noticed so much later than a request could have ended. */
const leaseBeyondTimeoutMs = 30_000;

export function heldFor({
  ask,
  kind,
  policy,
  prices,
  promptVersion,
  estimate,
  stamp,
}: Pick<
  Question<unknown>,
  "ask" | "kind" | "policy" | "prices" | "promptVersion" | "estimate" | "stamp"
>): Held {
  return {
    workspaceId: ask.workspaceId,
    requestId: ask.requestId,
    policy: policy.key,
    userId: ask.userId,
    kind,
    prompt: ask.prompt.name,
    promptVersion,
    usd: dearest(policy, prices, estimate),
    tokens: estimate.tokens,
    leaseMs: policy.timeout_ms + leaseBeyondTimeoutMs,
    stamp,
  };
}

/** Before every request but the first: keeps the call alive, and holds more when what was held may be used up. */
export async function holdMore<T>(
  { ask, estimate, policy, prices }: Question<T>,
  { callId, rows }: Progress,
  deps: CallDeps,
): Promise<LlmError | undefined> {
  const last = rows.at(-1);
  if (!last) return undefined;
  const used = mayHaveCost(last);
  const extended = await extend(deps, ask.workspaceId, callId, {
    usd: used ? dearest(policy, prices, estimate) : 0,
    tokens: used ? estimate.tokens : 0,
    leaseMs: policy.timeout_ms + leaseBeyondTimeoutMs,
  });
  if (!extended.refused) return undefined;
  if (extended.refused === "budget") return budgetError(extended.cap);
  return { code: "unavailable", message: "the call took so long that it was given up" };
}

/** The dearest model of the policy may be the one that answers. Null when the price of one is not known. */
function dearest(
  policy: Policy,
  prices: readonly Price[],
  { promptTokens, tokens }: Estimate,
): number | null {
  const costs = candidatesOf(policy).map((each) =>
    usdOf(priceOf(prices, each), promptTokens, tokens - promptTokens),
  );
  const known = costs.filter((cost) => cost !== null);
  return known.length === costs.length ? Math.max(...known) : null;
}
