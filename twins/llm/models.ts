/** A model as the providers describe it. Prices are dollars for a million tokens. */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** The company that runs it, as OpenRouter names it in answers. */
  readonly host: string;
  readonly context: number;
  readonly maxCompletion: number;
  readonly inputs: readonly Modality[];
  readonly promptUsd: number;
  readonly completionUsd: number;
  /** Draws pictures at this price each. */
  readonly imageUsd?: number;
  /** Takes `max_completion_tokens` instead of `max_tokens`, and refuses a temperature. */
  readonly reasons?: boolean;
}

export type Modality = "text" | "image" | "audio";

const everything = ["text", "image", "audio"] as const;
const pictures = ["text", "image"] as const;

export const openRouterModels: readonly Model[] = [
  {
    ...{ id: "google/gemini-2.5-flash-lite", name: "Google: Gemini 2.5 Flash Lite", host: "Google" },
    ...{ context: 1_048_576, maxCompletion: 65_535, inputs: everything, promptUsd: 0.1, completionUsd: 0.4 },
  },
  {
    ...{ id: "google/gemini-2.5-flash", name: "Google: Gemini 2.5 Flash", host: "Google" },
    ...{ context: 1_048_576, maxCompletion: 65_535, inputs: everything, promptUsd: 0.3, completionUsd: 2.5 },
  },
  {
    ...{ id: "openai/gpt-4o-mini", name: "OpenAI: GPT-4o-mini", host: "OpenAI" },
    ...{ context: 128_000, maxCompletion: 16_384, inputs: pictures, promptUsd: 0.15, completionUsd: 0.6 },
  },
  {
    ...{ id: "openai/gpt-5.2", name: "OpenAI: GPT-5.2", host: "OpenAI" },
    ...{ context: 400_000, maxCompletion: 128_000, inputs: pictures, promptUsd: 1.75, completionUsd: 14 },
  },
  {
    ...{ id: "anthropic/claude-sonnet-4.5", name: "Anthropic: Claude Sonnet 4.5", host: "Anthropic" },
    ...{ context: 1_000_000, maxCompletion: 64_000, inputs: pictures, promptUsd: 3, completionUsd: 15 },
  },
  {
    ...{ id: "deepseek/deepseek-v3.2", name: "DeepSeek: DeepSeek V3.2", host: "DeepSeek" },
    ...{ context: 163_840, maxCompletion: 65_536, inputs: ["text"], promptUsd: 0.25, completionUsd: 0.38 },
  },
  {
    ...{ id: "perplexity/sonar-pro-search", name: "Perplexity: Sonar Pro Search", host: "Perplexity" },
    ...{ context: 200_000, maxCompletion: 8_000, inputs: pictures, promptUsd: 3, completionUsd: 15 },
  },
  {
    ...{ id: "google/gemini-3-pro-image-preview", name: "Google: Nano Banana Pro", host: "Google" },
    ...{ context: 65_536, maxCompletion: 32_768, inputs: pictures, promptUsd: 2, completionUsd: 12 },
    imageUsd: 0.134,
  },
  {
    ...{ id: "google/gemini-2.5-flash-image", name: "Google: Nano Banana", host: "Google" },
    ...{ context: 32_768, maxCompletion: 32_768, inputs: pictures, promptUsd: 0.3, completionUsd: 2.5 },
    imageUsd: 0.039,
  },
  {
    ...{ id: "deepseek/deepseek-v3.2:free", name: "DeepSeek: DeepSeek V3.2 (free)", host: "DeepSeek" },
    ...{ context: 163_840, maxCompletion: 8_192, inputs: ["text"], promptUsd: 0, completionUsd: 0 },
  },
];

export const openAiModels: readonly Model[] = [
  {
    ...{ id: "gpt-4o-mini", name: "GPT-4o-mini", host: "OpenAI" },
    ...{ context: 128_000, maxCompletion: 16_384, inputs: pictures, promptUsd: 0.15, completionUsd: 0.6 },
  },
  {
    ...{ id: "gpt-4o-audio-preview", name: "GPT-4o Audio", host: "OpenAI" },
    ...{
      context: 128_000,
      maxCompletion: 16_384,
      inputs: ["text", "audio"],
      promptUsd: 2.5,
      completionUsd: 10,
    },
  },
  {
    ...{ id: "gpt-5.2", name: "GPT-5.2", host: "OpenAI" },
    ...{ context: 400_000, maxCompletion: 128_000, inputs: pictures, promptUsd: 1.75, completionUsd: 14 },
    reasons: true,
  },
];
