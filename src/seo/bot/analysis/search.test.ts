import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArticleBot, startArticleBot } from "../../../../tests/support/seo-article-bot.ts";
import { pressed } from "../../../../tests/support/seo-owner.ts";
import { createApiToken } from "../../../http/index.ts";
import { systemClock as clock } from "../../../kernel/clock/index.ts";
import { silentLog as log } from "../../../kernel/log/index.ts";
import { keepAudit } from "../../audits/audits.ts";
import { checkRanks } from "../../ranks/check-ranks.ts";
import { archiveSearch } from "../../refresh/archive-search.ts";
import { tellOfFalls } from "./tell-of-falls.ts";

let bot: ArticleBot;
let business: Awaited<ReturnType<ArticleBot["aBusiness"]>>;
let url: string;
const phrase = "как выбрать чай улун";

/** A person whose article stands on their site since three days. */
beforeAll(async () => {
  bot = await startArticleBot({ business: false });
  business = await bot.aBusiness();
  const { person, categoryId, connectionId, whose } = business;
  await bot.sql`
    update seo.categories set image_settings = '{"count": 0}' where workspace_id = ${whose.workspaceId} and id = ${categoryId}`;
  await person.tap(`category:${categoryId}:connection:${connectionId}:article`);
  await person.press("Да, сгенерировать");
  await person.sees("Превью приблизительное");
  await person.press("Опубликовать");
  await person.sees("Опубликовано!");
  // The twin's sites answer at its own address; a site of the world has its name in its links.
  const site = business.sites[0];
  const [row] = await bot.sql<[{ url: string }]>`
    update seo.publication_logs set created_at = created_at - interval '3 days',
      post_url = regexp_replace(post_url, '^http://.*/wordpress/[^/]+', ${site?.address ?? ""})
    where user_id = ${person.id} returning post_url as url`;
  url = row.url;
  await bot.sql`
    update seo.runs set result = jsonb_set(result, '{post_url}', to_jsonb(${url}::text))
    where user_id = ${person.id} and kind = 'article'`;
});
afterAll(() => bot.close());

const deps = () => ({ ...{ sql: bot.sql, clock, log, depth: 30 }, sources: bot.services.sources });

