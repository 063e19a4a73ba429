import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { preparationOf } from "../../tests/contract/preparation.ts";
import { credentials } from "../../tests/contract/wordpress/preparation.ts";
import { type ArticleHarness, startArticles } from "../../tests/support/seo-articles.ts";
import { balanceOf } from "../billing/testing/builders.ts";
import { silentLog } from "../kernel/log/index.ts";
import { articleRun } from "./articles/article-run.ts";
import { articleResult } from "./articles/shape.ts";
import { learnTask } from "./audits/learn-later.ts";
import { createLearnTask, type LearnDeps, learnSite } from "./audits/learn-site.ts";
import { readMapsAgain } from "./audits/read-maps-again.ts";
import { setPrices } from "./categories/lists.ts";
import { connectPlatform, reconnectPlatform } from "./connections/connect.ts";
import { readConnection } from "./connections/connections.ts";
import { changeSiteMetadata, siteMetadataChanges } from "./connections/site-metadata.ts";
import { publishArticle } from "./publish/decide-article.ts";
import { readRun } from "./runs/read-runs.ts";
import { changeSettings, readSettings, resetSettings, type SettingsChanges } from "./settings/settings.ts";
import { smallerKinds } from "./smaller-works.ts";
import { aProject } from "./testing/builders.ts";

const wordpress = await preparationOf("wordpress");

let world: ArticleHarness;
let business: Awaited<ReturnType<ArticleHarness["aBusiness"]>>;
beforeAll(async () => {
  world = await startArticles();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.clean();
  business = await world.aBusiness();
});

const pageAt = async (url: string) => (await fetch(url)).text();

/** What learns about sites, with the runs of the smaller works. */
function learning() {
  const { sql, clock, deps } = world;
  const { audit, branding, siteMap } = smallerKinds(deps);
  const kinds = { audit, branding, siteMap };
  const runs = world.runsOf(...Object.values(kinds));
  const learnt: LearnDeps = { sql, clock, log: silentLog, admins: [], sources: deps.sources, kinds, runs };
  const connecting = {
    ...world.connecting,
    afterConnect: async (
      ...given: Parameters<typeof learnSite> extends [unknown, ...infer Rest] ? Rest : never
    ) => {
      await learnSite(learnt, ...given);
    },
  };
  /** Does what waits in the queue, whenever it is due; tells what was done. */
  const work = async () => {
    const jobs = await sql<{ name: string; payload: unknown; ahead: number }[]>`
      with taken as (delete from graphile_worker._private_jobs returning task_id, payload, run_at)
      select t.identifier as name, j.payload, extract(epoch from j.run_at - now())::int as ahead
      from taken j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier in ('seo.run', ${learnTask.name}) order by t.identifier, j.payload::text`;
    const context = { log: silentLog, signal: new AbortController().signal };
    for (const { name, payload } of jobs)
      await (name === learnTask.name ? createLearnTask(learnt) : runs.task).perform(payload, context);
    return jobs;
  };
  const runsOf = () => sql<{ kind: string; status: string; result: Record<string, unknown> | null }[]>`
    select kind, status, result from seo.runs
    where workspace_id = ${business.whose.workspaceId} and kind <> 'article' order by kind, created_at`;
  return { connecting, learnt, work, runsOf };
}

