import type { ModelMessage } from "ai";
import type { Price } from "./policies/briefing.ts";

/** The most that one request may use. It is reserved before the request and replaced by the real usage. */
export interface Estimate {
  readonly promptTokens: number;
  readonly tokens: number;
  readonly pictures: number;
}

/**
 * Tokenisers make less than one token of a character, in Russian about one of three. Images count as one of 1568 pixels at the
 * most expensive vendor, audio as 32 tokens a second at the lowest bit rate of speech.
 */
const perMessage = 16;
const perImage = 3_000;
const perSound = 500;
const soundBytesPerToken = 60;

export function estimateOf(
  system: string,
  messages: readonly ModelMessage[],
  schemaText: string,
  maxTokens: number,
  pictures = 0,
): Estimate {
  const promptTokens =
    system.length +
    schemaText.length +
    messages.reduce((sum, message) => sum + perMessage + tokensOf(message), perMessage);
  return { promptTokens, tokens: promptTokens + maxTokens, pictures };
}

function tokensOf({ content }: ModelMessage): number {
  if (typeof content === "string") return content.length;
  return content.reduce((sum, part) => {
    if (part.type === "text") return sum + part.text.length;
    if (part.type !== "file") return sum;
    if (part.mediaType.startsWith("image/")) return sum + perImage;
    const bytes = part.data instanceof Uint8Array ? part.data.byteLength : 0;
    return sum + perSound + Math.ceil(bytes / soundBytesPerToken);
  }, 0);
}

/** Pictures have a price of their own; a model without one is paid by its tokens. */
export function usdOf(
  price: Price | undefined,
  promptTokens: number,
  completionTokens: number,
  pictures = 0,
): number | null {
  if (!price) return null;
  if (pictures > 0 && typeof price.image_usd === "number")
    return (promptTokens * price.prompt_usd) / 1e6 + pictures * price.image_usd;
  return (promptTokens * price.prompt_usd + completionTokens * price.completion_usd) / 1e6;
}
