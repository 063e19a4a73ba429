import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../../tests/hostile/fuzz/arbitraries.ts";
import {
  checkFabricated,
  copiedFrom,
  fabricatedPrices,
  footprintOf,
  foreignPhones,
  hammingDistance,
  isNearDuplicate,
  placeholdersIn,
  simHash,
  unsourcedClaims,
  validateContent,
} from "./index.ts";

const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);
const paragraph =
  "Хороший каркас делают из фанеры толщиной восемнадцать миллиметров, и он служит десять лет. ";

describe("validation of content", () => {
  it("collects all errors of an article at once", () => {
    const { ok, errors } = validateContent({
      destination: "wordpress",
      kind: "article",
      format: "markdown",
      text: "Коротко. TODO, [INSERT PRICE] и {заполнить}",
    });
    expect(ok).toBe(false);
    expect(codes(errors)).toEqual([
      ...["placeholder", "placeholder", "placeholder", "too_short", "no_h1", "no_h2", "no_paragraph"],
    ]);
    expect(errors.every(({ message }) => message.ru !== "" && message.en !== "")).toBe(true);
  });

  it("takes the title as the H1 and warns when there are no questions", () => {
    const article = {
      destination: "wordpress",
      kind: "article",
      format: "markdown",
      title: "Диван",
    } as const;
    const text = `## Каркас\n\n${paragraph.repeat(8)}`;
    const { ok, warnings } = validateContent({ ...article, text });
    expect([ok, codes(warnings)]).toEqual([true, ["no_faq"]]);
    expect(validateContent({ ...article, text, faq: 3 }).warnings).toEqual([]);
    expect(validateContent({ ...article, text: `# Диван\n\n${text}\n\n## Вопросы\n\nЕсть?` }).ok).toBe(true);
    expect(codes(validateContent({ ...article, text: `# Иное\n\n${text}` }).errors)).toEqual(["several_h1"]);
  });

  it("knows the limits of each platform", () => {
    const post = { kind: "post", format: "plain" } as const;
    const check = (destination: "telegram" | "vk" | "pinterest", length: number, more = {}) =>
      codes(validateContent({ ...post, destination, text: "я".repeat(length), ...more }).errors);
    expect(check("telegram", 4096)).toEqual([]);
    expect(check("telegram", 4097)).toEqual(["too_long"]);
    expect(check("vk", 16_384)).toEqual([]);
    expect(check("vk", 16_385)).toEqual(["too_long"]);
    expect(check("pinterest", 501, { title: "т".repeat(101) })).toEqual(["too_long", "too_long", "no_image"]);
    expect(check("pinterest", 500, { title: "т".repeat(100), images: 1 })).toEqual([]);
    expect(check("telegram", 0)).toEqual(["empty"]);
    const long = validateContent({ ...post, destination: "telegram", text: "я".repeat(1025), images: 1 });
    expect(codes(long.warnings)).toEqual(["caption_apart"]);
  });

  it("finds every placeholder of the list and none in words that look like one", () => {
    const text = "[INSERT x] [YOUR name] Lorem ipsum TODO <placeholder> {заполнить} ПРИМЕР ТЕКСТА";
    expect(placeholdersIn(text)).toHaveLength(7);
    expect(placeholdersIn("Метод todo-листа, например: пример текста")).toEqual([]);
  });
});

