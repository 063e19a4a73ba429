import { type Estimate, usdOf } from "../estimate.ts";
import type { LlmError } from "../failures.ts";
import { candidatesOf, type Policy, type Price, priceOf } from "../policies/briefing.ts";
import { extend, type Reservation } from "./books.ts";
import type { CallDeps } from "./call-deps.ts";
import { budgetError } from "./call-errors.ts";
import type { Progress, Question } from "./question.ts";
import { mayHaveCost } from "./request-row.ts";

/** The lease ends this long after the longest request: then the process is taken for dead. */
const leaseBeyondTimeoutMs = 30_000;

/** What is reserved for a call; each of `lanes` is asked at the same time as the others. */
export function reservationFor(lanes: readonly Basis[]): Reservation {
  const [first] = lanes;
  if (!first) throw new Error("nothing is asked");
  const { ask, kind, policy, promptVersion, stamp } = first;
  return {
    workspaceId: ask.workspaceId,
    requestId: ask.requestId,
    policy: policy.key,
    userId: ask.userId,
    kind,
    prompt: ask.prompt.name,
    promptVersion,
    usd: lanes.reduce<number | null>((sum, { prices, estimate }) => {
      const usd = highestPrice(policy, prices, estimate);
      return sum === null || usd === null ? null : sum + usd;
    }, 0),
    tokens: lanes.reduce((sum, { estimate }) => sum + estimate.tokens, 0),
    leaseMs: policy.timeout_ms + leaseBeyondTimeoutMs,
    stamp,
  };
}

type Basis = Pick<
  Question<unknown>,
  "ask" | "kind" | "policy" | "prices" | "promptVersion" | "estimate" | "stamp"
>;

/** Called before every request but the first: renews the lease, and reserves more if the first reservation may be used up. */
export async function reserveMore<T>(
  { ask, estimate, policy, prices }: Question<T>,
  { callId, rows }: Progress,
  deps: CallDeps,
): Promise<LlmError | undefined> {
  const last = rows.at(-1);
  if (!last) return undefined;
  const used = mayHaveCost(last);
  const extended = await extend(deps, ask.workspaceId, callId, {
    usd: used ? highestPrice(policy, prices, estimate) : 0,
    tokens: used ? estimate.tokens : 0,
    leaseMs: policy.timeout_ms + leaseBeyondTimeoutMs,
  });
  if (!extended.refused) return undefined;
  if (extended.refused === "budget") return budgetError(extended.cap);
  return { code: "unavailable", message: "the call took so long that it was given up" };
}

/** The price of the most expensive model of the policy, which may be the one that answers. Null if a price is unknown. */
function highestPrice(
  policy: Policy,
  prices: readonly Price[],
  { promptTokens, tokens, pictures }: Estimate,
): number | null {
  const costs = candidatesOf(policy).map((each) =>
    usdOf(priceOf(prices, each), promptTokens, tokens - promptTokens, pictures),
  );
  const known = costs.filter((cost) => cost !== null);
  return known.length === costs.length ? Math.max(...known) : null;
}
