/** Asks one model, with retries where they may help and one repair of its answer. */
import type { ModelMessage } from "ai";
import { type Failure, type LlmError, ruleOf } from "../failures.ts";
import { type Candidate, priceOf } from "../policies/briefing.ts";
import type { ModelCall, Reply } from "../providers/model-call.ts";
import { withoutSecrets } from "../providers/without-secrets.ts";
import { afterFailure } from "./after-failure.ts";
import type { RequestRow } from "./books.ts";
import type { CallDeps } from "./call-deps.ts";
import type { Judged } from "./judge-answer.ts";
import type { Progress, Question } from "./question.ts";
import { requestRow } from "./request-row.ts";
import { reserveMore } from "./reserve-price.ts";

export type ModelResult<T> =
  | { readonly kind: "answered"; readonly answer: T }
  | { readonly kind: "failed"; readonly failure: Failure; readonly stop: boolean }
  | { readonly kind: "not_allowed"; readonly error: LlmError };

interface ModelRequest {
  readonly purpose: RequestRow["purpose"];
  readonly system: string;
  readonly messages: readonly ModelMessage[];
}

export async function askModel<T>(
  question: Question<T>,
  candidate: Candidate,
  progress: Progress,
  deps: CallDeps,
): Promise<ModelResult<T>> {
  const { signal } = question.ask;
  progress.candidate = candidate;
  let committed = false;
  const { onWords } = question;
  const noteWords =
    onWords &&
    ((words: string) => {
      committed = true;
      onWords(words);
    });
  let request: ModelRequest = { purpose: "answer", system: question.system, messages: question.messages };
  for (let again = 0; ; ) {
    const error = await reserveMore(question, progress, deps);
    if (error) return { kind: "not_allowed", error };
    const { reply, judged } = await sendOne(question, candidate, request, noteWords, progress, deps);
    if (judged.ok) return { kind: "answered", answer: judged.answer };
    const repair = await repairRequest(question, request, reply, judged.errors);
    if (repair) {
      request = repair;
      continue;
    }
    const { failure } = judged;
    const decision = afterFailure(failure, { again, committed, random: deps.random() });
    if (decision.kind !== "again") {
      if (failure.retryAfterMs !== undefined)
        deps.circuits.rest(candidate.provider, candidate.model, failure.retryAfterMs);
      return { kind: "failed", failure, stop: decision.kind === "stop" };
    }
    await deps.pause(decision.waitMs, signal);
    if (signal?.aborted)
      return { kind: "failed", failure: { class: "aborted", message: "called off" }, stop: true };
    again += 1;
  }
}

/** Sends one request, judges the answer, records it and reports it to the circuit breaker. */
async function sendOne<T>(
  question: Question<T>,
  candidate: Candidate,
  request: ModelRequest,
  onWords: ModelCall["onWords"],
  { rows }: Progress,
  deps: CallDeps,
): Promise<{ readonly reply: Reply; readonly judged: Judged<T> }> {
  const send = await senderOf(question);
  const startedAt = deps.clock.now();
  const reply = await send(callOf(question, candidate, request, onWords, deps), deps);
  const judged = presentable(
    reply.kind === "said" ? await question.judge(reply) : { ok: false, ...reply },
    candidate,
    deps,
  );
  const failure = judged.ok ? undefined : judged.failure;
  const row = requestRow({
    ...{ candidate, purpose: request.purpose, reply, failure, estimate: question.estimate },
    price: priceOf(question.prices, candidate),
    startedAt,
    endedAt: deps.clock.now(),
  });
  rows.push(row);
  deps.metrics?.requested(row);
  if (failure && ruleOf(failure).provider === "blamed") deps.circuits.failed(candidate.provider);
  else if (failure?.class !== "aborted") deps.circuits.succeeded(candidate.provider);
  return { reply, judged };
}

/** Loading takes half a second, which a process without calls is spared. */
async function senderOf<T>({
  picture,
}: Question<T>): Promise<(call: ModelCall, deps: CallDeps) => Promise<Reply>> {
  if (!picture) return (await import("../providers/send.ts")).send;
  const { sendPicture } = await import("../providers/send-picture.ts");
  return (call, deps) => sendPicture(call, picture, deps);
}

/** The question again with the errors of the answer; undefined if a repair was tried or cannot help. */
async function repairRequest<T>(
  question: Question<T>,
  { purpose }: ModelRequest,
  reply: Reply,
  errors: string | undefined,
): Promise<ModelRequest | undefined> {
  if (!errors || !question.repair || reply.kind !== "said" || purpose === "repair") return undefined;
  const { system, user } = await question.repair(errors);
  return {
    purpose: "repair",
    system: `${question.system}\n\n${system}`,
    messages: [
      ...question.messages,
      { role: "assistant", content: reply.text },
      { role: "user", content: user },
    ],
  };
}

function callOf<T>(
  { policy, shape, ask }: Question<T>,
  { provider, model }: Candidate,
  { system, messages }: ModelRequest,
  onWords: ModelCall["onWords"],
  { providers }: CallDeps,
): ModelCall {
  const settings = providers[provider];
  if (!settings) throw new Error(`${provider} is not configured`);
  return {
    ...{ provider, model, settings, system, messages, onWords, signal: ask.signal },
    temperature: policy.temperature,
    maxTokens: policy.max_tokens,
    timeoutMs: policy.timeout_ms,
    // Options of one provider mean nothing to another.
    options: provider === policy.provider ? policy.options : {},
    ...(shape && { shape }),
  };
}

function presentable<T>(judged: Judged<T>, { provider }: Candidate, { providers }: CallDeps): Judged<T> {
  if (judged.ok) return judged;
  const message = withoutSecrets(judged.failure.message, [providers[provider]?.apiKey]);
  return { ...judged, failure: { ...judged.failure, message } };
}