describe("facts that may be made up", () => {
  // covers seo: E48
  it("are prices more than a fifth away from every price of the list", () => {
    const shown = (text: string, prices: number[]) =>
      fabricatedPrices(text, prices).map(({ message }) => message.ru.replace(/\s/g, " "));
    expect(shown("Диван за 12 500 руб. и кресло за 7 000 ₽", [10_500, 5_000])).toEqual([
      "Возможно выдуманная цена: 7 000 руб.",
    ]);
    expect(shown("от 8 400 до 12 600 рублей", [10_500])).toEqual([]);
    expect(shown("за 1 рубль", [])).toEqual([]);
    expect(shown("через 3 дня, 40 %", [10_500])).toEqual([]);
  });

  it("are phones that the company's data does not have, however they are written", () => {
    const data = "Звоните: +7 (495) 123-45-67, склад 8 800 555-35-35";
    expect(foreignPhones("Тел. 8 495 1234567 или 123-45-67", data)).toEqual([]);
    expect(foreignPhones("8 (800) 555 35 35", data)).toEqual([]);
    expect(foreignPhones("Тел. +7 999 000-11-22, заказ 2024-11-05", data)[0]?.message.ru).toContain(
      "+7 999 000-11-22",
    );
    expect(foreignPhones("22-33-44", "")).toHaveLength(1);
  });

  // covers seo: E48
  it("are none where a source bears the sentence out, and phones all the same", () => {
    const proved = "По данным замеров, ремонт стоит 70 000 рублей.";
    const text = `${proved} Диван — 90 000 рублей.\nЗвоните: 8 999 000-11-22.`;
    const facts = { prices: [10_500], companyData: "", sources: ["Росстат"] };
    const shown = (supported: string[]) => codes(checkFabricated(text, { ...facts, supported }));
    expect(shown([])).toEqual(["fabricated_price", "fabricated_price", "unknown_phone", "unsourced_claim"]);
    expect(shown([proved])).toEqual(["fabricated_price", "unknown_phone"]);
  });

  it("are claims without a source", () => {
    expect(unsourcedClaims("Исследования показывают, что диваны полезны.", [])).toHaveLength(1);
    expect(
      unsourcedClaims("По данным экспертов, спрос вырос. Согласно договору, срок 5 дней.", []),
    ).toHaveLength(1);
    expect(unsourcedClaims("По данным Росстата, спрос вырос.", [])).toEqual([]);
    expect(unsourcedClaims("По данным Росстата, спрос вырос.", ["ВЦИОМ"])).toHaveLength(1);
    expect(unsourcedClaims("По опросу ВЦИОМ, спрос вырос.", ["ВЦИОМ"])).toEqual([]);
    expect(unsourcedClaims("Мы опросили соседей: им нравится.", [])).toEqual([]);
  });

  it("are looked for in any text without a throw", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        checkFabricated(text, { prices: [100], companyData: text, sources: [text] });
        validateContent({ destination: "wordpress", kind: "article", format: "html", text });
      }),
    );
  });
});

describe("likeness of texts", () => {
  const text = Array.from(
    { length: 60 },
    (_, n) => `Совет ${n}: проверьте узел ${n * 7} и запишите ${n * 13} мм.`,
  ).join(" ");

  it("is seen by SimHash in near-identical texts only, and the hash fits a signed bigint", () => {
    const near = simHash(text.replace("проверьте узел 7 ", "осмотрите узел 7 "));
    expect(isNearDuplicate(simHash(text), near)).toBe(true);
    expect(isNearDuplicate(simHash(text), simHash(paragraph.repeat(20)))).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
        const [first, second] = [simHash(one), simHash(other)];
        expect(BigInt.asIntN(64, first)).toBe(first);
        expect(simHash(one)).toBe(first);
        expect(hammingDistance(first, first)).toBe(0);
        expect(hammingDistance(first, second)).toBe(hammingDistance(second, first));
        expect(hammingDistance(first, second)).toBeLessThanOrEqual(64);
      }),
    );
    expect(hammingDistance(0n, -1n)).toBe(64);
  });

  it("is the share of five words in a row that others have", () => {
    const other = { id: "b", text: "одно два три четыре пять шесть" };
    expect(copiedFrom("Раз, два три четыре пять шесть семь", [other])).toEqual({
      share: 1 / 3,
      others: [{ id: "b", share: 1 / 3 }],
    });
    expect(copiedFrom("мало слов", [other]).share).toBe(0);
    expect(copiedFrom(text, [{ id: 1, text }]).share).toBe(1);
  });

  it("over the last thirty posts becomes advice, and only from five posts on", () => {
    const alike = {
      words: 1500,
      faq: 3,
      opening: "В современном мире диван нужен всем",
      anchors: ["подробнее"],
    };
    const posts = Array.from({ length: 40 }, () => alike);
    const report = footprintOf(posts);
    expect(report).toMatchObject({ posts: 30, lengthSpread: 0, sameFaq: 1, sameOpening: 1, sameAnchor: 1 });
    expect(codes(report.warnings)).toEqual([
      ...["same_length", "same_faq", "same_opening", "same_anchor", "slow_down"],
    ]);
    const different = Array.from({ length: 40 }, (_, n) => ({
      ...{
        words: 600 + 90 * (n % 17),
        faq: n % 5,
        opening: `${n} день начался с замера`,
        anchors: [`ссылка ${n}`],
      },
    }));
    expect(footprintOf(different).warnings).toEqual([]);
    expect(footprintOf(posts.slice(0, 4)).warnings).toEqual([]);
    expect(footprintOf([])).toMatchObject({ posts: 0, sameAnchor: 0, warnings: [] });
  });
});
