import type { Model } from "./models.ts";
import type { Key } from "./store.ts";

/** Models and keys as the API lists them. */
export function modelView({
  id,
  name,
  context,
  inputs,
  promptUsd,
  completionUsd,
  imageUsd,
  maxCompletion,
}: Model) {
  const perToken = (usd: number) => String(Number((usd / 1e6).toPrecision(9)));
  return {
    id,
    name,
    object: "model",
    created: 1_760_000_000,
    context_length: context,
    architecture: {
      input_modalities: inputs,
      output_modalities: imageUsd === undefined ? ["text"] : ["image", "text"],
    },
    pricing: {
      prompt: perToken(promptUsd),
      completion: perToken(completionUsd),
      image: String(imageUsd ?? 0),
      request: "0",
    },
    supported_parameters: [
      "max_tokens",
      "temperature",
      "response_format",
      "structured_outputs",
      "tools",
      "tool_choice",
    ],
    top_provider: { context_length: context, max_completion_tokens: maxCompletion, is_moderated: false },
  };
}

export function keyView({ label, credits, usage }: Key) {
  return {
    label,
    limit: credits === undefined ? null : credits + usage,
    limit_reset: null,
    limit_remaining: credits ?? null,
    usage,
    usage_daily: usage,
    usage_weekly: usage,
    usage_monthly: usage,
    is_free_tier: false,
  };
}
