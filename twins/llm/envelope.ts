import type { AnswerFlaw } from "../shared/index.ts";
import { errorBody } from "./api-error.ts";
import type { Brand } from "./brand.ts";
import type { Completion } from "./completion.ts";
import type { Model } from "./models.ts";

/** A completion as the provider sends it, whole or as a stream. */
export interface Envelope {
  readonly brand: Brand;
  readonly model: Model;
  readonly id: string;
  readonly created: number;
  readonly completion: Completion;
  readonly cachedTokens: number;
  readonly cost: number;
}

export function wholeBody(envelope: Envelope, flaw: AnswerFlaw | undefined): object {
  const { completion } = envelope;
  if (flaw === "error") return { error: failure(envelope) };
  const { toolCall } = completion;
  const message = {
    role: "assistant",
    content: completion.refusal === null && !toolCall ? completion.text : null,
    refusal: completion.refusal,
    ...(completion.pictures.length > 0 && {
      images: completion.pictures.map(({ base64 }) => ({
        type: "image_url",
        image_url: { url: `data:image/png;base64,${base64}` },
      })),
    }),
    ...(toolCall && {
      tool_calls: [{ id: "call_1", type: "function", function: toolCall }],
    }),
  };
  const choice = { index: 0, logprobs: null, ...finishOf(envelope, completion.finish), message };
  return {
    ...head(envelope, "chat.completion"),
    choices: flaw === "no_choice" ? [] : [choice],
    usage: usageOf(envelope),
  };
}

/** The events of a stream, each as the text after `data: `. */
export function streamEvents(envelope: Envelope, flaw: AnswerFlaw | undefined, withUsage: boolean): string[] {
  const { completion } = envelope;
  const chunk = (choices: readonly object[], more: object = {}) =>
    JSON.stringify({ ...head(envelope, "chat.completion.chunk"), choices, ...more });
  const delta = (part: object, finish: Completion["finish"] | null = null) =>
    chunk([{ index: 0, delta: part, logprobs: null, ...finishOf(envelope, finish) }]);
  const pieces = deltasOf(completion).map((part) => delta(part));
  if (flaw === "error") {
    const broken = { index: 0, delta: { content: "" }, finish_reason: "error" };
    return [...pieces.slice(0, Math.ceil(pieces.length / 2)), chunk([broken], { error: failure(envelope) })];
  }
  if (flaw === "cut") return pieces.slice(0, Math.ceil(pieces.length / 2));
  const usage = withUsage ? [chunk([], { usage: usageOf(envelope) })] : [];
  if (flaw === "no_choice") return [...usage, "[DONE]"];
  return [...pieces, delta({ content: "" }, completion.finish), ...usage, "[DONE]"];
}

function deltasOf({ text, refusal, toolCall }: Completion): object[] {
  if (refusal !== null) return [{ role: "assistant", content: "", refusal }];
  if (toolCall) {
    const call = { index: 0, id: "call_1", type: "function", function: toolCall };
    return [{ role: "assistant", content: null, tool_calls: [call] }];
  }
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  return words.map((content, index) => (index === 0 ? { role: "assistant", content } : { content }));
}

function head({ brand, id, created, model }: Envelope, object: string) {
  return {
    id,
    object,
    created,
    model: model.id,
    ...(brand.router && { provider: model.host }),
    system_fingerprint: null,
  };
}

function finishOf({ brand }: Envelope, finish: Completion["finish"] | null) {
  return { finish_reason: finish, ...(brand.router && { native_finish_reason: finish }) };
}

function failure({ brand }: Envelope) {
  return errorBody(brand, 502, "provider_unavailable", "The model stopped in the middle of its answer.");
}

/** The answer of the API for pictures. */
export function imagesBody(envelope: Envelope, flaw: AnswerFlaw | undefined): object {
  if (flaw === "error") return { error: failure(envelope) };
  const { created, completion } = envelope;
  const data = completion.pictures.map(({ base64 }) => ({ b64_json: base64, media_type: "image/png" }));
  return { created, data, usage: usageOf(envelope) };
}

function usageOf({ brand, completion, cachedTokens, cost }: Envelope) {
  const { promptTokens, completionTokens } = completion;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
    ...(brand.router && { cost, is_byok: false, cost_details: { upstream_inference_cost: null } }),
  };
}