describe("a site that is connected", () => {
  // covers seo: F26; F27
  it("is read in the background for nothing: colours, speed and the pages that articles may link to", async () => {
    const { connecting, work, runsOf } = learning();
    const { whose, connectionId } = business;
    await reconnectPlatform(connecting, whose, connectionId, { ...wordpress.credential });
    expect(await work()).toHaveLength(0);
    const given = { platform_type: "wordpress", fields: { ...wordpress.credential } } as const;
    const { id } = await connectPlatform(connecting, whose, business.projectId, given);
    // Connected again on the same day, it is not read again.
    await connectPlatform(connecting, whose, business.projectId, given);
    expect(await work()).toHaveLength(3);
    expect(await runsOf()).toMatchObject([
      { kind: "audit", status: "done" },
      { kind: "branding", status: "done", result: { from: "site", again_at: null } },
      { kind: "site_map", status: "done", result: { pages: expect.any(Number), again_at: null } },
    ]);
    const { site, metadata } = await readConnection(world.sql, whose, id);
    expect(site).toMatchObject({
      ...{ links_found: expect.any(Number), performance: expect.any(Number) },
      colors: { accent: expect.stringMatching(/^#[0-9a-f]{6}$/) },
    });
    expect(site?.links_found).toBeGreaterThan(0);
    expect(metadata).not.toHaveProperty("links_found");
    expect(await balanceOf(world.sql, whose.workspaceId, whose.userId)).toBe(1_500);
  });

  it("has its pages read anew on its days, for nothing, and not from memory; others wait their turn", async () => {
    const { connecting, learnt, work, runsOf } = learning();
    const { whose, projectId } = business;
    const given = { platform_type: "wordpress", fields: { ...wordpress.credential } } as const;
    await connectPlatform(connecting, whose, projectId, given);
    await work();
    world.advance(5 * 24 * 3_600_000);
    const asked = async () =>
      (await world.sources.calls("firecrawl")).filter((call) => /map/.test(call)).length;
    const before = await asked();
    const sites = await readMapsAgain(learnt);
    expect(sites).toBeGreaterThan(0);
    // A second time on the same day changes nothing.
    expect(await readMapsAgain(learnt)).toBe(sites);
    expect(await readMapsAgain(learnt, 1)).toBe(1);
    expect(await work()).toHaveLength(sites);
    await work();
    const maps = (await runsOf()).filter(({ kind }) => kind === "site_map");
    // Other tests have left sites of other workspaces.
    expect(maps).toHaveLength(2);
    expect(maps.at(-1)).toMatchObject({ status: "done", result: { pages: expect.any(Number) } });
    expect(await asked()).toBe(before + sites);
    expect(await balanceOf(world.sql, whose.workspaceId, whose.userId)).toBe(1_500);
  });

  // covers seo: E15; E56
  it("is connected while its sources are down: each part fails alone, and Firecrawl is asked again three times", async () => {
    const { connecting, work, runsOf } = learning();
    const { whose } = business;
    await world.sources.fault("firecrawl", { kind: "status", status: 500 }, 1_000);
    await world.sources.fault("pagespeed", { kind: "status", status: 500 }, 1_000);
    const projectId = await aProject(world.sql, whose, "Второй");
    const given = { platform_type: "wordpress", shared: true, fields: { ...wordpress.credential } } as const;
    const connection = await connectPlatform(connecting, whose, projectId, given);
    expect(connection).toMatchObject({ status: "active", site: { links_found: null, colors: null } });
    await work();
    expect(await runsOf()).toMatchObject([
      { kind: "audit", status: "failed" },
      { kind: "branding", status: "done", result: { from: "default", again_at: expect.any(String) } },
      { kind: "site_map", status: "done", result: { pages: null, again_at: expect.any(String) } },
    ]);
    const waits: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const again = await work();
      expect(again.map(({ name }) => name)).toEqual([learnTask.name, learnTask.name]);
      waits.push(Math.round((again[0]?.ahead ?? 0) / 60));
      if (round === 2) await world.sources.clean();
      await work();
    }
    expect(waits).toEqual([10, 60, 360]);
    expect(await work()).toHaveLength(0);
    const all = await runsOf();
    expect(all.filter(({ kind }) => kind === "site_map")).toHaveLength(4);
    expect(all.at(-1)).toMatchObject({ status: "done", result: { pages: expect.any(Number) } });
    expect((await readConnection(world.sql, whose, connection.id)).site?.links_found).toBeGreaterThan(0);
  });

  // covers seo: E28; E41
  it("is asked for again where another own project has it, and an article goes to the site that was named", async () => {
    const { whose, projectId, categoryId } = business;
    await world.twins.control("POST", "/wordpress/sites", {
      ...{ name: "second", title: "Вторая лавка", locale: "ru_RU" },
      users: [{ login: "anna", role: "editor", passwords: [credentials.administrator.app_password] }],
    });
    const fields = { ...credentials.administrator, url: "https://second.wordpress.test" };
    const given = { platform_type: "wordpress", fields } as const;
    const { id } = await connectPlatform(world.connecting, whose, projectId, given);
    const elsewhere = await aProject(world.sql, whose, "Третий");
    await expect(connectPlatform(world.connecting, whose, elsewhere, given)).rejects.toMatchObject({
      ...{
        code: "connected_elsewhere",
        said: { ru: expect.stringContaining("уже подключён к проекту «Чайная»") },
      },
    });
    const run = await world.written(whose, categoryId, { connectionId: id });
    await publishArticle(world.deciding, whose, run.run_id);
    const { post_url } = articleResult.parse((await world.delivered(whose, run.run_id)).result);
    expect(post_url).toContain("second");
    expect(await world.posts()).toEqual([]);
  });
});

/** The twin shows its sites' own addresses as they are reached. */
const shownAt = (url: string) =>
  url.replace("https://shop.wordpress.test", `${world.twins.url}/wordpress/shop`);

describe("an article on the site", () => {
  beforeEach(async () => {
    // The twin's map of the site is about its name.
    business = await world.aBusiness({ phrases: ["как выбрать шоп"] });
  });
  const published = async (wanted = {}) => {
    const { whose, categoryId, connectionId } = business;
    const run = await world.written(whose, categoryId, { connectionId, ...wanted });
    await publishArticle(world.deciding, whose, run.run_id);
    const { article, post_url = "" } = articleResult.parse((await world.delivered(whose, run.run_id)).result);
    return { article, html: await pageAt(post_url) };
  };
  const inOrder = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, found]) => found);

  // covers seo: F11; F27
  it("is the rendered page: contents that lead to its headings, its brand, pictures with captions, links and structured data", async () => {
    const { whose, projectId } = business;
    await world.sql`
      insert into seo.site_brandings (workspace_id, project_id, url, colors, fonts, logo_url, extracted_at)
      values (${whose.workspaceId}, ${projectId}, 'https://shop.wordpress.test', '{"accent": "#0a6b3c", "text": "#222222"}', '{}', null, now())`;
    const { article, html } = await published();
    const ids = inOrder(html, /<h[23] class="wp-block-heading" id="([a-z0-9-]+)">/g);
    expect(ids.length).toBeGreaterThanOrEqual(3);
    const contents = /<nav class="article-contents">(.*?)<\/nav>/s.exec(html)?.[1] ?? "";
    expect(contents).toContain("Содержание");
    expect(inOrder(contents, /href="#([^"]+)"/g)).toEqual(ids);
    expect(html.match(/<style>\.molva-article \{color: #222222\}[^<]*#0a6b3c[^<]*<\/style>/g)).toHaveLength(
      1,
    );
    expect(
      html.match(/<figure class="wp-block-image"><img [^>]*alt="[^"]{5,}"[^>]*><figcaption[^>]*>[^<]{5,}</g),
    ).toHaveLength(4);
    expect(html).toContain('loading="lazy"');
    for (const { url } of article.links) expect(html).toContain(`<a href="${shownAt(url)}">`);
    expect(article.links.length).toBeGreaterThan(0);
    const things = inOrder(html, /<script type="application\/ld\+json">(\{[^<]*?)<\/script>/g).map((json) =>
      JSON.parse(json ?? ""),
    );
    expect(things).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          "@type": "Article",
          image: expect.arrayContaining([expect.stringContaining("/wp-content/")]),
          datePublished: expect.any(String),
        }),
        expect.objectContaining({
          "@type": "FAQPage",
          mainEntity: expect.arrayContaining([expect.objectContaining({ "@type": "Question" })]),
        }),
      ]),
    );
    expect(html).not.toMatch(/\{\{|IMAGE_\d|pictures\.invalid/);
  });

  it("of an account that may write no styles shows neither CSS nor JSON, and keeps contents and headings", async () => {
    const { whose, connectionId } = business;
    await reconnectPlatform(world.connecting, whose, connectionId, { ...credentials.author });
    const { article, html } = await published();
    const entry = html.slice(html.indexOf('<div class="entry">'), html.indexOf('<nav class="terms">'));
    expect(entry).toContain('<nav class="article-contents">');
    expect(entry).toMatch(/<h2 class="wp-block-heading" id="[a-z0-9-]+">/);
    expect(entry).not.toMatch(/<style|<script|molva-article|border-left|"@context"|@type/);
    expect(entry).toContain(`href="${shownAt(article.links[0]?.url ?? "")}"`);
  });

  it("has the labels, links, robots, original and type that were set for the connection", async () => {
    const { whose, connectionId } = business;
    const kept = ["canonical", "meta-robots-noindex"].map((name) => `_yoast_wpseo_${name}`);
    await world.twins.control("PATCH", "/wordpress/sites/shop", {
      plugins: ["yoast"],
      registered_meta: kept,
    });
    const set = (changes: object) =>
      changeSiteMetadata(world.connecting, whose, connectionId, siteMetadataChanges.parse(changes));
    await set({
      categories: ["Чай"],
      tags: ["улун", "заваривание"],
      internal_links: 3,
      robots: "noindex, follow",
    });
    const changed = await set({
      ...{ internal_links: 0, schema_type: "BlogPosting", canonical: "https://chai.example/blog/" },
      external_links: [{ url: "https://gost.example/chay", title: "Как выбрать шоп" }],
      tags: null,
    });
    expect(changed.metadata).toMatchObject({
      categories: ["Чай"],
      internal_links: 0,
      robots: "noindex, follow",
    });
    expect(changed.metadata).not.toHaveProperty("tags");
    const { article, html } = await published();
    expect(article.links).toMatchObject([{ url: "https://gost.example/chay" }]);
    expect(html).toContain('<a href="https://gost.example/chay">');
    expect(html).toContain('"@type":"BlogPosting"');
    expect(html).toMatch(/\/category\/[^"]+">Чай</);
    expect(html).not.toContain("#улун");
    expect(html).toContain('<meta name="robots" content="noindex, follow">');
    expect(html).toMatch(/<link rel="canonical" href="https:\/\/chai\.example\/blog\/[a-z-]+\/">/);
  });

  it("refuses settings that nobody knows, that cannot be used, or that only a site has", async () => {
    const { whose, projectId } = business;
    expect(siteMetadataChanges.safeParse({ colour: "red" }).success).toBe(false);
    expect(siteMetadataChanges.safeParse({}).success).toBe(false);
    for (const wrong of [
      { robots: "hide" },
      { canonical: "javascript:alert(1)" },
      { schema_type: "Recipe" },
      { internal_links: 11 },
      { external_links: [{ url: "ftp://a.ru", title: "Ссылка" }] },
    ])
      expect(siteMetadataChanges.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
    await expect(
      connectPlatform(world.connecting, whose, projectId, {
        ...{ platform_type: "wordpress", fields: { ...wordpress.credential }, metadata: { colour: "red" } },
      }),
    ).rejects.toMatchObject({ code: "value_refused" });
    await expect(
      changeSiteMetadata(world.connecting, { ...whose, userId: 1 }, business.connectionId, { tags: ["x"] }),
    ).rejects.toThrow("There is no connection");
  });
});

