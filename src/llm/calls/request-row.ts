import { type Estimate, usdOf } from "../estimate.ts";
import type { Failure } from "../failures.ts";
import type { Candidate, Price } from "../policies/briefing.ts";
import type { Reply } from "../providers/model-call.ts";
import type { RawUsage } from "../providers/raw.ts";
import type { RequestRow } from "./books.ts";

export interface RequestFacts {
  readonly candidate: Candidate;
  readonly purpose: RequestRow["purpose"];
  readonly reply: Reply;
  /** Why the output is not a valid answer, without secrets. */
  readonly failure?: Failure | undefined;
  readonly price: Price | undefined;
  readonly estimate: Estimate;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** The record of a request. If its usage is unknown although it may cost something, the estimate is recorded. */
export function requestRow({
  candidate,
  reply,
  failure,
  price,
  estimate,
  purpose,
  startedAt,
  endedAt,
}: RequestFacts): RequestRow {
  const used = usageOf(reply, price, estimate);
  return {
    provider: candidate.provider,
    model: reply.kind === "said" ? reply.model : candidate.model,
    purpose,
    outcome: failure?.class ?? "ok",
    http_status: failure?.httpStatus ?? (reply.kind === "said" ? 200 : null),
    ...used,
    latency_ms: Math.max(0, endedAt.getTime() - startedAt.getTime()),
    error: failure?.message ?? null,
    started_at: startedAt.toISOString(),
  };
}

export function mayHaveCost({ cost_usd, estimated, prompt_tokens }: RequestRow): boolean {
  return estimated || prompt_tokens > 0 || (cost_usd ?? 0) > 0;
}

type Used = Pick<
  RequestRow,
  "prompt_tokens" | "completion_tokens" | "cached_tokens" | "images" | "cost_usd" | "estimated"
>;

function usageOf(reply: Reply, price: Price | undefined, estimate: Estimate): Used {
  const drawn = reply.kind === "said" ? reply.pictures.length : 0;
  if (reply.usage) return { ...toldOf(reply.usage, price, drawn), estimated: false };
  const nothing = { prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, images: 0 };
  if (reply.kind === "failed" && !reply.mayCost) return { ...nothing, cost_usd: 0, estimated: false };
  const { promptTokens, tokens, pictures } = estimate;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: tokens - promptTokens,
    cached_tokens: 0,
    images: drawn,
    cost_usd: usdOf(price, promptTokens, tokens - promptTokens, Math.max(drawn, pictures)),
    estimated: true,
  };
}

function toldOf(usage: RawUsage, price: Price | undefined, images: number): Omit<Used, "estimated"> {
  const prompt = Math.round(usage.prompt_tokens ?? 0);
  const completion = Math.round(usage.completion_tokens ?? 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    cached_tokens: Math.round(usage.prompt_tokens_details?.cached_tokens ?? 0),
    images,
    cost_usd: usage.cost ?? usdOf(price, prompt, completion, images),
  };
}
