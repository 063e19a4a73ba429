import { beforeAll, describe, expect, it } from "vitest";
import { loadLanguage, type Morphology, sentencesOf, stemMorphology } from "../language/index.ts";
import { lintStyle, markers, weightOf } from "./index.ts";

let morphology: Morphology;
beforeAll(async () => {
  ({ morphology } = await loadLanguage());
});

function lint(text: string, with_ = morphology) {
  const sentences = sentencesOf(text).map((sentence) => ({
    text: sentence.text,
    words: sentence.words.map((word) => ({ ...word, keys: with_.read(word.text).keys })),
  }));
  return lintStyle(sentences, with_);
}

describe("style lint", () => {
  it.each([
    ["Правильный каркас играет ключевую роль в сроке службы.", "key-role"],
    ["Эти узлы играли решающую роль.", "key-role"],
    ["Важно помнить, что ткань выгорает.", "important-to-remember"],
    ["Это не просто диван, а место для сна.", "not-just"],
    ["Мы не только продаём, но и собираем.", "not-only-but"],
    ["Компания является поставщиком.", "is"],
    ["Мы осуществляем доставку.", "carry-out"],
    ["У нас широкий ассортимент.", "wide-range"],
    ["Специалисты сделают всё в кратчайшие сроки.", "shortest-time"],
    ["Работа высококвалифицированных мастеров.", "highly-qualified"],
    ["Материал, не имеющий аналогов.", "no-analogues"],
    ["Мы рады предложить скидку.", "glad-to-offer"],
    ["Это самая динамично развивающаяся компания.", "dynamically"],
    ["Товары высочайшего качества.", "highest-quality"],
    ["Данная услуга дороже.", "given"],
  ])("finds the marker of «%s»", (text, id) => {
    expect(lint(text).found.map(({ marker }) => marker.id)).toContain(id);
    expect(lint(text, stemMorphology()).perHundred).toBeGreaterThanOrEqual(0);
  });

  it("leaves alone what people write: facts, dashes, ranges, «данные» as data", () => {
    const text =
      "Каркас из фанеры толщиной 18 мм служит 10–12 лет — дольше, чем ДСП. Данные о ткани есть на бирке. Он играет на гитаре.";
    expect(lint(text).found).toEqual([]);
  });

  it("weighs a marker by its lift: what people use more weighs next to nothing", () => {
    const weight = (id: string) => markers.filter((marker) => marker.id === id).map(weightOf)[0];
    expect(weight("key-role")).toBe(4);
    expect(weight("is")).toBeCloseTo(1.26, 2);
    expect(weight("carry-out")).toBe(1);
    expect(weight("given")).toBe(0.1);
  });

  it("counts every word of the document's list", () => {
    const text =
      "Компания является лидером. Мы осуществляем данный вид работ. Широкий ассортимент. Индивидуальный подход. Высококвалифицированный мастер. В кратчайшие сроки. Уникальный опыт. На сегодняшний день. В рамках акции. Комплексный подход. Оптимальное решение. Динамично развивающийся рынок. Он занимает лидирующие позиции. Она воплощает в себе мечту. Мы рады предложить. Не имеющий аналогов. Передовые технологии. Инновационный подход. Высочайшее качество.";
    expect(lint(text).found).toHaveLength(20);
  });

  it("measures how sentences differ in length", () => {
    expect(lint("Раз два три. Раз два три. Раз два три.").variation).toBe(0);
    expect(lint("Да. Раз два три четыре пять шесть семь восемь.").variation).toBeGreaterThan(0.5);
    expect(lint("").variation).toBe(0);
  });
});
