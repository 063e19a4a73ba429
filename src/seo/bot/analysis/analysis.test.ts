import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { aCategoryOwner, type Owner } from "../../../../tests/support/seo-category.ts";

const site = "https://lavka.wordpress.test";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  for (const name of ["lavka", "sklad"])
    await harness.control("POST", "/wordpress/sites", { name, title: "Лавка", users: [] });
});
afterEach(() => harness.control("DELETE", "/faults"));
afterAll(() => harness.close());

const down = (provider: string) =>
  harness.control("POST", "/faults", { provider, fault: { kind: "status", status: 500 }, times: 200 });

const open = ({ person, projectId }: Owner) => person.tap(`project:${projectId}:analysis`);

describe("the technical audit", () => {
  // covers seo: F28
  it("costs 50 tokens after a confirmation, shows scores, vitals and advice, and offers an article", async () => {
    const owner = await aCategoryOwner(harness, { site });
    const { person, projectId } = owner;
    await open(owner);
    await person.sees("Анализ сайта — Чайная");
    await person.press("Технический аудит (PageSpeed)");
    await person.sees("Сайт ещё не проверялся");
    await person.press("Запустить аудит");
    await person.sees("Стоимость: 50 токенов. Баланс:");
    await person.press("Да, запустить");
    const { text } = await person.sees("Аудит готов.");
    for (const part of ["Скорость: ", "Доступность: ", "Рекомендации браузеров: ", "SEO: ", "LCP: ", "CLS: "])
      expect(text).toContain(part);
    expect(text).toMatch(/\d+\/100/);
    expect(text).toContain("Списано: 50 токенов");
    expect(text).toContain("Напишем статью?");
    expect(await person.labels()).toEqual(["Написать статью", "Перезапустить аудит", "К анализу сайта"]);
    expect(await person.stands()).toBe(`screen:project:${projectId}:audit`);
    expect(await person.balance()).toBe(1_450);
    await person.press("Перезапустить аудит");
    await person.sees("Стоимость: 50 токенов");
    expect(await person.stands()).toBe("AuditRun.confirm");
  });

  it("returns the tokens when the site cannot be measured, and lets people try again", async () => {
    const owner = await aCategoryOwner(harness, { site });
    const { person } = owner;
    await person.tap(`project:${owner.projectId}:audit:run`);
    await person.sees("Стоимость: 50 токенов");
    await down("pagespeed");
    await person.press("Да, запустить");
    const { text } = await person.sees("Сайт не удалось проверить");
    expect(text).toContain("Возвращено: 50 токенов");
    expect(await person.stands()).toBe("AuditRun.confirm");
    expect(await person.balance()).toBe(1_500);
  });

  it("asks for the site first, and for tokens when there are too few", async () => {
    const without = await aCategoryOwner(harness);
    await without.person.tap(`project:${without.projectId}:audit:run`);
    await without.person.sees("У проекта не указан сайт");
    expect(await without.person.labels()).toContain("Указать сайт");
    const poor = await aCategoryOwner(harness, { site, balance: 10 });
    await poor.person.tap(`project:${poor.projectId}:audit:run`);
    await poor.person.sees("Недостаточно токенов. Нужно 50, у вас 10.");
    expect(await poor.person.labels()).toContain("Пополнить");
  });
});

