/** Runs one call: retries, one repair and fallback models, within the budget. */
import type { Answered, CallMeta, ImagesAnswer, Picture, PictureResult } from "../ask.ts";
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
  const { results, meta } = await runLanes([question], reserved, deps);
  const [result] = results;
  if (!result) throw new Error("a question without a result");
  return result.ok ? { ok: true, ...result.answer, meta } : { ok: false, error: result.error, meta };
}

/** Pictures are drawn at the same time, each with its own retries and fallbacks; one call pays for all of them. */
export async function runPictures(
  lanes: readonly Question<Picture>[],
  reserved: Reserved,
  deps: CallDeps,
): Promise<Answered<ImagesAnswer>> {
  const { results, meta } = await runLanes(lanes, reserved, deps);
  const pictures = results.map(
    (result): PictureResult => (result.ok ? { ok: true, picture: result.answer } : result),
  );
  const failed = results.find((result) => !result.ok);
  if (failed && !pictures.some(({ ok }) => ok)) return { ok: false, error: failed.error, meta };
  return { ok: true, pictures, meta };
}

export type Result<T> =
  | { readonly ok: true; readonly answer: T }
  | { readonly ok: false; readonly error: LlmError };

async function runLanes<T>(
  lanes: readonly Question<T>[],
  reserved: Reserved,
  deps: CallDeps,
): Promise<{ readonly results: readonly Result<T>[]; readonly meta: CallMeta }> {
  const began = deps.clock.now();
  const [first] = lanes;
  if (!first) throw new Error("nothing is asked");
  if (reserved.refused)
    return {
      results: [{ ok: false, error: refusalOf(reserved, deps.clock) }],
      meta: metaOf(first, [], began, deps),
    };
  const progresses = lanes.map((): Progress => ({ callId: reserved.call_id, rows: [] }));
  const brokeOff = { ok: false, error: { code: "unavailable", message: "the call broke off" } } as const;
  let results: readonly Result<T>[] = [brokeOff];
  try {
    const asked = await Promise.allSettled(
      progresses.map(async (progress, index) => askCandidates(lanes[index] ?? first, progress, deps)),
    );
    results = asked.map((each) => (each.status === "fulfilled" ? each.value : brokeOff));
    const thrown = asked.find((each) => each.status === "rejected");
    if (thrown) throw thrown.reason;
  } finally {
    const failed = results.find((result) => !result.ok);
    const code = failed && !results.some(({ ok }) => ok) ? failed.error.code : null;
    deps.settler.settle({
      workspaceId: first.ask.workspaceId,
      callId: reserved.call_id,
      code,
      requests: progresses.flatMap(({ rows }) => rows),
      at: deps.clock.now(),
    });
    // After a failure, the caller may ask again with the same id at once.
    if (code !== null) await deps.settler.done();
  }
  return { results, meta: metaOf(first, progresses, began, deps) };
}

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
  const wait = waitFor(question, deps);
  const error = errorOf(told.failure, told.candidate);
  return { ok: false, error: wait === undefined ? error : { ...error, retryAfterMs: wait } };
}

/** How long no model of the policy is asked; undefined if one can be asked now. */
function waitFor<T>({ policy }: Question<T>, { circuits, clock, providers }: CallDeps): number | undefined {
  const ends = candidatesOf(policy)
    .filter(({ provider }) => providers[provider])
    .map(({ provider, model }) => circuits.restsUntil(provider, model)?.getTime() ?? 0);
  const first = Math.min(...ends) - clock.now().getTime();
  return ends.length > 0 && first > 0 ? first : undefined;
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
  progresses: readonly Progress[],
  began: Date,
  { clock }: CallDeps,
): CallMeta {
  const [progress] = progresses;
  const rows = progresses.flatMap((each) => each.rows);
  const last = rows.at(-1);
  const sum = (of: (row: RequestRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    ...(progress && { callId: progress.callId }),
    policy: policy.key,
    provider: last?.provider ?? policy.provider,
    model: last?.model ?? policy.model,
    promptVersion,
    requests: rows.length,
    fallbackUsed: progresses.some(
      ({ candidate: asked }) =>
        asked !== undefined && (asked.provider !== policy.provider || asked.model !== policy.model),
    ),
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
