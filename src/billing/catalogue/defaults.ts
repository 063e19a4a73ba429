import type { Package, Price, Settings } from "./shape.ts";

/** What a workspace sells by default: the packages and prices of the SEO Master specification. */
export const defaultPackages: readonly Package[] = [
  aPackage("mini", { tokens: 1_000, bonus: 0, rub: 1_000, stars: 65 }),
  aPackage("starter", { tokens: 3_500, bonus: 500, rub: 3_000, stars: 195 }),
  aPackage("pro", { tokens: 7_200, bonus: 1_200, rub: 6_000, stars: 390, days: 30 }),
  aPackage("business", { tokens: 18_000, bonus: 3_000, rub: 15_000, stars: 975, days: 30 }),
  aPackage("enterprise", { tokens: 50_000, bonus: 10_000, rub: 40_000, stars: 2_600, days: 30 }),
];

export const defaultPrices: readonly Price[] = [
  { operation: "text_generation", tokens: 10, unit: "hundred_words" },
  { operation: "cross_post", tokens: 10, unit: "hundred_words" },
  { operation: "image_generation", tokens: 30, unit: "piece" },
  { operation: "keyword_generation", tokens: 1, unit: "piece" },
  { operation: "description", tokens: 20, unit: "piece" },
  { operation: "review", tokens: 10, unit: "piece" },
  { operation: "audit", tokens: 50, unit: "piece" },
  { operation: "competitor_analysis", tokens: 50, unit: "piece" },
];

export const defaultSettings: Settings = { welcome_tokens: 1_500, referral_percent: 10, token_rub: 1 };

function aPackage(
  code: string,
  given: { tokens: number; bonus: number; rub: number; stars: number; days?: number },
): Package {
  return {
    code,
    tokens: given.tokens,
    bonus: given.bonus,
    price_rub: given.rub,
    price_stars: given.stars,
    subscription_days: given.days ?? null,
    enabled: true,
  };
}
