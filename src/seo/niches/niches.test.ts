import { describe, expect, it } from "vitest";
import { detectNiche, disclaimerOf, imagePresets, isYmyl, nicheNames } from "./index.ts";

describe("the niche of a business", () => {
  it.each([
    ["Ветеринарная клиника и зоомагазин", "pets"],
    ["Стоматология для всей семьи", "medical"],
    ["детская стоматология", "medical"],
    ["Юридические услуги, банкротство физлиц", "legal"],
    ["автоюрист", "legal"],
    ["Ипотечный брокер", "finance"],
    ["Банк", "finance"],
    ["Банкетный зал", "food"],
    ["автошкола", "education"],
    ["Курсы английского", "education"],
    ["Агентство недвижимости, продажа квартир", "realestate"],
    ["Детские игрушки и коляски", "children"],
    ["Салон красоты, маникюр", "beauty"],
    ["Фитнес-клуб", "sport"],
    ["Кафе и пекарня", "food"],
    ["кафельная плитка", "construction"],
    ["Туроператор, туры на Алтай", "travel"],
    ["Автосервис и шиномонтаж", "auto"],
    ["Автоматизация бизнеса, 1С", "it"],
    ["IT-аутсорсинг", "it"],
    ["Ремонт квартир под ключ", "construction"],
    ["Котлы отопления", "construction"],
    ["Производство свечей", "general"],
    ["", "general"],
  ])("«%s» is %s", (specialization, niche) => expect(detectNiche(specialization)).toBe(niche));

  it("needs a disclaimer in both languages where health, rights or money are at stake", () => {
    expect(nicheNames.filter(isYmyl).sort()).toEqual(["finance", "legal", "medical"]);
    expect(disclaimerOf("medical", "ru")).toContain("врач");
    expect(disclaimerOf("legal", "ru")).toContain("юрист");
    expect(disclaimerOf("finance", "en")).toContain("investment");
    expect(disclaimerOf("food", "ru")).toBeUndefined();
    expect(Object.keys(imagePresets)).toHaveLength(8);
  });
});