describe("an article", () => {
  // covers seo: F16; F24; F41
  it("follows the site's own settings before the category's, and speaks of the price list", async () => {
    const { whose, categoryId } = business;
    const { sql } = world;
    const set = (platform: "wordpress" | undefined, changes: SettingsChanges) =>
      changeSettings(world.deps, whose, categoryId, platform, changes);
    await set(undefined, { image: { count: 1 }, text: { style: "Дружелюбный" } });
    await set("wordpress", {
      ...{ image: { count: 2 }, text: { style: "С юмором", html_style: "Академический", words_max: 1_700 } },
    });
    await setPrices(world.deps, whose, categoryId, [{ name: "Сенча", price: "450 руб." }]);
    const { gateway } = world.deps;
    let asked = "";
    const kind = articleRun({
      ...world.deps,
      gateway: {
        ...gateway,
        async object(ask) {
          asked += JSON.stringify(ask.prompt.data);
          return gateway.object(ask);
        },
      },
    });
    const runs = world.runsOf(kind);
    const { run_id, tokens } = await world.order(whose, categoryId, {}, runs);
    expect(tokens).toBe(170 + 60);
    await world.perform(whose, run_id, runs);
    const { pictures } = articleResult.parse((await readRun(sql, whose.workspaceId, run_id)).result);
    expect(pictures).toHaveLength(2);
    for (const words of ["С юмором", "Академический", "Сенча", "450 руб."]) expect(asked).toContain(words);
    expect(asked).not.toContain("Дружелюбный");
    await resetSettings(world.deps, whose, categoryId, "wordpress");
    expect(await readSettings(sql, whose, categoryId, "wordpress")).toMatchObject({
      ...{ image: { count: 1 }, text: { style: "Дружелюбный" }, image_from: "category" },
    });
  });
});
