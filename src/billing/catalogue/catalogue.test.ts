import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPackages, defaultPrices } from "./defaults.ts";
import { tokensFor, tokensForText } from "./tokens-for.ts";

describe("prices", () => {
  it.each([
    [{ words: 2_000, images: 4 }, 320],
    [{ words: 1_500, images: 4 }, 270],
    [{ words: 5_000, images: 4 }, 620],
    [{ words: 100, images: 1 }, 40],
    [{ words: 101, images: 1 }, 50],
  ])("of %o are %i tokens", (amount, tokens) => {
    expect(tokensForText(defaultPrices, amount)).toBe(tokens);
  });

  it.each([
    ["keyword_generation", 150, 150],
    ["review", 5, 50],
    ["description", 1, 20],
    ["audit", 1, 50],
    ["competitor_analysis", 1, 50],
    ["cross_post", 80, 10],
  ])("of %s × %i are %i tokens", (operation, count, tokens) => {
    expect(tokensFor(defaultPrices, operation, count)).toBe(tokens);
  });

  it("never fall when the work grows", () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(500), (words, more) => {
        expect(tokensFor(defaultPrices, "text_generation", words + more)).toBeGreaterThanOrEqual(
          tokensFor(defaultPrices, "text_generation", words),
        );
      }),
    );
  });

  it("of work that nobody priced, or of a part of a word, are a mistake", () => {
    expect(() => tokensFor(defaultPrices, "poem", 1)).toThrow("nothing says what poem costs");
    expect(() => tokensFor(defaultPrices, "audit", 1.5)).toThrow("1.5 is no amount of audit");
    expect(() => tokensFor(defaultPrices, "audit", -1)).toThrow();
  });
});

describe("packages", () => {
  it("are the document's five, three of them with subscriptions", () => {
    expect(
      defaultPackages.map(({ code, tokens, bonus, price_rub, price_stars, subscription_days }) => [
        ...[code, tokens, bonus, price_rub, price_stars, subscription_days],
      ]),
    ).toEqual([
      ["mini", 1_000, 0, 1_000, 65, null],
      ["starter", 3_500, 500, 3_000, 195, null],
      ["pro", 7_200, 1_200, 6_000, 390, 30],
      ["business", 18_000, 3_000, 15_000, 975, 30],
      ["enterprise", 50_000, 10_000, 40_000, 2_600, 30],
    ]);
  });
});
