import { describe, expect, it } from "vitest";
import { foreignWords } from "../checks/index.ts";
import { withLineBelow } from "../posts/fit-post.ts";
import { looksLikeAdvert, markingLine, parseMarking } from "./index.ts";

describe("a text looks like an advert", () => {
  it.each([
    ["Сенча, 50 г — 700 руб.", true],
    ["Набор за 1 900 ₽ до конца недели.", true],
    ["Заказывайте на сайте.", true],
    ["Напишите в «Два листа», и мы подскажем.", true],
    ["Скидка на все улуны.", true],
    ["Сохраните, чтобы не потерять.", false],
    ["Улун заваривают проливами при 95 градусах.", false],
    ["Акционеры обсудили урожай 2024 года.", false],
    ["Рубашка из хлопка: как ухаживать.", false],
  ])("«%s»: %s", (text, expected) => {
    expect(looksLikeAdvert(text)).toBe(expected);
  });
});

describe("the marking of adverts", () => {
  const marking = { advertiser: "ООО «Два листа»", inn: "7707083893", erid: "2VtzqwXyz9" };

  it.each([
    "ООО «Два листа», ИНН 7707083893, erid 2VtzqwXyz9",
    "erid: 2VtzqwXyz9\nООО «Два листа»\n7707083893",
    "ООО «Два листа»; 7707083893; 2VtzqwXyz9",
  ])("is read from «%s»", (typed) => {
    expect(parseMarking(typed)).toEqual({ ok: true, marking });
    expect(markingLine(marking)).toBe("Реклама. ООО «Два листа», ИНН 7707083893. erid: 2VtzqwXyz9");
  });

  it.each([
    ["ООО «Два листа», 7707083894, 2VtzqwXyz9", "ИНН не подходит"],
    ["ООО «Два листа», 123, 2VtzqwXyz9", "ИНН не подходит"],
    ["ООО «Два листа», 7707083893", "Не вижу erid"],
    ["7707083893, 2VtzqwXyz9", "Не вижу, кто рекламодатель"],
  ])("is not read from «%s», and says what is missing", (typed, said) => {
    expect(parseMarking(typed)).toMatchObject({ ok: false, said: { ru: expect.stringContaining(said) } });
  });

  it("knows the number of a sole trader", () => {
    expect(parseMarking("ИП Иванова А. А., 500100732259, 2VtzqwXyz9")).toMatchObject({
      marking: { advertiser: "ИП Иванова А. А.", inn: "500100732259" },
    });
  });

  it("gets room below a Pin that was full", () => {
    const sentence = "Чай хранят в банке без света и запахов.";
    const text = Array.from({ length: 11 }, () => sentence).join(" ");
    const post = {
      text,
      format: "plain" as const,
      hashtags: ["#чай", "#улун", "#хранение"],
      pin_title: "Чай",
      words: 88,
    };
    const line = markingLine(marking);
    const made = withLineBelow(post, "pinterest", line);
    expect([made.text, line, made.hashtags.join(" ")].join("\n\n").length).toBeLessThanOrEqual(500);
    expect(made.text).toContain(sentence);
    expect(withLineBelow({ ...post, text: "<b>Чай</b> и вода", format: "html" }, "telegram", line).text).toBe(
      "<b>Чай</b> и вода",
    );
  });
});

it("words in Latin letters are named, but not the names of the business, abbreviations, models and addresses", () => {
  const found = foreignWords(
    "Большой sale в Tea House! Чайник X200 с USB, пишите на shop@tea.ru или tea.ru #tea. Новый look и sale.",
    ["Tea House"],
  );
  expect(found.map(({ message }) => message.ru)).toEqual([
    expect.stringMatching(/^Слова латиницей: sale, look\./),
  ]);
  expect(foreignWords("Only English here", [])).toEqual([]);
});