async function http(path: string) {
  const { token } = await createApiToken(bot.sql, {
    ...{ name: "tests", scopes: ["read", "people"], workspaceId: bot.workspaceId, createdBy: null },
    ...{ expiresAt: null, clock },
  });
  const answer = await fetch(`${bot.running.system.url()}/api/v1/seo/users/${business.person.id}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return JSON.parse(await answer.text());
}

describe("places in Google", () => {
  async function aWeekLater(position: number | null) {
    await bot.control("PUT", "/dataforseo/pages", { keyword: phrase, url, position });
    await bot.sql`delete from molva.kv where key like 'seo:rank:%'`;
    await bot.sql`update seo.publication_logs set rank_checked_at = rank_checked_at - interval '7 days'`;
    await bot.sql`update seo.rank_checks set checked_at = checked_at - interval '7 days'`;
    expect(await checkRanks(deps())).toMatchObject({ checked: 1, failed: 0 });
    await business.person.tap(`project:${business.projectId}:analysis`);
    return pressed(business.person, "Позиции в Google");
  }

  it("are shown with the change since the week before, and each look is in the books", async () => {
    const { person } = business;
    await person.tap(`project:${business.projectId}:ranks`);
    expect((await person.screen()).text).toContain(`• ${phrase} — ещё не проверялась`);
    const first = await aWeekLater(12);
    expect(first).toContain("Страна поиска: Украина");
    expect(first).toContain(`• ${phrase} — 12 место`);
    expect(await aWeekLater(5)).toContain(`• ${phrase} — 5 место (▲7 за неделю)`);
    expect(await aWeekLater(null)).toContain("выпала из первых результатов (была 5-й)");
    const { items } = await http("/publications?content_type=article");
    expect(items).toMatchObject([{ keyword: phrase, rank_position: null, rank_before: 5 }]);
    const checks = await http(`/publications/${items[0].id}/ranks`);
    expect(checks.items.map(({ position }: { position: number }) => position)).toEqual([null, 5, 12]);
    const costs = await bot.sql<{ cost: number }[]>`
      select cost_usd::float8 as cost from billing.token_expenses
      where workspace_id = ${bot.workspaceId} and user_id = ${person.id} and operation = 'rank_check' order by id`;
    expect(costs.map(({ cost }) => cost)).toEqual([0.0035, 0.002, 0.005]);
  });
});

describe("an article that loses its readers", () => {
  const readers = (before: number, now: number) => {
    const clicks = [...Array<number>(28).fill(before), ...Array<number>(28).fill(now)];
    const from = new Date(Date.now() - 58 * 86_400_000).toISOString().slice(0, 10);
    return bot.control("PUT", "/searchconsole/sites", {
      site_url: `${business.sites[0]?.address}/`,
      pages: [{ url, from, clicks }],
    });
  };
  const pageText = async () => (await (await fetch(await siteUrl())).text()).replaceAll(/\s+/g, " ");
  const siteUrl = async () =>
    `${bot.running.twinsUrl}/wordpress/${business.sites[0]?.name}${new URL(url).pathname}`;

  it("is told of once, and updated at its address after its owner has seen what changes", async () => {
    const { person, projectId, whose } = business;
    const open = async () => {
      await person.tap(`project:${projectId}:analysis`);
      return pressed(person, "Статьи, которые теряют читателей");
    };
    const copies = async () =>
      (await person.screen()).buttons.flat().flatMap(({ copy }) => (copy === undefined ? [] : [copy]));
    expect(await open()).toContain("Статистика ещё не собиралась");
    await archiveSearch(deps());
    const closed = await open();
    expect(closed).toContain("Статистика вашего сайта пока не открыта");
    const host = `${business.sites[0]?.name}.wordpress.test`;
    const google = "molva@demo.iam.gserviceaccount.com";
    expect(closed).toContain(
      `Google: откройте ресурс ${host} в Search Console → Настройки → Пользователи и разрешения → Добавить пользователя. Адрес: ${google}`,
    );
    expect(closed).toContain(
      `Яндекс: откройте сайт ${host} в Вебмастере → Настройки → Права доступа → Делегировать права. Логин: molva-demo.`,
    );
    expect(await copies()).toEqual([google, "molva-demo"]);
    expect(await http(`/projects/${projectId}/search-pages`)).toMatchObject({
      archives: [
        { engine: "google", is_shared: false, share: { account: google } },
        { engine: "yandex", is_shared: false, share: { account: "molva-demo" } },
      ],
    });
    // Shared with somebody, but not with rights to read.
    await bot.control("PUT", "/searchconsole/sites", {
      ...{ site_url: `${business.sites[0]?.address}/`, permission: "siteUnverifiedUser" },
    });
    await archiveSearch(deps());
    expect(await open()).toContain(google);
    // The rights are taken back between the list and the figures.
    await readers(10, 6);
    await bot.running.fault(
      { provider: "searchconsole", method: "POST /searchAnalytics/query" },
      { kind: "status", status: 403 },
    );
    await archiveSearch(deps());
    expect(await open()).toContain(google);
    expect(await copies()).toContain(google);
    await archiveSearch(deps());
    expect(await open()).not.toContain(google);
    expect(await tellOfFalls(deps())).toBe(1);
    expect(await tellOfFalls(deps())).toBe(0);
    await person.sees("Одна ваша статья теряет читателей из поиска. Обновим её?");
    expect(await pressed(person, "Посмотреть")).toContain(`• ${phrase} — было 280, стало 168 (−40 %)`);
    expect(await http(`/projects/${projectId}/search-pages`)).toMatchObject({
      items: [{ url, verdict: "falling", is_ours: true, phrase }],
    });
    // What was published then is not what a model writes today.
    await bot.sql`
      update seo.runs set result = jsonb_set(result, '{article,markdown}', to_jsonb((result -> 'article' ->> 'markdown') || E'\n\nЦены прошлого года.'))
      where workspace_id = ${whose.workspaceId} and user_id = ${whose.userId} and kind = 'article'`;
    expect(await pressed(person, phrase)).toContain("Переходов за 28 дней: было 280, стало 168");
    expect(await pressed(person, "Обновить статью")).toContain(`Статья заменит страницу ${url}`);
    const before = await pageText();
    await person.press("Да, сгенерировать");
    const preview = await person.sees("Обновляет страницу:");
    expect(preview.text).toMatch(
      /Что изменится: новых абзацев \d+, уйдёт [1-9]\d*; слов было \d+, станет \d+/,
    );
    await person.press("Что изменится на странице");
    await person.screen();
    const sent = (await person.messages()).findLast(({ media }) =>
      media?.some(({ name }) => name === "izmeneniya.html"),
    );
    const page = await (await fetch(`${bot.running.twinsUrl}${sent?.media?.[0]?.url}`)).text();
    expect(page).toContain("<del>Цены прошлого года.</del>");
    expect(await pageText()).toBe(before);
    const [run] = await bot.sql<[{ id: string }]>`
      select id from seo.runs where user_id = ${whose.userId} and kind = 'article' order by created_at desc limit 1`;
    expect(await http(`/articles/${run.id}/diff`)).toMatchObject({
      url,
      is_known: true,
      removed: expect.any(Number),
    });
    await person.press("Опубликовать");
    const done = await person.sees("обновлен");
    expect(done.text).toContain(url);
  });
});

it("a site that is closed to our account is told in the language of its owner", async () => {
  const person = await bot.person({ language: "en" });
  await person.say("/start");
  await person.screen();
  const { projectId, sites } = await bot.aBusiness({ person });
  await archiveSearch(deps());
  await person.tap(`project:${projectId}:refresh`);
  const { text, buttons } = await person.screen();
  expect(text).toContain(`Google: open the property ${sites[0]?.name}.wordpress.test in Search Console`);
  expect(buttons.flat()).toContainEqual(
    expect.objectContaining({
      ...{ text: "Copy the address for Google", copy: "molva@demo.iam.gserviceaccount.com" },
    }),
  );
});

describe("the scores of audits", () => {
  it("are a picture once there are two, with what each colour means", async () => {
    const { person, whose, projectId } = business;
    const audit = (performance: number, days: number) =>
      keepAudit(
        { sql: bot.sql, clock: { now: () => new Date(Date.now() - days * 86_400_000) } },
        whose,
        projectId,
        {
          ...{
            url: "https://shop.example",
            performance,
            accessibility: 90,
            best_practices: null,
            seo_score: 70,
          },
          ...{ lcp_ms: 1_000, inp_ms: null, cls: null, ttfb_ms: null, recommendations: [] },
        },
        {},
      );
    await bot.sql`delete from seo.audit_scores`;
    await bot.sql`delete from seo.site_audits`;
    const open = async () => {
      await person.tap(`project:${projectId}:analysis`);
      await pressed(person, "Технический аудит (PageSpeed)");
      return person.labels();
    };
    await audit(40, 30);
    expect(await open()).not.toContain("Динамика оценок");
    await audit(85, 1);
    expect(await open()).toContain("Динамика оценок");
    await person.press("Динамика оценок");
    const shown = await person.screen();
    expect(shown.text).toContain("🔵 Скорость: 40 → 85");
    expect(shown.text).toContain("🟤 Рекомендации браузеров: нет данных");
    expect(shown.media?.[0]?.kind).toBe("photo");
    const { items } = await http(`/projects/${projectId}/audit/history`);
    expect(items.map(({ performance }: { performance: number }) => performance)).toEqual([40, 85]);
  });
});
