import { describe, expect, it } from "vitest";
import { sortFacts } from "./own-facts.ts";

const told = (...texts: string[]) => ({ texts, prices: [], names: ["Дубрава", "Казань", "кухни на заказ"] });
const competitors = [
  "Мы даём гарантию 5 лет на фасады. Работаем без выходных.",
  "Наша мастерская открылась в 1998 году.",
];

describe("a fact that only this business has", () => {
  it.each([
    ["has a figure of its own", "За 12 лет мы собрали 840 кухонь.", true],
    ["names somebody", "Все эскизы рисует Марина Гусева.", true],
    ["has a date", "Мастерская открылась в 2009 году.", true],
    ["is not what anybody could say", "Мы работаем качественно и быстро, с душой.", false],
    ["is not what a competitor says", "Гарантия на фасады 5 лет.", false],
    ["is not its own name and city", "«Дубрава» делает кухни на заказ в Казани.", false],
    ["is not a question", "Почему нас выбирают 100 раз из 100?", false],
  ])("%s", (_, fact, isOwn) => {
    const { own, common } = sortFacts(told(fact), competitors);
    expect({ own, common }).toEqual(isOwn ? { own: [fact], common: [] } : { own: [], common: [fact] });
  });

  it("is every price, and a sentence that is told twice counts once", () => {
    const texts = ["Собираем за 3 дня. Собираем за 3 дня.", "Красиво."];
    expect(sortFacts({ texts, prices: ["Кухня — 90 000 ₽"], names: [] }, [])).toEqual({
      own: ["Собираем за 3 дня.", "Кухня — 90 000 ₽"],
      common: ["Красиво."],
    });
  });
});
