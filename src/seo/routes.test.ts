import { randomUUID } from "node:crypto";
import { strToU8, zipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../tests/support/database.ts";
import { tempFolder } from "../../tests/support/temp-folder.ts";
import { createLedger } from "../billing/index.ts";
import { aWorkspace } from "../delivery/testing/builders.ts";
import { telegramApi } from "../dialogs/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../http/testing/http-server.ts";
import { systemClock as clock } from "../kernel/clock/index.ts";
import { createVault, generateKey } from "../kernel/crypto/index.ts";
import { createKeyValue } from "../kernel/kv/index.ts";
import { silentLog } from "../kernel/log/index.ts";
import { createGuardedClient, createProviderClient } from "../kernel/outbound/index.ts";
import { createStorage } from "../kernel/storage/index.ts";
import { aGateway, type GatewayHarness } from "../llm/testing/harness.ts";
import { createPlatforms } from "../platforms/index.ts";
import { createTelegraph } from "../telegraph/index.ts";
import { createCredentials, createVariables } from "../workspaces/index.ts";
import { articleRun } from "./articles/article-run.ts";
import { broadcastTask } from "./broadcasts/send-broadcast.ts";
import { keywordsRun } from "./keywords/keywords-run.ts";
import { loadLanguage } from "./language/index.ts";
import { imagesRun } from "./pictures/images-run.ts";
import { crossPostRun } from "./posts/cross-post-run.ts";
import { postRun } from "./posts/post-run.ts";
import { refundDrafts } from "./previews/refund-drafts.ts";
import { logPublication } from "./publications/publications.ts";
import { createCleanUp } from "./publish/clean-up.ts";
import { createEndTask } from "./publish/publish-run.ts";
import { createUpdateTask } from "./publish/update-page.ts";
import { seoRoutes } from "./routes.ts";
import { createRuns } from "./runs/create-runs.ts";
import { createOwnDriver } from "./schedules/own-driver.ts";
import { smallerKinds } from "./smaller-works.ts";
import { createSources } from "./sources/index.ts";
import { keepStyle, measureStyle, styleRun } from "./styleguide/index.ts";
import { aDraft } from "./testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let workspaceId: string;
let headers: { authorization: string };
let model: GatewayHarness;
const providers = createProviderClient();

beforeAll(async () => {
  database = await databaseWithJobs();
  const { sql } = database;
  const platforms = createPlatforms({});
  const vault = createVault([generateKey()], clock);
  const credentials = createCredentials(sql, vault, createVariables([], {}), {
    platforms,
    http: providers,
    clock,
  });
  const beforeDelete = [refundDrafts({ sql, clock })];
  const deps = { ...{ sql, clock, platforms, providers, vault, credentials }, admins: [], beforeDelete };
  model = aGateway(sql, "http://127.0.0.1:9");
  const silent = createSources(
    {},
    {
      ...{ http: providers, keyValue: await createKeyValue({ sql, log: silentLog }), log: silentLog },
      ...{ pause: async () => {}, noteCost: async () => {}, newId: randomUUID, clock },
    },
  );
  const work = { sql, clock, ledger: createLedger(sql, clock), gateway: model.gateway, sources: silent };
  const storage = createStorage({
    ...{ folder: tempFolder("seo-routes"), urlBase: "http://127.0.0.1:9", secret: "s" },
    clock,
  });
  const telegraph = createTelegraph({
    ...{ apiRoot: "http://127.0.0.1:9", http: providers, clock, shortName: "SEO" },
    keeper: { token: async () => undefined, keep: async (token) => token },
  });
  const articles = { ...work, platforms, storage, telegraph, language: loadLanguage };
  const guarded = createGuardedClient();
  const kinds = {
    ...{ keywords: keywordsRun(work), article: articleRun(articles), images: imagesRun(articles) },
    ...{ post: postRun(articles), crossPost: crossPostRun(articles), ...smallerKinds(work) },
    style: styleRun({ ...work, guarded, language: loadLanguage }),
  };
  const runs = createRuns({ sql, clock, log: silentLog, kinds: Object.values(kinds) });
  const cleanUp = createCleanUp({ ...articles, log: silentLog });
  const publishedTask = createEndTask({ sql, clock, runs, cleanUp });
  const api = () =>
    telegramApi({ http: providers, apiRoot: "http://127.0.0.1:9", token: async () => undefined });
  const office = { usdRub: 92.5, broadcasts: broadcastTask({ sql, clock, bot: "seo-bot", api }) };
  const workshop = {
    ...{ kinds, runs, articles, cleanUp, publishedTask },
    updateTask: createUpdateTask({ sql, clock, runs, cleanUp, correcting: deps }),
    ...{ sources: silent, sampleReviews: false },
  };
  server = await startTestHttpServer({
    sql,
    clock,
    modules: [seoRoutes({ ...deps, ...workshop, driver: createOwnDriver({ sql, clock }), office })],
  });
  workspaceId = await aWorkspace(sql);
  headers = await server.bearer(["read", "write", "operate", "people", "admin"], workspaceId);
});
afterAll(async () => {
  await server.stop();
  await model.close();
  await providers.close();
  await database.drop();
});

async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
  const answer = await server.call(`/api/v1/seo/users${path}`, {
    ...{ method, headers: { ...headers, ...more } },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

it("holds a person's projects, categories, phrases, prices and settings, and hides them from others", async () => {
  expect(await call("PUT", "/42", { first_name: "Анна" })).toMatchObject({
    ...{ status: 200, body: { balance: 1_500, is_new: true } },
  });
  const wrong = await call("POST", "/42/projects", {
    name: "К",
    company_name: "Дубрава",
    specialization: "дуб",
  });
  expect(wrong).toMatchObject({
    status: 400,
    body: {
      errors: [
        { pointer: "/name" },
        { pointer: "/specialization", detail: "Say more about it: 5 to 500 characters" },
      ],
    },
  });
  const made = await call("POST", "/42/projects", {
    ...{
      name: "Кухни",
      company_name: "Дубрава",
      specialization: "кухни на заказ",
      website_url: "shop.example",
    },
  });
  expect(made).toMatchObject({ status: 201, body: { filled: 4, website_url: "https://shop.example" } });
  const { id } = made.body;
  expect(await call("PATCH", `/42/projects/${id}`, { company_city: "Казань" })).toMatchObject({
    body: { filled: 5 },
  });
  expect((await call("GET", `/43/projects/${id}`)).status).toBe(404);
  for (let more = 0; more < 2; more += 1)
    await call("POST", "/42/projects", {
      name: "Ещё",
      company_name: "Дубрава",
      specialization: "кухни на заказ",
    });
  const page = await call("GET", "/42/projects?limit=2");
  expect(page.body.items).toHaveLength(2);
  expect((await call("GET", `/42/projects?limit=2&after=${page.body.next}`)).body).toMatchObject({
    ...{ items: [{ id }], next: null },
  });

  const category = (await call("POST", `/42/projects/${id}/categories`, { name: "Кухни из дуба" })).body.id;
  const at = `/42/categories/${category}`;
  expect(
    await call("POST", `${at}/keywords`, {
      clusters: [
        {
          cluster_name: "Дуб",
          phrases: [{ phrase: "кухня из дуба", volume: 90 }, { phrase: "дубовая кухня" }],
        },
      ],
    }),
  ).toMatchObject({ body: { added: 2, clusters: 1 } });
  expect(await call("POST", `${at}/keywords`, { phrases: ["Дубовая кухня", "шкаф"] })).toMatchObject({
    body: { added: 1, clusters: 2, warning: "The phrases have no search volumes" },
  });
  expect((await call("GET", `${at}/keywords/export?format=txt`)).body).toBe(
    "кухня из дуба\nдубовая кухня\nшкаф\n",
  );
  expect(await call("POST", `${at}/keywords/remove`, { phrases: ["шкаф"] })).toMatchObject({
    body: { clusters: 1 },
  });

  expect(await call("PUT", `${at}/prices`, { text: "Стол" })).toMatchObject({
    ...{
      status: 422,
      body: { code: "value_refused", detail: "Line 1 cannot be read. It has to be: Name — Price" },
    },
  });
  const type = { "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" };
  expect(await call("PUT", `${at}/prices/sheet`, zipSync({ "a.xml": strToU8("<a/>") }), type)).toMatchObject({
    ...{ status: 422, body: { code: "file_refused" } },
  });
  expect((await call("PUT", `${at}/prices/sheet`, { file: "x" })).status).toBe(415);
  expect(await call("PUT", `${at}/prices`, { text: "Стол — 5" })).toMatchObject({
    body: { items: [{ price: "5" }] },
  });
  expect(await call("PATCH", `${at}/settings?platform=vk`, { image: { count: 3 } })).toMatchObject({
    body: { image: { count: 3 }, image_from: "platform", text_from: "default" },
  });
  expect((await call("DELETE", `${at}/settings?platform=vk`)).status).toBe(204);

  const preview = await aDraft(database.sql, { workspaceId, userId: 42 }, category);
  expect(await call("GET", `${at}/consequences`)).toMatchObject({
    body: { drafts: 1, tokens_returned: 320 },
  });
  expect(await call("POST", `/42/previews/${preview}/cancel`, {})).toMatchObject({ body: { returned: 320 } });
  expect(await call("POST", `/42/previews/${preview}/cancel`, {})).toMatchObject({ status: 409 });
  expect((await call("DELETE", `/42/projects/${id}?dry_run=true`)).status).toBe(204);
  expect((await call("DELETE", `/42/projects/${id}?reason=closed`)).status).toBe(204);
  expect((await call("GET", at)).status).toBe(404);
});

it("is read with the scope for people only, and each reading is recorded", async () => {
  const { authorization } = await server.bearer(["read", "write"], workspaceId);
  expect((await call("GET", "/42/projects", undefined, { authorization })).status).toBe(403);
  await call("GET", "/42/previews");
  const [noted] = await database.sql`
    select meta ->> 'object' as object from workspaces.events
    where workspace_id = ${workspaceId} and action = 'people_read' order by ts desc, id desc limit 1`;
  expect(noted?.object).toBe("seo_previews");
});

it("orders keywords for tokens, shows the run and gives the tokens back when it is cancelled", async () => {
  await call("PUT", "/61", {});
  const project = await call("POST", "/61/projects", {
    ...{ name: "Лавка", company_name: "Лавка чая", specialization: "Магазин чая и посуды" },
  });
  const category = await call("POST", `/61/projects/${project.body.id}/categories`, { name: "Улун" });
  const path = `/categories/${category.body.id}/keywords/find`;
  const wanted = { quantity: 200, products: "улун, пуэр", geography: "Казань", request_key: "tap-7" };
  expect(await call("POST", `/61${path}`, { ...wanted, quantity: 60 })).toMatchObject({
    ...{ status: 400, body: { detail: expect.stringContaining("One of 50, 100, 150, 200 is needed") } },
  });
  expect(await call("POST", `/62${path}`, wanted)).toMatchObject({ status: 404 });
  expect(await call("POST", `/61${path}`, { quantity: 50 })).toMatchObject({
    ...{ status: 422, body: { code: "value_refused", detail: expect.stringContaining("no city") } },
  });

  const ordered = await call("POST", `/61${path}`, wanted);
  expect(ordered).toMatchObject({ status: 202, body: { repeated: false, tokens: 200 } });
  expect(await call("POST", `/61${path}`, wanted)).toMatchObject({
    ...{ status: 202, body: { run_id: ordered.body.run_id, repeated: true } },
  });
  expect(await call("GET", "/61")).toMatchObject({ body: { balance: 1_300 } });

  const run = async (method: string, rest = "") => {
    const answer = await server.call(`/api/v1/seo/runs${rest}`, { method, headers });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const short = `/${ordered.body.run_id.slice(0, 18)}`;
  expect(await run("GET", "?user_id=61&status=queued")).toMatchObject({
    body: { items: [{ run_id: ordered.body.run_id, kind: "keywords", tokens: 200 }], next: null },
  });
  expect(await run("GET", short)).toMatchObject({
    body: { input: { quantity: 200 }, receipt: [{ operation: "keyword_generation", state: "held" }] },
  });
  expect(await run("POST", `${short}/cancel`)).toMatchObject({ status: 200, body: { status: "cancelled" } });
  expect(await run("POST", `${short}/cancel`)).toMatchObject({ status: 200, body: { status: "cancelled" } });
  expect(await call("GET", "/61")).toMatchObject({ body: { balance: 1_500 } });
});

it("orders the smaller works, tells what is switched off or missing, and shows nothing that was not made", async () => {
  await call("PUT", "/71", {});
  const project = await call("POST", "/71/projects", {
    ...{ name: "Лавка", company_name: "Лавка чая", specialization: "Магазин чая и посуды" },
    website_url: "https://93.184.216.34",
  });
  const site = `/71/projects/${project.body.id}`;
  const category = await call("POST", `${site}/categories`, { name: "Улун" });
  const at = `/71/categories/${category.body.id}`;

  const described = await call("POST", `${at}/description/generate`, { request_key: "tap-1" });
  expect(described).toMatchObject({ status: 202, body: { repeated: false, tokens: 20 } });
  expect(await call("POST", `${at}/description/generate`, { request_key: "tap-1" })).toMatchObject({
    body: { run_id: described.body.run_id, repeated: true },
  });
  expect(await call("POST", `/71/texts/${described.body.run_id}/save`)).toMatchObject({
    ...{ status: 409, body: { code: "text_not_reviewed" } },
  });
  expect((await call("POST", `/72/texts/${described.body.run_id}/regenerate`)).status).toBe(404);
  const off = { status: 409, body: { code: "part_off" } };
  expect(await call("POST", `${at}/reviews/generate`, { quantity: 3 })).toMatchObject(off);
  expect((await call("POST", `${at}/reviews/generate`, { quantity: 4 })).status).toBe(400);
  expect(await call("POST", `${site}/audit`, {})).toMatchObject(off);
  expect(await call("POST", `${site}/competitors/analyse`, { url: "konkurent.example" })).toMatchObject(off);
  expect(await call("POST", `${site}/competitors/analyse`, { url: "не адрес" })).toMatchObject({
    ...{ status: 400, body: { errors: [{ pointer: "/url" }] } },
  });
  expect(await call("POST", `${site}/branding`, {})).toMatchObject({ status: 202, body: { tokens: 0 } });
  expect((await call("GET", `${site}/audit`)).status).toBe(404);
  expect((await call("GET", `${site}/branding`)).status).toBe(404);
  expect(await call("POST", `${at}/keywords/upload`, { text: "улун\nпуэр" })).toMatchObject({
    ...{ status: 202, body: { tokens: 0 } },
  });
  expect(await call("POST", `${at}/keywords/upload`, { text: "\n" })).toMatchObject({
    ...{ status: 422, body: { code: "file_refused" } },
  });
  expect(await call("GET", `${at}/estimate?platform=vk`)).toMatchObject({
    body: { work: "social_post", balance: 1_480, missing: [{ what: "phrases" }, { what: "source" }, {}] },
  });
  expect((await call("GET", `/72/categories/${category.body.id}/estimate`)).status).toBe(404);
});

it("learns a project's style from three texts, refuses fewer and private pages, and shows, compares and removes it", async () => {
  await call("PUT", "/81", {});
  const project = await call("POST", "/81/projects", {
    ...{ name: "Лавка", company_name: "Лавка чая", specialization: "Магазин чая и посуды" },
  });
  const path = `/81/projects/${project.body.id}/style`;
  const text = "Мы завариваем чай при вас. Хотите попробовать? Садитесь у окна, нальём. ".repeat(5);
  expect((await call("GET", path)).status).toBe(404);
  expect(await call("POST", path, { texts: [{ text }, { text }] })).toMatchObject({
    ...{ status: 422, body: { code: "value_refused", detail: "Give 3 to 5 texts that you like." } },
  });
  expect(await call("POST", path, { texts: [{ text }, { text }, { text: "Коротко." }] })).toMatchObject({
    ...{ status: 422, body: { errors: [{ pointer: "/texts/2" }] } },
  });
  const inside = { texts: [{ text }, { text }], urls: ["http://169.254.169.254/latest"] };
  expect(await call("POST", path, inside)).toMatchObject({
    ...{ status: 422, body: { errors: [{ pointer: "/urls/0" }] } },
  });
  expect(await call("POST", path, { texts: [{ text }, { text }, { text }] })).toMatchObject({
    ...{ status: 202, body: { tokens: 0 } },
  });
  const { morphology } = await loadLanguage();
  const features = measureStyle([[{ kind: "paragraph", level: 0, text }]], morphology);
  const whose = { workspaceId, userId: 81 };
  const guide = { features, description: null, learned_from: [] };
  await keepStyle({ sql: database.sql, clock }, whose, project.body.id, guide);
  expect(await call("GET", path)).toMatchObject({ status: 200, body: { features: { address: "вы" } } });
  expect((await call("GET", path.replace("/81/", "/82/"))).status).toBe(404);
  const strict = "Данная продукция является результатом осуществления надлежащих мероприятий. ".repeat(15);
  const checked = await call("POST", `${path}/check`, { body: strict });
  expect(checked.body.deviations.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining(["we", "tone", "questions"]),
  );
  expect((await call("DELETE", path)).status).toBe(204);
  expect((await call("DELETE", path)).status).toBe(404);
});

it("orders an article for tokens, shows it, and cancels it; what is not reviewed cannot be published", async () => {
  await call("PUT", "/43", { first_name: "Борис" });
  const fields = { name: "Мебель", company_name: "Дубрава", specialization: "кухни на заказ" };
  const project = (await call("POST", "/43/projects", fields)).body.id;
  const category = (await call("POST", `/43/projects/${project}/categories`, { name: "Кухни" })).body.id;
  const articles = `/43/categories/${category}/articles`;
  expect(await call("POST", articles, {})).toMatchObject({ status: 409, body: { code: "no_phrase" } });
  await call("POST", `/43/categories/${category}/keywords`, { phrases: ["как выбрать кухню"] });
  const ordered = await call("POST", articles, { request_key: "tap" });
  expect(ordered).toMatchObject({ status: 202, body: { repeated: false, tokens: 370 } });
  expect(await call("POST", articles, { request_key: "tap" })).toMatchObject({ body: { repeated: true } });
  const path = `/43/articles/${ordered.body.run_id}`;
  expect(await call("GET", path)).toMatchObject({ status: 200, body: { kind: "article", status: "queued" } });
  expect(await call("GET", path.replace("/43/", "/42/"))).toMatchObject({ status: 404 });
  expect(await call("POST", `${path}/publish`, {})).toMatchObject({
    ...{ status: 409, body: { code: "preview_ended", detail: "The article is still being written." } },
  });
  expect(await call("POST", `${path}/take`)).toMatchObject({ status: 409 });
  expect(await call("POST", `${path}/regenerate`)).toMatchObject({ status: 409 });
  expect(await call("POST", `${path}/cancel`)).toMatchObject({ status: 200, body: { ended: "cancelled" } });

  const plans = `/43/categories/${category}/article-plans`;
  expect(await call("POST", plans, { answer: "Нам 7 лет." })).toMatchObject({
    status: 202,
    body: { tokens: 0 },
  });
  expect(await call("POST", plans, { answer: "Да. ".repeat(9) })).toMatchObject({
    ...{ status: 422, body: { code: "value_refused", errors: [{ pointer: "/answer" }] } },
  });
  expect(await call("POST", plans.replace("/43/", "/42/"), {})).toMatchObject({ status: 404 });
  await logPublication(
    database.sql,
    { workspaceId, userId: 43 },
    {
      ...{ project_id: project, platform_type: "wordpress", content_type: "article", status: "success" },
      ...{ keyword: "как выбрать кухню", post_url: "https://shop.example/kuhnya/" },
    },
    new Date(),
  );
  expect(await call("POST", articles, {})).toMatchObject({
    status: 409,
    body: { code: "page_serves", detail: expect.stringContaining("https://shop.example/kuhnya/") },
  });
  expect(await call("POST", articles, { anyway: true })).toMatchObject({ status: 202 });
});

it("sets, lists, plans and deletes schedules of a person's own, with networks of the same project beside them", async () => {
  await call("PUT", "/61", { first_name: "Глеб" });
  const fields = { name: "Мебель", company_name: "Дубрава", specialization: "кухни на заказ" };
  const project = (await call("POST", "/61/projects", fields)).body.id;
  const category = (await call("POST", `/61/projects/${project}/categories`, { name: "Кухни" })).body.id;
  const connect = async (platform: string) => {
    const [row] = await database.sql<[{ id: number }]>`
      insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier, status)
      values (${workspaceId}, ${project}, ${platform}, '{}', ${`${platform}.example`}, 'disconnected') returning id`;
    return row.id;
  };
  const [site, channel, wall] = [await connect("wordpress"), await connect("telegram"), await connect("vk")];
  const at = (connection: number) => `/61/categories/${category}/connections/${connection}/schedule`;
  const wanted = { days: ["fri", "mon"], times: ["18:00", "10:00"] };
  const set = await call("PUT", at(channel), { ...wanted, cross_post_connection_ids: [wall] });
  expect(set).toMatchObject({
    status: 200,
    body: {
      ...{ days: ["mon", "fri"], times: ["10:00", "18:00"], enabled: true, platform_type: "telegram" },
      cross_post_connection_ids: [wall],
    },
  });
  for (const body of [
    { ...wanted, days: [] },
    { ...wanted, times: ["25:00"] },
    { ...wanted, times: ["01:00", "02:00", "03:00", "04:00", "05:00", "06:00"] },
    { ...wanted, every: "day" },
  ])
    expect((await call("PUT", at(channel), body)).status).toBe(400);
  for (const [connection, others] of [
    [site, [wall]],
    [channel, [site]],
    [channel, [channel]],
  ] as const)
    expect(await call("PUT", at(connection), { ...wanted, cross_post_connection_ids: others })).toMatchObject(
      { status: 422, body: { errors: [{ pointer: "/cross_post_connection_ids" }] } },
    );
  expect((await call("PUT", at(site), { ...wanted, enabled: false })).body).toMatchObject({ enabled: false });
  expect((await call("GET", "/61/schedules")).body.items).toHaveLength(2);
  const plan = await call("GET", "/61/plan?from=2026-11-16T00:00:00Z&days=2");
  expect(plan.body).toMatchObject({
    balance: 1_500,
    items: [{ due_at: "2026-11-16T07:00:00.000Z" }, { due_at: "2026-11-16T15:00:00.000Z" }],
  });
  const moved = await call("PUT", at(channel), { ...wanted, days: ["tue"] });
  expect(moved.body).toMatchObject({ days: ["tue"], cross_post_connection_ids: [wall] });
  // Nobody else sees or changes them.
  await call("PUT", "/62", { first_name: "Яна" });
  const foreign = at(channel).replace("/61/", "/62/");
  expect((await call("PUT", foreign, wanted)).status).toBe(404);
  expect((await call("DELETE", foreign)).status).toBe(404);
  expect((await call("GET", "/62/schedules")).body).toEqual({ items: [] });
  expect((await call("DELETE", at(channel))).status).toBe(204);
  expect((await call("DELETE", at(channel))).status).toBe(404);
  expect((await call("GET", "/61/schedules")).body.items).toMatchObject([{ connection_id: site }]);
});

// covers seo: F23
it("takes files of a category as they are, whatever their name says, and orders pictures", async () => {
  await call("PUT", "/52", { first_name: "Анна" });
  const project = { name: "Кухни", company_name: "Дубрава", specialization: "кухни на заказ" };
  const { id } = (await call("POST", "/52/projects", project)).body;
  const category = (await call("POST", `/52/projects/${id}/categories`, { name: "Кухни" })).body.id;
  const place = `/52/categories/${category}/media`;
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#804020" } })
    .png()
    .toBuffer();
  const type = { "content-type": "application/octet-stream" };
  const query = `?name=${encodeURIComponent("../../etc/паспорт.exe")}&description=${encodeURIComponent("Дубовый фасад")}`;
  const added = await call("POST", place + query, photo, type);
  expect(added).toMatchObject({
    status: 201,
    body: {
      items: [
        { type: "photo", file_name: "паспорт.exe", description: "Дубовый фасад", url: expect.any(String) },
      ],
    },
  });
  expect(added.body.items[0]).not.toHaveProperty("storage_path");
  const [file] = (await call("GET", place)).body.items;
  expect(file).toMatchObject({ content_type: "image/png", colors: expect.arrayContaining(["#804020"]) });
  expect((await call("POST", place, Buffer.from("<html></html>"), type)).status).toBe(422);
  expect((await call("POST", place, { file: "x" })).status).toBe(415);
  expect((await call("GET", `/53/categories/${category}/media`)).status).toBe(404);
  expect((await call("DELETE", `${place}/${file.file_id}`)).status).toBe(204);
  expect((await call("DELETE", `${place}/${file.file_id}`)).status).toBe(404);

  expect((await call("POST", `/52/categories/${category}/images`, { count: 11 })).status).toBe(400);
  const ordered = await call("POST", `/52/categories/${category}/images`, { count: 2, request_key: "k" });
  expect(ordered).toMatchObject({ status: 202, body: { tokens: 60, repeated: false } });
  const shown = await call("GET", `/52/images/${ordered.body.run_id}`);
  expect(shown.body).toMatchObject({ status: "queued", pictures: [] });
  expect((await call("GET", `/53/images/${ordered.body.run_id}`)).status).toBe(404);
});
