import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileText } from "../../../tests/hostile/fuzz/arbitraries.ts";
import {
  countWords,
  findPhrase,
  loadLanguage,
  type Morphology,
  phraseOf,
  quantitiesOf,
  sentencesOf,
  stemMorphology,
  syllablesOf,
  wordsOf,
} from "./index.ts";

let morphology: Morphology;
beforeAll(async () => {
  ({ morphology } = await loadLanguage());
});

describe("sentences", () => {
  it.each([
    ["Мы работаем в г. Москва. Доставка бесплатна.", 2],
    ["Берите прочный каркас, т. е. фанеру или металл. Он дольше служит.", 2],
    ["А. С. Пушкин купил диван. И. И. Иванов тоже.", 2],
    ["Вес 3.5 кг, длина 2.1 м. Цена 990.50 руб. за штуку.", 2],
    ["В 2024 г. Компания открыла склад. Он на ул. Ленина, д. 5.", 3],
    ["Столы, стулья и т. д. Всё есть на складе.", 2],
    ["Цена 500 руб. Доставка отдельно.", 2],
    ["1. Замерьте стену. 2. Выберите ткань.", 2],
    ["Почему? Потому что дешевле! Правда…", 3],
    ["«Привезли вовремя.» Он доволен.", 2],
    ["Покупали на Яндекс.Маркете и др. сайтах.", 1],
    ["— Сколько стоит? — спросила она. Ответа не было.", 2],
    ["…", 0],
    ["", 0],
  ])("of %j are counted as a reader does: %i", (text, count) => {
    expect(sentencesOf(text).map((sentence) => sentence.text)).toHaveLength(count);
  });

  it("hold every word of their paragraph, once and in order, whatever the text is", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: "grapheme" })), (text) => {
        const words = sentencesOf(text).flatMap((sentence) => sentence.words);
        expect(words).toEqual(wordsOf(text));
      }),
    );
  });
});

describe("words", () => {
  it("keep hyphens, decimals and the letters of other scripts", () => {
    expect(wordsOf("Интернет-магазин IKEA: 3,5 кг — 1.200 ₽").map((word) => word.text)).toEqual([
      ...["Интернет-магазин", "IKEA", "3,5", "кг", "1.200"],
    ]);
    expect(countWords(" — … ! ")).toBe(0);
  });

  it.each([
    ["молоко", 3],
    ["диван", 2],
    ["в", 0],
    ["её", 2],
    ["delivery", 4],
    ["беспроводной", 4],
  ])("%s has %i syllables", (word, count) => expect(syllablesOf(word)).toBe(count));
});

describe("lemmas", () => {
  it.each([
    [["диван", "дивана", "диваны", "диванами"]],
    [["ребёнок", "детей", "детьми"]],
    [["идти", "шёл", "шли", "идёт"]],
    [["ветклиника", "ветклинике", "ветклиник"]],
    [["ещё", "еще"]],
    [["год", "лет", "года"]],
  ])("of %j are the same", (forms) => {
    const [first, ...others] = forms.map((form) => morphology.read(form));
    for (const other of others)
      expect(
        other.keys.some((key) => first?.keys.includes(key)),
        other.lemma,
      ).toBe(true);
  });

  it("come from the dictionary, and from stems where it has no answer", () => {
    expect(morphology.name).toBe("dictionary");
    expect(morphology.read("мрт").lemma).toBe("мрт");
    expect(morphology.read("Bosch").keys).toEqual(["bosch"]);
    const stems = stemMorphology();
    expect(stems.read("столами").lemma).toBe(stems.read("стола").lemma);
    expect(stems.read("красивого").lemma).toBe(stems.read("красивая").lemma);
  });

  it("take no time to speak of for a word of 100 KB", () => {
    const word = "ее".repeat(50_000);
    expect(morphology.read(word).lemma).toBe(word);
  });
});

describe("a phrase", () => {
  const count = (phrase: string, text: string, with_ = morphology) =>
    findPhrase(
      phraseOf(phrase, with_),
      wordsOf(text).map((word) => ({ folded: word.folded, keys: with_.read(word.text).keys })),
    ).length;

  it.each([
    ["купить диван", "Купить диван легко", 1],
    ["купить диван", "при покупке дивана смотрят на каркас", 1],
    ["купить диван", "диван купили вчера", 1],
    ["купить диван", "купите у нас новый диван", 1],
    ["купить диван", "купить стол, а потом ещё два стула и только после них диван", 0],
    ["купить диван", "диванная подушка", 0],
    ["купить диван в москве", "Где в Москве купить угловой диван?", 1],
    ["ремонт квартир", "Ремонтируем квартиры. Ремонт квартиры под ключ, отремонтировать квартиру", 3],
    ["диван", "Диван, дивану, диваном: три формы", 3],
    ["работа за работой", "работа", 0],
    ["работа за работой", "работа за работой", 1],
    ["как это", "вот как это бывает", 1],
    ["", "что угодно", 0],
  ])("«%s» is found in «%s» %i times", (phrase, text, times) => expect(count(phrase, text)).toBe(times));

  it("is told apart as given and in other forms", () => {
    const find = (text: string) =>
      findPhrase(
        phraseOf("купить диван в москве", morphology),
        wordsOf(text).map((word) => ({ folded: word.folded, keys: morphology.read(word.text).keys })),
      ).map((each) => each.exact);
    expect(find("Как купить диван в Москве")).toEqual([true]);
    expect(find("Покупка диванов в Москве")).toEqual([false]);
  });

  it("is found by stems too", () =>
    expect(count("угловой стол", "угловым столом", stemMorphology())).toBe(1));
});

describe("numbers with units", () => {
  const read = (text: string) => quantitiesOf(text).map(({ value, unit }) => `${value} ${unit}`);

  it.each([
    ["Цена 12 500 руб., доставка 1,5 тыс. рублей", ["12500 руб.", "1500 руб."]],
    ["Скидка 15%, срок 2–3 дня", ["15 %", "2 день", "3 день"]],
    ["от 500 до 900 ₽", ["500 руб.", "900 руб."]],
    ["2 млн руб. и 3,2 м²", ["2000000 руб.", "3.2 м²"]],
    ["Boeing 737 и А320, дом 5", []],
    ["в 2024 году, 10 лет", ["2024 год", "10 год"]],
  ])("of %j are %j", (text, expected) => expect(read(text)).toEqual(expected));
});
