import type { Price } from "./shape.ts";

const sizeOf = { piece: 1, hundred_words: 100 } as const satisfies Record<Price["unit"], number>;

/** The price of work: `ceil(words / 100) × 10` for texts, `30 × images` for pictures. */
export function tokensFor(prices: readonly Price[], operation: string, count: number): number {
  const price = prices.find((each) => each.operation === operation);
  if (!price) throw new Error(`nothing says what ${operation} costs`);
  if (!Number.isInteger(count) || count < 0) throw new Error(`${count} is no amount of ${operation}`);
  return Math.ceil(count / sizeOf[price.unit]) * price.tokens;
}

/** An article or a post: its text and its pictures. */
export function tokensForText(
  prices: readonly Price[],
  { words, images }: { readonly words: number; readonly images: number },
): number {
  return tokensFor(prices, "text_generation", words) + tokensFor(prices, "image_generation", images);
}
