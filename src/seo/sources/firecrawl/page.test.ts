import { expect, it } from "vitest";
import { countWords, headingsIn } from "./page.ts";

it("headings are those of the first three levels, outside of code", () => {
  const markdown =
    "# Диваны\n\n## Как **выбрать** [диван](https://a.example)\n```\n## код\n```\n#нет\n### Цена\n#### мелочь";
  expect(headingsIn(markdown)).toEqual([
    { level: 1, text: "Диваны" },
    { level: 2, text: "Как выбрать диван" },
    { level: 3, text: "Цена" },
  ]);
});

it("words are counted without marks and addresses", () => {
  expect(
    countWords("**Купить** [угловой диван](https://a.example/купить-диван) за 10 000 ₽ — из-за скидки."),
  ).toBe(8);
  expect(countWords("См. https://a.example/путь и ![](https://a.example/1.png)")).toBe(2);
});

it("pages that open brackets and never close them are read in one pass", () => {
  const odd = "[a](".repeat(100_000);
  expect(countWords(odd)).toBe(100_000);
  expect(headingsIn(`## ${odd}`)).toHaveLength(1);
});
