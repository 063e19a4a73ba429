/** A business that has everything a screen can show, made without chats. */
import { randomUUID } from "node:crypto";
import { adjust } from "../../src/billing/index.ts";
import { demo } from "../../src/delivery/index.ts";
import { twinApp } from "../../src/platforms/pinterest/index.ts";
import { keepAudit } from "../../src/seo/audits/audits.ts";
import { beginBroadcast } from "../../src/seo/broadcasts/broadcasts.ts";
import { addCategory } from "../../src/seo/categories/categories.ts";
import { setPrices, setReviews } from "../../src/seo/categories/lists.ts";
import { addMediaFile } from "../../src/seo/categories/media-files.ts";
import { connectPlatform } from "../../src/seo/connections/connect.ts";
import { changeSiteMetadata } from "../../src/seo/connections/site-metadata.ts";
import { meet } from "../../src/seo/people/people.ts";
import type { Whose } from "../../src/seo/people/whose.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import { saveSchedule } from "../../src/seo/schedules/schedules.ts";
import { changeSettings } from "../../src/seo/settings/settings.ts";
import { aCluster } from "../../src/seo/testing/builders.ts";
import { preparationOf, worldOf } from "../contract/preparation.ts";
import { channel } from "../dialogs/networks.ts";
import type { SeoBotHarness } from "../support/seo-bot.ts";

/** Where this installation is reached from outside. */
export const publicUrl = "http://molva.example";
export const administrator = 910_999;

export const walkEnvironment = {
  ...{ SEO_REVIEWS: "on", SEO_SUPPORT: "@seo_support", ADMIN_ID: String(administrator) },
  MOLVA_PUBLIC_URL: publicUrl,
};

/** What a person types in a walk: names that are the same in all languages. */
export const names = {
  project: "Tea House",
  company: "Two Leaves",
  specialization: "loose tea and teaware",
  category: "Tea",
  /** Nothing else is written for it. */
  servedPhrase: "porcelain teapot care",
  password: "molvaDEMO1234teaSHOP5678",
  login: "shop",
} as const;

export type World = Awaited<ReturnType<typeof walkWorld>>;

const manyPages = 10;

