import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../../tests/support/seo-article-bot.ts";
import type { SeoPerson } from "../../../../tests/support/seo-bot.ts";
import { expireArticles } from "../../publish/expire-articles.ts";

let bot: ArticleBot;
beforeAll(async () => {
  bot = await startArticleBot();
});
afterEach(() => bot.control("DELETE", "/faults"));
afterAll(() => bot.close());

async function begin(given: Parameters<ArticleBot["aBusiness"]>[0] = {}) {
  const business = await bot.aBusiness(given);
  const { person, categoryId, connectionId } = business;
  await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
  return business;
}

async function toPreview(person: SeoPerson) {
  await person.press("Да, сгенерировать");
  await person.sees("Превью приблизительное");
}

const fault = (provider: string, given: Record<string, unknown> = {}) =>
  bot.control("POST", "/faults", { provider, fault: { kind: "status", status: 500 }, times: 1000, ...given });

const grewOld = (userId: number) => bot.sql`
  update seo.article_previews set expires_at = now() - interval '1 minute', created_at = now() - interval '2 days'
  where user_id = ${userId}`;

async function expire() {
  const { articles, runs, cleanUp } = bot.services;
  expect(await expireArticles({ ...articles, runs, cleanUp })).toBeGreaterThan(0);
}

describe("an article that meets trouble", () => {
  // covers seo: E05
  it("shows its beginning in the chat when Telegraph is down", async () => {
    await fault("telegraph");
    const { person } = await begin();
    await person.press("Да, сгенерировать");
    const preview = await person.sees("Начало статьи:");
    expect(preview.text).toContain("Предпросмотр недоступен");
    expect(preview.text).not.toContain("Превью приблизительное");
    expect(preview.text.length).toBeLessThanOrEqual(4096);
    await bot.control("DELETE", "/faults");
    await person.press("Опубликовать");
    await person.sees("Опубликовано!");
  });

  // covers seo: E34
  it("goes on without pictures when none could be drawn, and returns what they cost", async () => {
    const { person } = await begin();
    await fault("openrouter", { fault: { kind: "answer", flaw: "no_image" } });
    await person.press("Да, сгенерировать");
    const preview = await person.sees("без изображений (генерация не удалась)");
    expect(preview.text).toContain("Возвращено 120 токенов");
  });

  // covers seo: E35
  it("says that the text failed and the tokens are back, with ways on", async () => {
    const { person } = await begin();
    await fault("openrouter", { fault: { kind: "answer", flaw: "empty" } });
    await person.press("Да, сгенерировать");
    await person.sees("Генерация статьи не удалась. Токены возвращены.");
    expect(await person.labels()).toEqual(expect.arrayContaining(["Попробовать снова", "К категории"]));
    expect(await person.balance()).toBe(1500);
    await bot.control("DELETE", "/faults");
    await person.press("Попробовать снова");
    await person.sees("Превью приблизительное");
  });

  // covers seo: E18
  it("offers to begin again when the preview is older than a day", async () => {
    const { person, whose } = await begin();
    await toPreview(person);
    await grewOld(whose.userId);
    await person.press("Опубликовать");
    await person.sees("Превью устарело. Сгенерируйте статью заново.");
    expect(await person.labels()).toEqual(["Сгенерировать заново", "К категории"]);
    const held = 1500 - (await person.balance());
    await expire();
    await person.sees(`Превью статьи «как выбрать чай улун» истекло. Токены возвращены: +${held}.`);
    expect(await person.labels()).toEqual(["Сгенерировать заново", "К категории"]);
    expect(await person.balance()).toBe(1500);
    await person.press("Сгенерировать заново");
    await person.sees("Стоимость: ~320 ток.");
  });

  // covers seo: E18
  it("ends its flow when its preview expires, and its person is told that the tokens are back", async () => {
    const { person, whose, categoryId } = await bot.aBusiness();
    await person.tap("pipeline:article:start");
    await person.press("Создать статью");
    const { id: old } = await person.sees("Превью приблизительное");
    await grewOld(whose.userId);
    const held = 1500 - (await person.balance());
    await expire();
    await person.sees(`Превью статьи «как выбрать чай улун» истекло. Токены возвращены: +${held}.`);
    await person.screen();
    expect((await person.messages()).find(({ id }) => id === old)?.buttons).toEqual([]);
    expect(await person.stands()).toBe("ArticlePipeline.expired");
    expect(await person.labels()).toEqual(["Сгенерировать заново", "К категории"]);
    const [files] = await bot.sql`
      select p.status, r.status as run from seo.article_previews p join seo.runs r on r.id::text = p.run
      where p.user_id = ${whose.userId}`;
    expect(files).toEqual({ status: "expired", run: "expired" });
    await person.press("К категории");
    expect(await person.stands()).toBe(`screen:category:${categoryId}:card`);
  });

  // covers seo: E18
  it("is told of in English to whoever left it, and ordered again with one tap", async () => {
    const person = await bot.person({ language: "en" });
    await person.say("/start");
    await person.screen();
    const { whose } = await bot.aBusiness({ person });
    await person.tap("pipeline:article:start");
    await person.press("Write the article");
    await person.sees("The preview is approximate");
    await person.fallSilent();
    await person.screen();
    await grewOld(whose.userId);
    const held = 1500 - (await person.balance());
    await expire();
    const told = await person.sees("The preview of the article “как выбрать чай улун” has expired.");
    expect(told.text).toContain(`Tokens returned: +${held}.`);
    expect(told.buttons.flat().map(({ text }) => text)).toEqual(["Generate again"]);
    expect(await person.stands()).toBe("screen:dashboard");
    await person.press("Generate again");
    await person.sees("Cost: ~320");
    expect(await person.stands()).toBe("ArticlePipeline.confirm_cost");
  });

  // covers seo: E02
  it("returns the tokens when the site is down, and can be tried again, elsewhere, or kept as a draft", async () => {
    const { person } = await begin({ sites: 2 });
    await toPreview(person);
    await fault("wordpress", { fault: { kind: "status", status: 400 } });
    await person.press("Опубликовать");
    const failed = await person.sees("Не удалось опубликовать в WordPress");
    expect(failed.text).toMatch(/Токены возвращены: \d+/);
    expect(await person.balance()).toBe(1500);
    expect(await person.labels()).toEqual([
      ...["Повторить", "Другое подключение", "Проверить подключение", "Сохранить как черновик"],
    ]);
    await bot.control("DELETE", "/faults");
    await person.press("Другое подключение");
    await person.sees("На какой сайт опубликовать?");
    const site = (await person.labels()).find((label) => label.includes("wordpress.test"));
    await person.press(site ?? "");
    await person.sees("Опубликовано!");
    expect(await person.balance()).toBeLessThan(1500);
  });

  it("is kept as a draft after a failure, and published when its person comes back", async () => {
    const { person, categoryId, connectionId } = await begin();
    await toPreview(person);
    await fault("wordpress", { fault: { kind: "status", status: 400 } });
    await person.press("Опубликовать");
    await person.sees("Не удалось опубликовать в WordPress");
    await person.press("Сохранить как черновик");
    await person.sees("Черновик сохранён на 24 часа");
    await bot.control("DELETE", "/faults");
    await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await person.press("Продолжить");
    await person.sees("Не удалось опубликовать в WordPress");
    await person.press("Повторить");
    await person.sees("Опубликовано!");
  });

  // After this no model is asked for a while: it comes last.
  it("says when to try again once every model has failed", async () => {
    const { person } = await begin();
    await fault("openrouter", { fault: { kind: "status", status: 503 } });
    await person.press("Да, сгенерировать");
    const wait = "AI-сервис временно недоступен, попробуйте через минуту.";
    const { text } = await person.sees(wait);
    expect(text).toContain("Генерация статьи не удалась. Токены возвращены.");
    await bot.control("DELETE", "/faults");
    await person.press("Попробовать снова");
    await person.screen();
    expect((await person.sees(wait)).id).toBe((await person.screen()).id);
    expect(await person.balance()).toBe(1500);
  });
});
