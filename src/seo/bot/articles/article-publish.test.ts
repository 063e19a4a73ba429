import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../../tests/support/seo-article-bot.ts";
import type { SeoPerson } from "../../../../tests/support/seo-bot.ts";
import { until } from "../../../../tests/support/until.ts";

let bot: ArticleBot;
beforeAll(async () => {
  bot = await startArticleBot({ environment: { ADMIN_ID: "999001" } });
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

describe("an article from the menu of a site", () => {
  // covers seo: F04; F40
  it("is confirmed, written, looked at and published, with a receipt", async () => {
    const { person } = await begin();
    const asked = await person.sees("Публикация статьи");
    expect(asked.text).toContain("Фраза: «как выбрать чай улун»");
    expect(asked.text).toContain("Стоимость: ~320 ток.");
    await toPreview(person);
    const preview = await person.screen();
    expect(preview.text).toMatch(/Слов: [\d\s]+ \| Изображений: 4 \| Разделов: \d+/);
    expect(preview.text).toMatch(/Оценка: \d+ из 100/);
    expect(preview.text).toMatch(/Превью: http/);
    expect(preview.buttons.flat().map(({ text, style }) => [text, style])).toEqual([
      ["Открыть превью ↗", undefined],
      ["Опубликовать", "success"],
      ["Перегенерировать", undefined],
      ["Отмена — вернуть токены", "danger"],
    ]);
    await person.press("Опубликовать");
    const done = await person.sees("Опубликовано!");
    expect(done.text).toMatch(/Списано: \d+ токен/);
    expect(done.text).toContain("Чек.");
    expect(await person.stands()).toMatch(/^screen:article:\d+:published$/);
  });

  it("is cancelled before it begins for nothing, and at its preview with every token returned", async () => {
    const { person } = await begin();
    await person.press("Отмена");
    expect(await person.stands()).not.toContain("ArticlePublish");
    const { person: other } = await begin();
    await toPreview(other);
    expect(await other.balance()).toBeLessThan(1500);
    await other.press("Отмена — вернуть токены");
    const said = await other.sees("Статья отменена. Токены возвращены");
    expect(said.text).toContain("Чек.");
    expect(await other.balance()).toBe(1500);
    expect(await other.stands()).toMatch(/^screen:category:\d+:card$/);
  });

  // covers seo: E10
  it("is written anew twice for nothing, then for its price, if the balance allows it", async () => {
    const { person } = await begin();
    await toPreview(person);
    for (const left of [1, 0]) {
      await person.press("Перегенерировать");
      await person.sees(left > 0 ? `осталось: ${left}` : "Бесплатные перегенерации закончились");
    }
    const paid = (await person.labels()).find((label) => /^Перегенерировать \(~\d+ ток\.\)$/.test(label));
    expect(paid).toBeDefined();
    await bot.sql`
      update billing.users set balance = 5 where workspace_id = ${bot.workspaceId} and id = ${person.id}`;
    await person.press(paid ?? "");
    await person.sees("у вас 5");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Пополнить", "Опубликовать текущий", "К превью"]),
    );
    await person.press("Опубликовать текущий");
    await person.sees("Опубликовано!");
  });

  // covers seo: E07
  it("is published once however often the button is tapped", async () => {
    const { person, whose } = await begin();
    await toPreview(person);
    const screen = await person.screen();
    const row = screen.buttons.findIndex((each) => each.some(({ text }) => text === "Опубликовать"));
    const taps = await Promise.allSettled([1, 2, 3].map(() => person.pressAt(screen.id, row, 0)));
    await person.sees("Опубликовано!");
    // The bot may have taken the button away before the last tap; whoever was late pressed nothing.
    const refused = taps.flatMap((tap) => (tap.status === "rejected" ? [String(tap.reason)] : []));
    expect(refused.filter((reason) => !reason.includes("there is no button at this place"))).toEqual([]);
    expect(refused.length).toBeLessThan(3);
    const logs = await bot.sql`
      select from seo.publication_logs where user_id = ${whose.userId} and status = 'success'`;
    expect(logs).toHaveLength(1);
  });

  // covers seo: E01
  it("names what is missing when the balance is too low, and keeps the article while tokens are bought", async () => {
    const business = await bot.aBusiness();
    const { person, categoryId, connectionId } = business;
    await bot.sql`
      update billing.users set balance = 50 where workspace_id = ${bot.workspaceId} and id = ${person.id}`;
    await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await person.sees("Недостаточно токенов! Нужно: ~320 | Баланс: 50");
    expect(await person.labels()).not.toContain("Да, сгенерировать");
    await person.press("Пополнить баланс");
    expect(await person.stands()).toBe("screen:tariffs");
    await person.tap("flow:ArticlePublish:resume");
    await person.sees("Недостаточно токенов!");
  });

  it("begins when the balance carries the named price, and holds no more than there is", async () => {
    const business = await bot.aBusiness();
    const { person, categoryId, connectionId } = business;
    await bot.sql`
      update billing.users set balance = 330 where workspace_id = ${bot.workspaceId} and id = ${person.id}`;
    await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await person.sees("Удержим до 330 ток.");
    await person.press("Да, сгенерировать");
    await person.sees("Публикация статьи — Превью");
  });

  // covers seo: E16
  it("asks for phrases when the theme has none", async () => {
    const { person } = await begin({ phrases: [] });
    await person.sees("В категории нет ключевых фраз. Добавьте хотя бы одну фразу для генерации контента.");
    expect(await person.labels()).toContain("Подобрать фразы");
    expect(await person.labels()).not.toContain("Да, сгенерировать");
  });

  // covers seo: E40
  it("asks for phrases of people who want to know something when all are of buyers", async () => {
    const business = await bot.aBusiness({ phrases: ["купить улун"] });
    await bot.sql`
      update seo.categories set keywords = jsonb_set(keywords, '{0,cluster_type}', '"product_page"')
      where id = ${business.categoryId}`;
    await business.person.tap(`category:${business.categoryId}:connection:${business.connectionId}:article`);
    await business.person.sees("В категории нет кластеров для статей. Добавьте информационные фразы.");
    expect(await business.person.labels()).toContain("Подобрать фразы");
  });

  // covers seo: E25
  it("keeps its state when the hour has no room for another text", async () => {
    const { person, whose, categoryId } = await begin();
    await bot.sql`
      insert into seo.runs (workspace_id, user_id, kind, status, category_id, input, texts, ended_at)
      select ${bot.workspaceId}, ${whose.userId}, 'article_plan', 'cancelled', ${categoryId}, '{}', 1, now()
      from generate_series(1, 10)`;
    await person.press("Да, сгенерировать");
    await person.sees("Превышен лимит генераций (10/час)");
    expect(await person.stands()).toBe("ArticlePublish.confirm_cost");
    expect(await person.balance()).toBe(1500);
  });

  // covers seo: E22; E23
  it("says when a phrase is used again, and when there are few of them", async () => {
    const { person, whose, projectId, categoryId } = await bot.aBusiness({ phrases: ["чай улун"] });
    await bot.sql`
      insert into seo.publication_logs (workspace_id, user_id, project_id, category_id, platform_type, keyword, content_type, status)
      values (${bot.workspaceId}, ${whose.userId}, ${projectId}, ${categoryId}, 'wordpress', 'чай улун', 'article', 'success')`;
    const [connection] = await bot.sql<{ id: number }[]>`
      select id from seo.platform_connections where project_id = ${projectId}`;
    await person.tap(`category:${categoryId}:connection:${connection?.id}:article`);
    await person.press("Да, сгенерировать");
    const preview = await person.sees("Превью приблизительное");
    expect(preview.text).toContain("Все кластеры использованы за последние 7 дней");
    expect(preview.text).toContain("Добавьте ещё ключевых фраз для разнообразия контента");
    expect(await person.labels()).toContain("Добавить ещё фраз");
  });

  it("is about another phrase when a page of the site serves the first one", async () => {
    const { person } = await begin();
    await toPreview(person);
    await person.press("Опубликовать");
    await person.sees("Опубликовано!");
    await bot.sql`
      update seo.publication_logs set created_at = created_at - interval '8 days' where user_id = ${person.id}`;
    const [row] = await bot.sql<{ category_id: number; connection_id: number }[]>`
      select category_id, connection_id from seo.publication_logs where user_id = ${person.id}`;
    await person.tap(`category:${row?.category_id}:connection:${row?.connection_id}:article`);
    await person.press("Да, сгенерировать");
    await person.sees("На сайте уже есть страница");
    expect(await person.labels()).toEqual(
      expect.arrayContaining(["Обновить старую", "Другая тема", "Всё равно написать"]),
    );
    await person.press("Другая тема");
    await person.sees("Эти фразы ещё не заняты");
    await person.press("как хранить листовой чай");
    await person.sees("Фраза: «как хранить листовой чай»");
    await person.press("Да, сгенерировать");
    await person.sees("Кластер: как хранить листовой чай");
  });

  it("is nobody else's: a foreign theme or site looks as if it were not there", async () => {
    const { categoryId, connectionId } = await bot.aBusiness();
    const stranger = await bot.person();
    await stranger.say("/start");
    await stranger.sees("Баланс");
    await stranger.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await stranger.sees("Этого здесь больше нет");
    await stranger.tap(`pipeline:article:category:${categoryId}`);
    await stranger.sees("Этого здесь больше нет");
  });

  it("costs an administrator nothing, and says what it would cost", async () => {
    const person = await bot.person({ id: 999001 });
    await person.say("/start");
    await person.sees("Баланс");
    const { categoryId, connectionId } = await bot.aBusiness({ person });
    const before = await person.balance();
    await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await person.sees("Стоимость: ~320 ток. (GOD_MODE — бесплатно)");
    await toPreview(person);
    expect(await person.balance()).toBe(before);
  });

  it("is told in English, too", async () => {
    const person = await bot.person({ language: "en" });
    await person.say("/start");
    await until("the person is known", async () => (await person.balance()) > 0);
    const { categoryId, connectionId } = await bot.aBusiness({ person });
    await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
    await person.sees("Cost: ~320 tokens");
    await person.press("Yes, write it");
    await person.sees("The preview is approximate");
    await person.press("Publish");
    await person.sees("Published!");
  });
});

describe("the plan of an article", () => {
  it("is shown before anything is paid, asks one question when facts are missing, and the article is written from it", async () => {
    const { person, whose } = await begin({ facts: false, prices: false, description: null });
    await person.press("План");
    const plan = await person.sees("План статьи «как выбрать чай улун»");
    expect(plan.text).toContain("Что хотят знать читатели:");
    expect(plan.text).toContain("План бесплатный.");
    expect(plan.text).toContain("Один вопрос");
    expect(await person.balance()).toBe(1500);
    await person.say("Продаём 84 сорта, работаем с 2012 года.");
    await person.sees("Ваш ответ войдёт в статью");
    await until("the plan is made anew", async () => {
      const { text } = await person.screen();
      return text.includes("План статьи") && !text.includes("Один вопрос");
    });
    await person.say("ещё кое-что");
    await person.sees("Вопросов больше нет");
    await person.press("Создать статью");
    await person.sees("Превью приблизительное");
    const [run] = await bot.sql<{ plan: string | null }[]>`
      select input ->> 'plan' as plan from seo.runs where user_id = ${whose.userId} and kind = 'article'`;
    expect(run?.plan).toBeTruthy();
  });

  it("may be left for the confirmation, and fails for nothing", async () => {
    const { person } = await begin();
    await fault("openrouter");
    await person.press("План");
    await person.sees("План не получился");
    expect(await person.stands()).toBe("ArticlePublish.confirm_cost");
    await bot.control("DELETE", "/faults");
    await person.press("План");
    await person.sees("План статьи");
    await person.press("К подтверждению");
    await person.sees("Напишу по плану.");
    await person.press("Да, сгенерировать");
    await person.sees("Превью приблизительное");
  });
});