describe("the analysis of a competitor", () => {
  // covers seo: F39
  it("checks the address, asks, tells pages, topics, gaps and advice, and keeps them", async () => {
    const owner = await aCategoryOwner(harness, { site });
    const { person, projectId } = owner;
    await open(owner);
    await person.press("Анализ конкурентов");
    await person.sees("Пришлите адрес");
    await person.say("не адрес");
    await person.sees("Введите корректный URL сайта конкурента");
    await person.say("https://nobody-is-there.invalid");
    // The check itself is too short to be seen for sure.
    expect((await person.screen()).text).toContain("Введите корректный URL сайта конкурента");
    expect(await person.stands()).toBe("CompetitorAnalysis.url");
    await person.say("lavka.wordpress.test");
    await person.sees("Стоимость: 50 токенов. Баланс:");
    expect(await person.labels()).toEqual(expect.arrayContaining(["Да, проанализировать", "Отмена"]));
    await person.press("Да, проанализировать");
    const { text } = await person.sees("О чём пишут:");
    expect(text).toContain("Что сделать:");
    expect(text).toContain("Списано: 50 токенов");
    expect(await person.stands()).toBe("CompetitorAnalysis.results");
    expect(await person.labels()).toEqual(["Сохранить", "К проекту"]);
    await person.press("Сохранить");
    await person.sees("Сохранено");
    expect(await person.stands()).toBe(`screen:project:${projectId}:competitor`);
    await person.press("К анализу сайта");
    await person.press("Последний анализ: lavka.wordpress.test");
    await person.sees("Что сделать:");
    expect(await person.balance()).toBe(1_450);
  });

  it("calls a site that is down by that, a page that is not there by that, and neither a wrong address", async () => {
    const { person, projectId } = await aCategoryOwner(harness, { site });
    await person.tap(`project:${projectId}:competitor:new`);
    await person.sees("Пришлите адрес");
    await down("wordpress");
    await person.say("lavka.wordpress.test");
    const { text } = await person.sees("Сайт lavka.wordpress.test сейчас не отвечает.");
    expect(text).not.toContain("корректный URL");
    expect(await person.stands()).toBe("CompetitorAnalysis.url");
    await harness.control("DELETE", "/faults");
    await person.say("lavka.wordpress.test/net-takoy-stranicy");
    await person.sees("На сайте lavka.wordpress.test нет такой страницы.");
    await person.say("lavka.wordpress.test");
    await person.sees("Стоимость: 50 токенов.");
  });

  it.each([
    ["ru", "не принял наш ключ", "Сайт конкурента сейчас не отвечает", "Страницу конкурента не удалось"],
    ["en", "does not take our key", "The competitor's site does not answer now", "page could not be read"],
  ] as const)(
    "tells our refused key from a site that went down meanwhile, and returns the tokens (%s)",
    async (language, key, silent, page) => {
      const [yes, cost] =
        language === "ru" ? ["Да, проанализировать", "Стоимость"] : ["Yes, analyse it", "Cost"];
      const { person, projectId } = await aCategoryOwner(harness, { site, language });
      const name = `konkurent-${language}`;
      await harness.control("POST", "/wordpress/sites", { name, title: "Конкурент", users: [] });
      for (const [provider, status, said] of [
        ["firecrawl", 401, key],
        ["wordpress", 503, silent],
      ] as const) {
        await person.tap(`project:${projectId}:competitor:new`);
        await person.say(`${name}.wordpress.test`);
        await person.sees(cost);
        const fault = { kind: "status", status };
        await harness.control("POST", "/faults", { provider, fault, times: 200 });
        await person.press(yes);
        const { text } = await person.sees(said);
        expect(text).not.toContain(page);
        expect(await person.balance()).toBe(1_500);
        await harness.control("DELETE", "/faults");
      }
    },
  );

  // covers seo: E31
  it("returns the tokens when the page cannot be read", async () => {
    const owner = await aCategoryOwner(harness, { site });
    const { person, projectId } = owner;
    await person.tap(`project:${projectId}:competitor:new`);
    await person.sees("Пришлите адрес");
    // Not the site of before, which is remembered.
    await person.say("sklad.wordpress.test");
    await person.sees("Стоимость");
    await down("firecrawl");
    await person.press("Да, проанализировать");
    const { text } = await person.sees("Анализ конкурентов недоступен. Попробуйте позже.");
    expect(text).toContain("Возвращено: 50 токенов");
    expect(await person.stands()).toBe(`screen:project:${projectId}:analysis`);
    expect(await person.balance()).toBe(1_500);
  });

  // covers seo: E38
  it("offers to top up with fewer than 50 tokens; cancelling spends nothing", async () => {
    const owner = await aCategoryOwner(harness, { site, balance: 49 });
    const { person, projectId } = owner;
    await person.tap(`project:${projectId}:competitor:new`);
    await person.sees("Пришлите адрес");
    await person.say("lavka.wordpress.test");
    await person.sees("Недостаточно токенов. Нужно 50, у вас 49.");
    expect(await person.labels()).toContain("Пополнить");
    expect(await person.labels()).not.toContain("Да, проанализировать");
    await person.press("Отмена");
    expect(await person.stands()).not.toMatch(/^CompetitorAnalysis/);
    expect(await person.balance()).toBe(49);
  });

  it("is nobody else's, and speaks English", async () => {
    const { projectId } = await aCategoryOwner(harness, { site });
    const stranger = await aCategoryOwner(harness, { site, language: "en" });
    for (const path of ["analysis", "audit", "audit:run", "competitor", "competitor:new"]) {
      await stranger.person.tap(`project:${projectId}:${path}`);
      expect(await stranger.person.stands()).not.toMatch(/^(?:AuditRun|CompetitorAnalysis)/);
      expect((await stranger.person.screen()).text).not.toContain("Чайная");
    }
    await open(stranger);
    await stranger.person.sees("Site analysis — Чайная");
    await stranger.person.press("Competitor analysis");
    await stranger.person.sees("Send the address");
    await stranger.person.say("nonsense");
    await stranger.person.sees("it has to open");
  });
});
