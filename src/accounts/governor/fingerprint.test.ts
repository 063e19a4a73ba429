import { describe, expect, it } from "vitest";
import { distanceBetween, fingerprintOf, nearBits } from "./fingerprint.ts";

const flat =
  "Сдаётся двухкомнатная квартира у парка. Улица Садовая, дом 12. Этаж 5, площадь 54 м², 45000 рублей. Свежий ремонт, " +
  "мебель новая. Кухня с посудомойкой. До метро пять минут. Без животных, залог за месяц. Звоните с десяти до восьми.";
const isNear = (one: string, other: string) =>
  distanceBetween(fingerprintOf(one), fingerprintOf(other)) <= nearBits;

describe("near-identical texts", () => {
  it.each([
    ["another price and floor", flat.replace("45000", "52 500").replace("Этаж 5", "Этаж 11")],
    ["another case, emoji and punctuation", `🔥 ${flat.toUpperCase().replaceAll(".", "!")} 🔥`],
    ["markup around the same words", `<b>${flat.replace("Улица", "</b><i>Улица")}</i>`],
    ["ё written as е", flat.replaceAll("ё", "е")],
    ["one word changed", flat.replace("Свежий", "Хороший")],
    ["a line added", `${flat} Торг уместен.`],
  ])("are recognised: %s", (_, other) => {
    expect(isNear(flat, other)).toBe(true);
  });

  it.each([
    "Предлагаем в аренду студию на набережной. Улица Речная, дом 7. Высокие потолки, паркет, кладовая. Кухня отдельная. Рядом рынок и бассейн. Семье из двух человек. Пишите в личные сообщения.",
    "Продам мотоцикл, пробег небольшой, один хозяин, зимой стоял в тёплом гараже, документы в порядке.",
    "Коротко",
  ])("are told from others: %s", (other) => {
    expect(isNear(flat, other)).toBe(false);
  });

  it("have a fingerprint that PostgreSQL's bigint holds", () => {
    for (const text of [flat, "", "а", "🔥", "x".repeat(5000)])
      expect(BigInt.asIntN(64, fingerprintOf(text))).toBe(fingerprintOf(text));
  });
});
