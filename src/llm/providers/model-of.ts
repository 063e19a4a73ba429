import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import type { ProviderName, ProviderSettings } from "./settings.ts";

export interface ModelRequest {
  readonly provider: ProviderName;
  readonly model: string;
  readonly settings: ProviderSettings;
  /** Fields of the request for this provider only. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly appUrl: string;
  readonly fetch: typeof fetch;
}

/** A model as the SDK's providers make it. */
export type Model = ReturnType<ReturnType<typeof createOpenAICompatible>>;

/** The SDK's model with our own HTTP client. */
export function modelOf({ provider, model, settings, options, appUrl, fetch }: ModelRequest): Model {
  const { baseUrl: baseURL, apiKey } = settings;
  if (provider === "openrouter")
    return createOpenRouter({
      baseURL,
      apiKey: apiKey ?? "",
      fetch,
      compatibility: "strict",
      headers: { "HTTP-Referer": appUrl, "X-Title": "Molva" },
    })(model, { extraBody: { ...options } });
  return createOpenAICompatible({
    name: provider,
    baseURL,
    ...(apiKey && { apiKey }),
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    transformRequestBody: (body) => ({
      ...(provider === "openai" ? withNewName(body) : body),
      ...options,
    }),
  })(model);
}

/** OpenAI's newer models refuse the old name, and its older ones know the new. */
function withNewName({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}
