/** What the providers refuse before a model is called, in their order. */
import type { FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { ChatRequest } from "./body.ts";
import type { Brand } from "./brand.ts";
import { promptTokensOf } from "./completion.ts";
import type { Deps } from "./deps.ts";
import { mediaOf } from "./media.ts";
import type { Modality, Model } from "./models.ts";
import { strictFault } from "./sample/strict.ts";
import type { Key } from "./store.ts";

const minute = 60_000;
const freePerMinute = 20;

/** The owner of the key. */
export function holderOf(request: FastifyRequest, { brand, store }: Deps): Key {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (given === undefined)
    throw new ApiError(
      401,
      "authentication",
      brand.router ? "No auth credentials found" : "You didn't provide an API key.",
    );
  const key = brand.keyShape.test(given) ? store.keyOf(given) : undefined;
  if (!key)
    throw new ApiError(
      401,
      brand.router ? "authentication" : "invalid_api_key",
      brand.router ? "User not found." : "Incorrect API key provided.",
    );
  return key;
}

export function modelOf({ model, models = [] }: ChatRequest, brand: Brand): Model {
  const wanted = [...(model === undefined ? [] : [model]), ...models];
  if (wanted.length === 0) throw new ApiError(400, "invalid_request", "No models provided");
  const found = wanted.map((id) => brand.models.find((each) => each.id === id)).find(Boolean);
  if (found) return found;
  const [first] = wanted;
  if (!brand.router)
    throw new ApiError(
      404,
      "model_not_found",
      `The model \`${first}\` does not exist or you do not have access to it.`,
    );
  throw new ApiError(400, "invalid_request", `${first} is not a valid model ID`, {
    more: { availability: { code: "model_not_found", retryable: false, requested_models: wanted } },
  });
}

export function checkRates(key: Key, model: Model, { rates, context }: Deps): void {
  const perMinute = model.id.endsWith(":free") ? Math.min(freePerMinute, key.rpm ?? freePerMinute) : key.rpm;
  if (perMinute === undefined || (!context.options.rateLimits && key.rpm === undefined)) return;
  const wait = rates.take([{ key: `${key.key} ${model.id}`, count: perMinute, perMs: minute }]);
  if (wait === undefined) return;
  const seconds = Math.ceil(wait / 1000);
  throw new ApiError(429, "rate_limit_exceeded", "Rate limit exceeded", {
    headers: {
      "retry-after": String(seconds),
      "x-ratelimit-limit": String(perMinute),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(context.clock.now() + wait),
    },
  });
}

export function checkRequest(request: ChatRequest, model: Model, brand: Brand): void {
  if (model.reasons && typeof request.max_tokens === "number")
    throw new ApiError(
      400,
      "unsupported_parameter",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { more: { param: "max_tokens" } },
    );
  if (model.reasons && typeof request.temperature === "number" && request.temperature !== 1)
    throw new ApiError(
      400,
      "unsupported_value",
      `Unsupported value: 'temperature' does not support ${request.temperature} with this model. Only the default (1) value is supported.`,
      { more: { param: "temperature" } },
    );
  const { images, sounds } = mediaOf(request.messages);
  const needs: Modality[] = [
    ...(images.length > 0 ? ["image" as const] : []),
    ...(sounds.length > 0 ? ["audio" as const] : []),
  ];
  const lacking = needs.find((modality) => !model.inputs.includes(modality));
  if (lacking)
    throw brand.router
      ? new ApiError(
          404,
          "not_found",
          `No endpoints found that support ${lacking === "audio" ? "input audio" : "image input"}`,
        )
      : new ApiError(400, "invalid_request", `This model does not support ${lacking} inputs.`);
  checkDraws(request.modalities?.includes("image") === true, model);
  const most = request.max_completion_tokens ?? request.max_tokens ?? 0;
  if (most > model.maxCompletion)
    throw new ApiError(
      400,
      "max_tokens_exceeded",
      `max_tokens is too large: ${most}. This model supports at most ${model.maxCompletion} completion tokens.`,
    );
  const tokens = promptTokensOf(request) + most;
  if (tokens > model.context)
    throw new ApiError(
      400,
      "context_length_exceeded",
      `This endpoint's maximum context length is ${model.context} tokens. However, you requested about ${tokens} tokens.`,
    );
  const format = request.response_format;
  if (format?.type === "json_schema" && format.json_schema.strict) {
    const fault = strictFault(format.json_schema.schema);
    if (fault)
      throw new ApiError(
        400,
        "invalid_request",
        `Invalid schema for response_format '${format.json_schema.name}': ${fault}`,
        { more: { param: "response_format" } },
      );
  }
}

export function checkDraws(wanted: boolean, model: Model): void {
  if (wanted && model.imageUsd === undefined)
    throw new ApiError(
      404,
      "not_found",
      "No endpoints found that support the requested output modalities: image, text",
    );
}

export function checkCredits(request: ChatRequest, model: Model, key: Key): void {
  if (key.credits === undefined) return;
  const most = request.max_completion_tokens ?? request.max_tokens ?? model.maxCompletion;
  const left = key.credits - (promptTokensOf(request) * model.promptUsd) / 1e6;
  const affordable =
    model.completionUsd > 0 ? Math.floor((left * 1e6) / model.completionUsd) : left >= 0 ? most : 0;
  if (affordable < most)
    throw new ApiError(
      402,
      "payment_required",
      `This request requires more credits, or fewer max_tokens. You requested up to ${most} tokens, but can only afford ${Math.max(0, affordable)}.`,
    );
}
