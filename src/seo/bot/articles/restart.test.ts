import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../../tests/support/seo-article-bot.ts";

let bot: ArticleBot;
beforeAll(async () => {
  bot = await startArticleBot();
});
afterAll(() => bot.close());

describe("a system that is stopped and started again", () => {
  // covers seo: F37
  it("goes on with an article that was being written, and with one that was being published", async () => {
    const { person } = await bot.aBusiness();
    await person.press("Написать статью на сайт");
    await bot.control("POST", "/faults", {
      provider: "openrouter",
      fault: { kind: "delay", ms: 1500 },
      times: 3,
    });
    await person.press("Создать статью");
    await person.sees("Статья — Генерация...");
    await bot.running.restart();
    await person.sees("Превью приблизительное");
    expect(await person.stands()).toBe("ArticlePipeline.preview");
    const held = 1500 - (await person.balance());
    expect(held).toBeGreaterThan(0);

    await bot.control("POST", "/faults", {
      provider: "wordpress",
      fault: { kind: "delay", ms: 800 },
      times: 2,
    });
    await person.press("Опубликовать");
    await bot.running.restart();
    await person.sees("Опубликовано!");
    expect(await person.balance()).toBe(1500 - held);
    const logs = await bot.sql`
      select from seo.publication_logs where user_id = ${person.id} and status = 'success'`;
    expect(logs).toHaveLength(1);
  });
});
