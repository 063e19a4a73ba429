/** Sends one request to one model. Never throws: failures are part of the result. */
import { type Output, type SystemModelMessage, streamText } from "ai";
import type { Failure } from "../failures.ts";
import { errorInBody, failureFrom } from "./classify.ts";
import { type ModelCall, notSaid, type Reply, type SendDeps } from "./model-call.ts";
import { type Model, modelOf } from "./model-of.ts";
import { promptOf } from "./prompt-of.ts";
import { type RawUsage, readRaw, readRawText } from "./raw.ts";
import { requestOptions } from "./request-options.ts";
import { fetchOver, mayCost, type Wire } from "./wire.ts";

// The SDK's console warnings (a parameter that a model ignores) are for developers, not for operators.
globalThis.AI_SDK_LOG_WARNINGS = false;

export async function send(call: ModelCall, deps: SendDeps): Promise<Reply> {
  const wire: Wire = {};
  const model = modelOf({
    provider: call.provider,
    model: call.model,
    settings: call.settings,
    options: requestOptions(call),
    appUrl: deps.appUrl,
    fetch: fetchOver(
      { http: deps.http, timeoutMs: call.timeoutMs, stream: call.onWords !== undefined },
      wire,
    ),
  });
  return call.onWords ? streamed(model, call, call.onWords, wire, deps) : whole(model, call, wire, deps);
}

/** Calls the provider's model directly: the SDK's layer in between would only check messages that our types have checked. */
async function whole(model: Model, call: ModelCall, wire: Wire, { clock }: SendDeps): Promise<Reply> {
  try {
    const { content, finishReason } = await model.doGenerate({
      ...settingsOf(call),
      prompt: promptOf(systemOf(call), call.messages),
      ...(call.shape && { responseFormat: formatOf(call.shape) }),
    });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const raw = readRawText(wire.body);
    if (raw.error) return notSaid(errorInBody(raw.error), raw.usage, true);
    return {
      kind: "said",
      text,
      refusal: raw.refusal,
      truncated: finishReason.unified === "length",
      pictures: [],
      model: raw.model ?? call.model,
      usage: raw.usage,
    };
  } catch (thrown) {
    const raw = readRawText(wire.body);
    // The SDK reads more than we need, and more strictly. An answer that was paid for is used if we can read it.
    if (wire.status === 200 && raw.text && !raw.error)
      return {
        kind: "said",
        text: raw.text,
        refusal: raw.refusal,
        truncated: raw.finish === "length",
        pictures: [],
        model: raw.model ?? call.model,
        usage: raw.usage,
      };
    return notSaid(failureFrom(wire, thrown, clock.now()), raw.usage, mayCost(wire));
  }
}

async function streamed(
  model: Model,
  call: ModelCall,
  onWords: (words: string) => void,
  wire: Wire,
  { clock }: SendDeps,
): Promise<Reply> {
  const seen = { text: "", refusal: "", model: call.model, finish: "" };
  let usage: RawUsage | undefined;
  let failure: Failure | undefined;
  let thrown: unknown;
  // The SDK would print errors of a stream; they are part of the reply.
  const stream = streamText({
    ...settingsOf(call),
    model,
    system: systemOf(call),
    messages: [...call.messages],
    maxRetries: 0,
    ...(call.shape && { output: rawJson(call.shape) }),
    includeRawChunks: true,
    onError: () => {},
  });
  try {
    for await (const part of stream.fullStream) {
      if (part.type === "raw") {
        const raw = readRaw(part.rawValue);
        seen.model = raw.model ?? seen.model;
        seen.refusal += raw.refusal;
        seen.finish = raw.finish ?? seen.finish;
        usage = raw.usage ?? usage;
        if (raw.error) failure ??= errorInBody(raw.error);
      } else if (part.type === "text-delta" && part.text !== "" && !failure) {
        seen.text += part.text;
        onWords(part.text);
      } else if (part.type === "error") thrown ??= part.error;
      else if (part.type === "abort") failure ??= { class: "aborted", message: "called off" };
    }
  } catch (error) {
    thrown ??= error;
  }
  if (thrown !== undefined) failure ??= failureFrom(wire, thrown, clock.now());
  // A stream without a finish reason was cut off.
  if (seen.finish === "") failure ??= { class: "network", message: "the stream broke off" };
  if (failure) return notSaid(failure, usage, mayCost(wire));
  return {
    kind: "said",
    text: seen.text,
    refusal: seen.refusal,
    truncated: seen.finish === "length",
    pictures: [],
    model: seen.model,
    usage,
  };
}

function settingsOf({ maxTokens, temperature, signal }: ModelCall) {
  return {
    maxOutputTokens: maxTokens,
    ...(temperature !== null && { temperature }),
    ...(signal && { abortSignal: signal }),
  };
}

function formatOf({ name, schema }: NonNullable<ModelCall["shape"]>) {
  return { type: "json" as const, schema, name };
}

/** Anthropic's models cache a system part only if it is marked; others do so by themselves. */
function systemOf({ provider, model, system }: ModelCall): SystemModelMessage {
  const marked = provider === "openrouter" && model.startsWith("anthropic/");
  return {
    role: "system",
    content: system,
    ...(marked && { providerOptions: { openrouter: { cacheControl: { type: "ephemeral" } } } }),
  };
}

/** Requests JSON of a schema and accepts any text: we validate and repair it ourselves. */
function rawJson(shape: NonNullable<ModelCall["shape"]>): Output.Output<string, string, never> {
  return {
    name: "raw json",
    responseFormat: Promise.resolve(formatOf(shape)),
    parseCompleteOutput: async ({ text }) => text,
    parsePartialOutput: async ({ text }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}
