/** Runs one call: retries, one repair and fallback models, within the budget. */
import type { Answered, CallMeta } from "../ask.ts";
import { type Failure, type LlmError, ruleOf } from "../failures.ts";
import { type Candidate, candidatesOf } from "../policies/briefing.ts";
import { askModel } from "./ask-model.ts";
import type { RequestRow, Reserved } from "./books.ts";
import type { CallDeps } from "./call-deps.ts";
import { errorOf, refusalOf } from "./call-errors.ts";
import type { Progress, Question } from "./question.ts";

/** `reserved` is the result of reserving the price of the question. */
export async function runCall<T>(
  question: Question<T>,
  reserved: Reserved,
  deps: CallDeps,
): Promise<Answered<T>> {
  const began = deps.clock.now();
  if (reserved.refused)
    return {
      ok: false,
      error: refusalOf(reserved, deps.clock),
      meta: metaOf(question, undefined, began, deps),
    };
  const progress: Progress = { callId: reserved.call_id, rows: [] };
  let outcome: Result<T> = { ok: false, error: { code: "unavailable", message: "the call broke off" } };
  try {
    outcome = await askCandidates(question, progress, deps);
  } finally {
    deps.settler.settle({
      workspaceId: question.ask.workspaceId,
      callId: progress.callId,
      code: outcome.ok ? null : outcome.error.code,
      requests: progress.rows,
      at: deps.clock.now(),
    });
    // After a failure, the caller may ask again with the same id at once.
    if (!outcome.ok) await deps.settler.done();
  }
  const meta = metaOf(question, progress, began, deps);
  return outcome.ok ? { ok: true, ...outcome.answer, meta } : { ok: false, error: outcome.error, meta };
}

type Result<T> = { readonly ok: true; readonly answer: T } | { readonly ok: false; readonly error: LlmError };

async function askCandidates<T>(
  question: Question<T>,
  progress: Progress,
  deps: CallDeps,
): Promise<Result<T>> {
  const useless = new Set<string>();
  const failures: { readonly failure: Failure; readonly candidate: Candidate; readonly asked: boolean }[] =
    [];
  for (const candidate of candidatesOf(question.policy)) {
    const reason = reasonNotToAsk(candidate, useless, deps);
    if (reason) {
      failures.push({ failure: reason, candidate, asked: false });
      continue;
    }
    const result = await askModel(question, candidate, progress, deps);
    if (result.kind === "answered") return { ok: true, answer: result.answer };
    if (result.kind === "not_allowed") return { ok: false, error: result.error };
    failures.push({ failure: result.failure, candidate, asked: true });
    if (ruleOf(result.failure).provider === "useless") useless.add(candidate.provider);
    if (result.stop) break;
  }
  // The failure of a model that was asked says more than that of one that was skipped.
  const told = failures.findLast(({ asked }) => asked) ?? failures[0];
  if (!told) throw new Error("a policy without a model");
  return { ok: false, error: errorOf(told.failure, told.candidate) };
}

function reasonNotToAsk(
  { provider, model }: Candidate,
  useless: ReadonlySet<string>,
  { providers, circuits, clock }: CallDeps,
): Failure | undefined {
  if (!providers[provider])
    return { class: "not_configured", message: `${provider} is not configured: it has no key` };
  if (useless.has(provider)) return { class: "not_configured", message: `${provider} refuses its key` };
  const until = circuits.closedUntil(provider, model);
  if (!until) return undefined;
  const retryAfterMs = until.getTime() - clock.now().getTime();
  return { class: "circuit_open", message: "it is not asked for a while after failures", retryAfterMs };
}

function metaOf<T>(
  { policy, promptVersion }: Question<T>,
  progress: Progress | undefined,
  began: Date,
  { clock }: CallDeps,
): CallMeta {
  const rows = progress?.rows ?? [];
  const last = rows.at(-1);
  const asked = progress?.candidate;
  const sum = (of: (row: RequestRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    ...(progress && { callId: progress.callId }),
    policy: policy.key,
    provider: last?.provider ?? policy.provider,
    model: last?.model ?? policy.model,
    promptVersion,
    requests: rows.length,
    fallbackUsed: asked !== undefined && (asked.provider !== policy.provider || asked.model !== policy.model),
    repaired: last?.purpose === "repair" && last.outcome === "ok",
    usage: {
      promptTokens: sum(({ prompt_tokens }) => prompt_tokens),
      completionTokens: sum(({ completion_tokens }) => completion_tokens),
      cachedTokens: sum(({ cached_tokens }) => cached_tokens),
      costUsd: rows.some(({ cost_usd }) => cost_usd === null) ? null : sum(({ cost_usd }) => cost_usd ?? 0),
    },
    latencyMs: clock.now().getTime() - began.getTime(),
  };
}
