import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { aCategoryOwner, type Owner } from "../../../../tests/support/seo-category.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterEach(() => harness.control("DELETE", "/faults"));
afterAll(() => harness.close());

const down = (provider: string) =>
  harness.control("POST", "/faults", { provider, fault: { kind: "status", status: 503 }, times: 200 });

const begin = ({ person, categoryId }: Owner) => person.tap(`category:${categoryId}:keywords:find`);

/** Until the question whether to begin. */
async function upToConfirm(owner: Owner, products = "чай, посуда"): Promise<SeoPerson> {
  const { person } = owner;
  await begin(owner);
  await person.sees("Подбор фраз (1/3)");
  await person.say(products);
  await person.sees("(2/3)");
  await person.press("Вся Россия");
  await person.press("50 фраз — 50 токенов");
  await person.sees("Стоимость: 50 токенов. Баланс:");
  return person;
}

describe("finding keywords", () => {
  // covers seo: F09
  it("asks for goods, geography and quantity, and brings clusters with volumes, their country and a receipt", async () => {
    const owner = await aCategoryOwner(harness, { city: "Казань" });
    const { person, categoryId } = owner;
    await begin(owner);
    await person.sees("Подбор фраз (1/3)");
    await person.say("чм");
    await person.sees("Опишите товары/услуги подробнее");
    await person.say("ч".repeat(1_001));
    expect(await person.stands()).toBe("KeywordGeneration.products");
    await person.say("чай, посуда");
    await person.sees("(2/3)");
    expect(await person.labels()).toContain("Казань");
    await person.say("М");
    await person.sees("Укажите географию работы");
    await person.say("Москва и область");
    await person.sees("(3/3)");
    await person.say("сто");
    expect(await person.stands()).toBe("KeywordGeneration.quantity");
    expect(await person.labels()).toEqual(
      expect.arrayContaining([50, 100, 150, 200].map((count) => `${count} фраз — ${count} токенов`)),
    );
    await person.press("50 фраз — 50 токенов");
    expect((await person.sees("Стоимость: 50 токенов. Баланс:")).text).toMatch(/1.?500 токенов/);
    await person.press("Да, генерировать");
    const { text } = await person.sees("Готово:");
    expect(text).toMatch(/Готово: \d+ кластер\S* \(\d+ фраз\S*\)/);
    expect(text).toMatch(/Объёмы поиска: Google, [А-Я]/);
    expect(text).toMatch(/Чек\. Удержано: 50 токенов/);
    expect(text).toContain("Лучшие по перспективности:");
    expect(await person.stands()).toBe(`screen:category:${categoryId}:keywords`);
    const cost = 1_500 - (await person.balance());
    expect(text).toContain(`Списано: ${cost} токен`);

    await person.press("Добавить ещё фразы");
    expect((await person.sees("В прошлый раз")).text).toContain("Москва и область");
    await person.press("Использовать сохранённые");
    await person.sees("(3/3)");
    await person.say("/cancel");
    await begin(owner);
    await person.press("Пройти заново");
    await person.sees("(1/3)");
    expect(await person.stands()).toBe("KeywordGeneration.products");
  });

  it("shows the stages of the work as they come, each in its state", async () => {
    const person = await upToConfirm(await aCategoryOwner(harness));
    // The dialogue looks every three seconds.
    for (const provider of ["dataforseo", "openrouter"])
      await harness.control("POST", "/faults", { provider, fault: { kind: "delay", ms: 5_000 } });
    await person.press("Да, генерировать");
    await person.sees("Получаю реальные поисковые фразы из Google... (3 сек)");
    await person.sees("Группирую фразы по поисковому интенту... (10 сек)");
    expect(await person.stands()).toMatch(/^KeywordGeneration\.(?:clustering|enriching)$/);
    await person.sees("Готово:");
  });

  // covers seo: E03
  it("warns of phrases without real volumes when the sources of data are down", async () => {
    // Other goods than before: what was found is remembered for a day.
    const owner = await aCategoryOwner(harness, { specialization: "самовары на дровах" });
    const person = await upToConfirm(owner, "самовары");
    await down("dataforseo");
    await down("yandex");
    await person.press("Да, генерировать");
    const { text } = await person.sees("Готово:");
    expect(text).toContain("Данные без реальных объёмов поиска");
    expect(text).toContain("объём: нет данных");
  });

  it("returns the tokens and lets people try again when nothing can be found", async () => {
    const person = await upToConfirm(await aCategoryOwner(harness));
    for (const provider of ["dataforseo", "yandex", "openrouter"]) await down(provider);
    await person.press("Да, генерировать");
    const { text } = await person.sees("Не удалось подобрать фразы");
    expect(text).toContain("Возвращено: 50 токенов");
    expect(await person.stands()).toBe("KeywordGeneration.confirm");
    expect(await person.balance()).toBe(1_500);
    await harness.control("DELETE", "/faults");
    await person.press("Да, генерировать");
    await person.sees("Готово:");
  });

  it("can be stopped while it works: the tokens come back", async () => {
    const person = await upToConfirm(await aCategoryOwner(harness));
    await harness.control("POST", "/faults", {
      ...{ provider: "dataforseo", fault: { kind: "delay", ms: 3_000 } },
    });
    await person.press("Да, генерировать");
    await person.sees("Подбираю ключевые фразы");
    await person.press("Отмена");
    await person.sees("Остановлено. Токены возвращены.");
    expect(await person.balance()).toBe(1_500);
    expect(await person.stands()).toBe("KeywordGeneration.confirm");
  });

  // covers seo: E25
  it("says when the next search is possible, charges nothing and keeps the answers", async () => {
    const owner = await aCategoryOwner(harness);
    const person = await upToConfirm(owner);
    const { workspaceId, userId } = owner.whose;
    await harness.sql`
      insert into seo.runs (workspace_id, user_id, kind, status, input, keywords, created_at, ended_at)
      values (${workspaceId}, ${userId}, 'keywords', 'cancelled', '{}', 5, now(), now())`;
    await person.press("Да, генерировать");
    await person.sees("Превышен лимит генераций (5/час). Следующая попытка через");
    expect(await person.stands()).toBe("KeywordGeneration.confirm");
    expect(await person.balance()).toBe(1_500);
  });

  // covers seo: E01
  it("offers to top up when there are too few tokens", async () => {
    const person = await upToConfirm(await aCategoryOwner(harness, { balance: 20 }));
    await person.sees("Недостаточно токенов. Нужно ~50, у вас 20.");
    const labels = await person.labels();
    expect(labels).toContain("Пополнить");
    expect(labels).not.toContain("Да, генерировать");
  });

  it("ends on the menu when the category is gone, and knows nothing of foreign ones", async () => {
    const owner = await aCategoryOwner(harness);
    const { person, categoryId } = owner;
    const stranger = await aCategoryOwner(harness);
    await stranger.person.tap(`category:${categoryId}:keywords:find`);
    expect(await stranger.person.stands()).not.toMatch(/^KeywordGeneration/);
    await begin(owner);
    await person.sees("(1/3)");
    await harness.sql`delete from seo.categories where id = ${categoryId}`;
    await person.say("чай, посуда");
    await person.sees("Этой категории больше нет");
    expect(await person.stands()).toBe("screen:dashboard");
  });

  it("speaks English", async () => {
    const owner = await aCategoryOwner(harness, { language: "en" });
    const { person } = owner;
    await begin(owner);
    await person.sees("Keywords (1/3)");
    await person.say("te");
    await person.sees("Say more about the goods or services");
    await person.say("чай");
    await person.press("All of Russia");
    await person.press("50 phrases — 50 tokens");
    await person.press("Yes, find them");
    expect((await person.sees("Done:")).text).toContain("The most promising:");
  });
});