/** One person's business. Their names are Latin: what is Russian on an English screen was not translated. */
export async function walkWorld(harness: SeoBotHarness, userId: number) {
  const { services, sql, workspaceId, control } = harness;
  const whose: Whose = { workspaceId, userId };
  await meet(services, { workspaceId, userId: administrator }, { firstName: "Boss", language: "ru" });
  await meet(services, whose, { firstName: "Irina", language: "ru" });
  await setBalance(1_000_000);

  const project = { company_name: names.company, specialization: names.specialization };
  for (let each = 0; each < manyPages; each += 1)
    await addProject(services, whose, { name: `${names.project} ${each}`, ...project });
  const { id: projectId } = await addProject(services, whose, {
    ...{ name: names.project, ...project, company_city: "Perm", website_url: "https://tea.example" },
  });
  // Nothing is known of it: no site, no city, no category, no connection.
  const { id: bareProjectId } = await addProject(services, whose, {
    name: `${names.project} bare`,
    ...project,
  });

  const about = { description: "Loose leaf tea of four kinds." };
  for (let each = 0; each < manyPages; each += 1)
    await addCategory(services, whose, projectId, { name: `${names.category} ${each}` });
  const { id: bareCategoryId } = await addCategory(services, whose, projectId, {
    name: `${names.category} bare`,
  });
  const { id: categoryId } = await addCategory(services, whose, projectId, {
    name: names.category,
    ...about,
  });
  const clusters = Array.from({ length: manyPages }, (_, at) =>
    aCluster(`how to brew tea ${at}`, 900 - at, {
      phrases: Array.from({ length: at === 0 ? 2 * manyPages : 1 }, (_, number) => ({
        ...{ phrase: `how to brew tea ${at} ${number}`, volume: 900 - at, difficulty: 20, cpc: 1 },
        ...{ intent: "informational", ai_suggested: false },
      })),
    }),
  );
  clusters.push(aCluster(names.servedPhrase, 1));
  await sql`
    update seo.categories set keywords = ${JSON.stringify(clusters)}::text::jsonb
    where workspace_id = ${workspaceId} and id = ${categoryId}`;
  await priceAll();
  const review = { rating: 5, text: "Good tea", pros: "taste", cons: "none", date: "2026-11-01" };
  const reviews = Array.from({ length: 12 }, (_, at) => ({ ...review, author: `Anna ${at}` }));
  await setReviews(services, whose, categoryId, reviews);
  const deps = { ...services, storage: services.articles.storage };
  for (let each = 0; each < manyPages; each += 1)
    await addMediaFile(deps, whose, categoryId, {
      ...{ bytes: new TextEncoder().encode(`%PDF-1.4\n${each}`), name: `list-${each}.pdf` },
    });

  for (const platform of ["telegram", "vk", "pinterest"] as const)
    for (const { path, body } of worldOf(platform, await preparationOf(platform)))
      await control("POST", path, body);
  await control("POST", "/pinterest/apps", {
    ...{ client_id: twinApp.id, client_secret: twinApp.secret, name: "SEO Master" },
    redirect_uris: [`${publicUrl}/api/auth/pinterest/callback`],
  });
  for (let number = 1; number <= manyPages; number += 1)
    await control("POST", "/pinterest/boards", {
      ...{ id: `5497558851${number}`, username: demo.pinterest.account.username, name: `Board ${number}` },
    });

  const site = await aSite("shop");
  const siteId = await connectSite(projectId, site);
  const secondSiteId = await connectSite(projectId, await aSite("second"));
  const settings = { categories: ["Tea"], tags: ["oolong"], canonical: "https://tea.example" };
  await changeSiteMetadata(services, whose, siteId, settings);
  const telegram = await channel(harness, userId);
  const [vk, pinterest] = [await preparationOf("vk"), await preparationOf("pinterest")];
  const networks = {
    telegram: () => connect("telegram", { token: telegram.token }, telegram.target),
    vk: () => connect("vk", vk.credential, vk.targetId),
    pinterest: () => connect("pinterest", pinterest.credential, pinterest.targetId),
  };
  const channelId = await networks.telegram();
  const vkId = await networks.vk();
  const boardId = await networks.pinterest();
  for (let each = 0; each < manyPages; each += 1)
    await sql`
      insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
      values (${workspaceId}, ${projectId}, 'telegram', 'none', ${`@tea_away_${each}`})`;
  await saveSchedule(
    services,
    whose,
    { categoryId, connectionId: channelId },
    { days: ["mon"], times: ["10:00"] },
  );

  await changeSettings(services, whose, categoryId, "wordpress", { image: { count: 2 } });
  await keepAudit(services, whose, projectId, audit, {});
  await subscribe();
  await sql`
    insert into seo.bots (workspace_id, username, learnt_at) values (${workspaceId}, 'seo_master_bot', now())
    on conflict do nothing`;

  async function priceAll(): Promise<void> {
    const prices = Array.from({ length: 60 }, (_, at) => ({ name: `Oolong ${at}, 50 g`, price: "490" }));
    await setPrices(services, whose, categoryId, prices);
  }
  /** Pro, by Stars, for a month. */
  async function subscribe(): Promise<void> {
    const charge = `walk-${userId}`;
    const [sale] = await sql<[{ id: number }]>`
      select billing.begin_sale(${workspaceId}, ${userId}, 'seo_tokens', 'stars', 'seo-bot', 'pro', 7200, 1200, 6000, 390, 'XTR', 30,
        true, null, ${JSON.stringify({ charge })}::text::jsonb) as id`;
    await sql`select billing.record_payment(${workspaceId}, 'stars', ${charge}, ${sale.id}, ${userId}, 390, 'XTR')`;
  }
  async function aSite(name: string) {
    const owner = { login: names.login, name: "Shop", role: "administrator", passwords: [names.password] };
    const host = `${name}-${userId}`;
    await control("POST", "/wordpress/sites", { name: host, title: "Shop", locale: "ru_RU", users: [owner] });
    return `https://${host}.wordpress.test`;
  }
  async function connectSite(project: number, url: string): Promise<number> {
    const fields = { url, login: names.login, app_password: names.password };
    return (await connectPlatform(services, whose, project, { platform_type: "wordpress", fields })).id;
  }
  async function connect(platform_type: "telegram" | "vk" | "pinterest", fields: object, target: string) {
    const wanted = { platform_type, fields: { ...fields }, target, shared: true };
    return (await connectPlatform(services, whose, projectId, wanted)).id;
  }
  async function setBalance(tokens: number): Promise<void> {
    const [row] = await sql<{ balance: number }[]>`
      select balance::int from billing.users where workspace_id = ${workspaceId} and id = ${userId}`;
    const change = tokens - (row?.balance ?? 0);
    if (change === 0) return;
    await adjust(
      services,
      workspaceId,
      { userId, tokens: change, key: randomUUID() },
      { operator: "walk", reason: "a walk" },
    );
  }

  let known: Promise<number> | undefined;
  return {
    ...{ harness, services, sql, whose, projectId, bareProjectId, categoryId, bareCategoryId },
    ...{ siteId, secondSiteId, channelId, vkId, boardId, site, telegram },
    ...{ aSite, connectSite, priceAll, setBalance },
    /** Every place lets posts in again, whatever it refused before. */
    async connectAgain(): Promise<void> {
      await connectSite(projectId, site);
      for (const again of Object.values(networks)) await again();
    },
    /** A project that has one site, one channel and one category. */
    async smallProject(): Promise<number> {
      known ??= (async () => {
        const made = await addProject(services, whose, { name: "One", ...project });
        await connectSite(made.id, await aSite("only"));
        await connectPlatform(services, whose, made.id, {
          ...{ platform_type: "telegram", fields: { token: telegram.token }, target: telegram.target },
          shared: true,
        });
        await addCategory(services, whose, made.id, { name: names.category });
        return made.id;
      })();
      return known;
    },
    /** Of all projects the person has one, or none, while it is tried. */
    alone: (left: "one" | "none") => ({
      before: async () =>
        void (await sql`
          update seo.projects set user_id = ${administrator}
          where workspace_id = ${workspaceId} and user_id = ${userId} and id <> ${left === "one" ? projectId : 0}`),
      after: async () =>
        void (await sql`
          update seo.projects set user_id = ${userId} where workspace_id = ${workspaceId} and user_id = ${administrator}`),
    }),
    /** Everything that people, models and providers have written, as one text. */
    async written(): Promise<string> {
      const [row] = await sql<[{ all: string }]>`
        select concat_ws(' ', (select string_agg(concat_ws(' ', result), ' ') from seo.runs where user_id = ${userId}),
          (select string_agg(to_jsonb(c)::text, ' ') from seo.categories c), (select string_agg(to_jsonb(p)::text, ' ') from seo.projects p),
          (select string_agg(title, ' ') from delivery.channels), (select string_agg(to_jsonb(a)::text, ' ') from seo.site_audits a),
          (select string_agg(to_jsonb(u)::text, ' ') from seo.users u)) as all`;
      return row.all;
    },
    /** Nobody's number. */
    gone: 999_999_999,
    async balance(): Promise<number> {
      const [row] = await sql<{ balance: number }[]>`
        select balance::int from billing.users where workspace_id = ${workspaceId} and id = ${userId}`;
      return row?.balance ?? 0;
    },
    /** An hour has passed: limits of works and connections count anew. */
    async hourLater(): Promise<void> {
      await sql`
        with paced as (
          update delivery.connection_pace set added = '{}' where user_id = ${String(userId)} and added <> '{}')
        update seo.runs set created_at = created_at - interval '2 hours'
        where user_id = ${userId} and created_at > now() - interval '1 hour'`;
    },
  };
}

/** News that were sent, and news that are being sent. */
export async function broadcasts({ services, sql, whose: { workspaceId } }: World): Promise<number> {
  const wanted = { workspaceId, byUser: administrator, audience: "all" as const, text: "News" };
  const sendNews = () =>
    sql.begin((tx) => beginBroadcast(tx, services.office.broadcasts, wanted, new Date()));
  const end = () => sql`
    update seo.broadcasts set status = 'done', ended_at = now()
    where workspace_id = ${workspaceId} and status = 'sending'`;
  await end();
  await sendNews();
  await end();
  return (await sendNews()) ?? 0;
}

const audit = {
  ...{ url: "https://tea.example", performance: 80, accessibility: 90, best_practices: 70, seo_score: 95 },
  ...{ lcp_ms: 2_000, inp_ms: 150, cls: 0.1, ttfb_ms: 300 },
  recommendations: [{ title: "Compress pictures", description: "They are large", priority: "high" }],
};
