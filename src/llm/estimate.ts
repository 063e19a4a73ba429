import type { ModelMessage } from "ai";
import type { Price } from "./policies/briefing.ts";

/** The most that one request may use. Held before it is sent; the real usage takes its place. */
export interface Estimate {
  readonly promptTokens: number;
  readonly tokens: number;
}

/**
 * Tokenisers make less than one token of a character, in Russian about one of three; images are counted as the dearest
 * vendor counts one of 1568 pixels, sounds as 32 tokens a second at the lowest rate that speech is recorded with.
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
): Estimate {
  const promptTokens =
    system.length +
    schemaText.length +
    messages.reduce((sum, message) => sum + perMessage + tokensOf(message), perMessage);
  return { promptTokens, tokens: promptTokens + maxTokens };
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

export function usdOf(
  price: Price | undefined,
  promptTokens: number,
  completionTokens: number,
): number | null {
  if (!price) return null;
  return (promptTokens * price.prompt_usd + completionTokens * price.completion_usd) / 1e6;
}
