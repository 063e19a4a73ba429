import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { aCategoryOwner } from "../../../../tests/support/seo-category.ts";
import { readSettings } from "../../settings/settings.ts";
import type { PlatformType } from "../../settings/shape.ts";
import { advancedFields, fields, plainFields } from "./fields.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

async function owner(given: Parameters<typeof aCategoryOwner>[1] = {}) {
  const made = await aCategoryOwner(harness, given);
  const settings = (on?: PlatformType) => readSettings(made.deps.sql, made.whose, made.categoryId, on);
  return { ...made, settings };
}

describe("content settings of a category", () => {
  // covers seo: F16; F41
  it("are chosen by taps: length, several styles of text, one of the page, pictures and their style", async () => {
    const { person, categoryId, settings } = await owner();
    await person.tap(`category:${categoryId}:content`);
    const { text } = await person.sees("Настройки контента — Зелёный чай");
    expect(text).toContain("Длина статьи: 1500–2500");
    expect(text).toContain("Стиль текста: Информативный");
    await person.press("Длина статьи");
    await person.press("2500–3500");
    await person.press("К настройкам контента");
    await person.press("Стиль текста");
    await person.press("С юмором");
    await person.press("✅ Информативный");
    await person.sees("Сейчас: С юмором");
    await person.press("К настройкам контента");
    await person.press("HTML-стиль");
    await person.press("E-commerce");
    await person.press("К настройкам контента");
    await person.press("Количество изображений");
    await person.press("10");
    await person.press("К настройкам контента");
    await person.press("Стиль изображений");
    await person.press("Акварель");
    await person.sees("Сейчас: Фотореализм, Акварель");
    expect(await settings()).toMatchObject({
      text: { words_min: 2_500, words_max: 3_500, style: ["С юмором"], html_style: "E-commerce" },
      image: { count: 10, styles: ["Фотореализм", "Акварель"] },
      ...{ text_from: "category", image_from: "category" },
    });
  });

  // covers seo: F08
  it("have advanced options of pictures; one format has to stay", async () => {
    const { person, categoryId, settings } = await owner();
    await person.tap(`category:${categoryId}:content`);
    await person.press("Дополнительно");
    await person.sees("Тонкая настройка изображений");
    await person.press("Форматы");
    await person.press("✅ 1:1");
    await person.screen();
    expect((await settings()).image.formats).toEqual(["1:1"]);
    await person.press("16:9");
    await person.press("Дополнительно");
    await person.press("Качество");
    await person.press("8K");
    await person.press("Дополнительно");
    await person.press("Тональность");
    await person.press("✅ Нейтральный");
    await person.sees("Сейчас: на выбор AI");
    await person.press("Дополнительно");
    await person.press("Текст на изображении");
    await person.press("30%");
    await person.press("Дополнительно");
    await person.press("Коллаж");
    await person.press("100%");
    await person.sees("Сейчас: 100%");
    expect((await settings()).image).toMatchObject({
      ...{ formats: ["1:1", "16:9"], quality: "8K", tones: [], text_on_image: 30, collage: 100 },
    });
    await person.tap(`category:${categoryId}:content`);
    await person.press("Вернуть стандартные");
    await person.sees("Настройки сброшены.");
    expect(await settings()).toMatchObject({ image_from: "default", text_from: "default" });
  });

  it("belong to one person", async () => {
    const { categoryId, settings } = await owner();
    const { person } = await owner();
    for (const address of [
      ...[
        `category:${categoryId}:content`,
        `content:${categoryId}:all:style`,
        `content:${categoryId}:all:more`,
      ],
      ...[`content:${categoryId}:all:style:0`, `content:${categoryId}:all:reset`],
    ]) {
      await person.tap(address);
      expect((await person.screen()).text).not.toContain("Зелёный чай");
    }
    expect(await settings()).toMatchObject({ text_from: "default" });
  });

  it("keep every address within what a button carries", () => {
    const longest = [...plainFields, ...advancedFields].map((field) => {
      const { length } = fields[field].options("wordpress");
      return `content:999999999999999:wordpress:${field}:${length}`;
    });
    expect(Math.max(...longest.map((each) => Buffer.byteLength(each)))).toBeLessThanOrEqual(64);
  });
});

describe("content settings of a platform", () => {
  it("are its own from the first change, text and pictures apart, and go back to the category's", async () => {
    const { person, categoryId, settings } = await owner();
    await person.tap(`category:${categoryId}:platform:telegram:content`);
    const first = await person.sees("Зелёный чай, Telegram");
    expect(first.text).not.toContain("(свои настройки)");
    expect(first.text).toContain("Длина статьи: 100–300");
    await person.press("Длина статьи");
    await person.press("300–500");
    await person.press("К настройкам контента");
    await person.sees("Зелёный чай, Telegram (свои настройки)");
    expect(await settings("telegram")).toMatchObject({
      ...{ text: { words_min: 300, words_max: 500 }, text_from: "platform", image_from: "default" },
    });
    expect(await settings()).toMatchObject({ text_from: "default" });
    await person.press("Сбросить к настройкам категории");
    await person.sees("Настройки сброшены.");
    expect(await settings("telegram")).toMatchObject({ text_from: "default" });
  });

  it("are not there for a platform that does not exist; English people read English options", async () => {
    const { person, categoryId } = await owner({ language: "en" });
    await person.tap(`category:${categoryId}:platform:myspace:content`);
    expect((await person.screen()).text).not.toContain("Content settings");
    await person.tap(`category:${categoryId}:platform:vk:content`);
    await person.press("Text style");
    await person.sees("In which style?");
    expect(await person.labels()).toEqual(expect.arrayContaining(["✅ Conversational", "Humorous"]));
  });
});
