import { afterAll, beforeAll, expect, it } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../tests/support/database.ts";
import { systemClock as clock } from "../kernel/clock/index.ts";
import { createVault, generateKey } from "../kernel/crypto/index.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import { createPlatforms } from "../platforms/index.ts";
import { createCredentials, createVariables } from "../workspaces/index.ts";
import { keepAudit, keepBranding, readAudit, readBranding } from "./audits/audits.ts";
import {
  addCategory,
  categoryPage,
  changeCategory,
  deleteCategory,
  readCategory,
} from "./categories/categories.ts";
import {
  addClusters,
  addUploaded,
  readClusters,
  removeKeywords,
  replaceClusters,
} from "./categories/keywords.ts";
import {
  addMedia,
  readMedia,
  readPrices,
  readReviews,
  removeMedia,
  setPrices,
  setReviews,
} from "./categories/lists.ts";
import { connectPlatform, reconnectPlatform, removeConnection } from "./connections/connect.ts";
import { checkConnection, connectionPage, readConnection } from "./connections/connections.ts";
import type { SeoDeps } from "./parts.ts";
import { readUser, setNotifications } from "./people/people.ts";
import type { Whose } from "./people/whose.ts";
import { addPreview, cancelPreview, publishPreview, readPreview } from "./previews/previews.ts";
import { consequencesOf, deleteDoomed } from "./projects/delete.ts";
import { addProject, changeProject, readProject } from "./projects/projects.ts";
import { logPublication } from "./publications/publications.ts";
import { reservePhrase } from "./publications/rotation.ts";
import { createOwnDriver } from "./schedules/own-driver.ts";
import { changeSettings, readSettings, resetSettings } from "./settings/settings.ts";
import { aCategory, aCluster, aDraft, aProject, aSeoUser } from "./testing/builders.ts";

let database: TestDatabase;
let deps: SeoDeps;
let owner: Whose;
let ids: { project: number; category: number; connection: number; preview: number };
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
  const driver = createOwnDriver({ sql, clock });
  deps = {
    ...{ sql, clock, platforms, providers, vault, credentials, driver },
    admins: [],
    beforeDelete: [],
  };
  owner = await aSeoUser(sql);
  const project = await aProject(sql, owner);
  const category = await aCategory(sql, owner, { projectId: project, keywords: [aCluster("кухня")] });
  const [connection] = await sql<[{ id: number }]>`
    insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
    values (${owner.workspaceId}, ${project}, 'wordpress', 'seo-1', 'shop.example') returning id`;
  ids = { project, category, connection: connection.id, preview: await aDraft(sql, owner, category) };
});
afterAll(async () => {
  await providers.close();
  await database.drop();
});

const content = {
  ...{ title: "Чужое", keyword: "кухня", word_count: 1, content_html: "<p>", images: [], tokens_charged: 1 },
};
const fields = { url: "https://shop.example", login: "anna", app_password: "a".repeat(24) };

/** Every operation that names something of a person. */
const operations: Readonly<Record<string, (whose: Whose) => Promise<unknown>>> = {
  readProject: (whose) => readProject(deps.sql, whose, ids.project),
  changeProject: (whose) => changeProject(deps, whose, ids.project, { name: "Чужое" }),
  consequencesOf: (whose) => consequencesOf(deps.sql, { whose, projectId: ids.project }),
  deleteProject: (whose) => deleteDoomed(deps, { whose, projectId: ids.project }),
  readAudit: (whose) => readAudit(deps.sql, whose, ids.project),
  keepAudit: (whose) =>
    keepAudit(
      deps,
      whose,
      ids.project,
      {
        ...{ url: "https://shop.example", performance: 1, accessibility: 1, best_practices: 1, seo_score: 1 },
        ...{ lcp_ms: 1, inp_ms: 1, cls: 0.1, ttfb_ms: 1, recommendations: [] },
      },
      {},
    ),
  readBranding: (whose) => readBranding(deps.sql, whose, ids.project),
  keepBranding: (whose) =>
    keepBranding(deps, whose, ids.project, {
      url: "https://shop.example",
      colors: {},
      fonts: {},
      logo_url: null,
    }),
  categoryPage: (whose) => categoryPage(deps.sql, whose, ids.project),
  addCategory: (whose) => addCategory(deps, whose, ids.project, { name: "Чужое" }),
  readCategory: (whose) => readCategory(deps.sql, whose, ids.category),
  changeCategory: (whose) => changeCategory(deps, whose, ids.category, { name: "Чужое" }),
  deleteCategory: (whose) => deleteCategory(deps, whose, ids.category),
  readClusters: (whose) => readClusters(deps.sql, whose, ids.category),
  addClusters: (whose) => addClusters(deps, whose, ids.category, []),
  replaceClusters: (whose) => replaceClusters(deps, whose, ids.category, []),
  addUploaded: (whose) => addUploaded(deps, whose, { id: ids.category, name: "Чужое" }, ["фраза"]),
  removeKeywords: (whose) => removeKeywords(deps, whose, ids.category, { all: true }),
  readPrices: (whose) => readPrices(deps.sql, whose, ids.category),
  setPrices: (whose) => setPrices(deps, whose, ids.category, []),
  readMedia: (whose) => readMedia(deps.sql, whose, ids.category),
  addMedia: (whose) => addMedia(deps, whose, ids.category, { file_id: "f", type: "photo", file_size: 1 }),
  removeMedia: (whose) => removeMedia(deps, whose, ids.category, "f"),
  readReviews: (whose) => readReviews(deps.sql, whose, ids.category),
  setReviews: (whose) => setReviews(deps, whose, ids.category, []),
  readSettings: (whose) => readSettings(deps.sql, whose, ids.category, "vk"),
  changeSettings: (whose) => changeSettings(deps, whose, ids.category, "vk", { image: { count: 9 } }),
  resetSettings: (whose) => resetSettings(deps, whose, ids.category),
  connectionPage: (whose) => connectionPage(deps.sql, whose, ids.project),
  readConnection: (whose) => readConnection(deps.sql, whose, ids.connection),
  checkConnection: (whose) => checkConnection(deps, whose, ids.connection),
  connectPlatform: (whose) =>
    connectPlatform(deps, whose, ids.project, { platform_type: "wordpress", fields }),
  reconnectPlatform: (whose) => reconnectPlatform(deps, whose, ids.connection, fields),
  removeConnection: (whose) => removeConnection(deps, whose, ids.connection),
  readPreview: (whose) => readPreview(deps.sql, whose, ids.preview),
  addPreview: (whose) => addPreview(deps, whose, { categoryId: ids.category, run: "r" }, content),
  publishPreview: (whose) => publishPreview(deps, whose, ids.preview),
  cancelPreview: (whose) => cancelPreview(deps, whose, ids.preview),
  logPublication: (whose) =>
    logPublication(
      deps.sql,
      whose,
      { project_id: ids.project, platform_type: "vk", content_type: "article", status: "success" },
      clock.now(),
    ),
  reservePhrase: (whose) =>
    reservePhrase(
      deps.sql,
      whose,
      { categoryId: ids.category, contentType: "article", run: "r" },
      clock.now(),
    ),
};

it.each(Object.entries(operations))(
  "%s finds nothing of somebody else, here or in another workspace",
  async (_name, run) => {
    const before = await everything();
    const neighbour = await aSeoUser(database.sql, owner.workspaceId);
    const stranger = { workspaceId: (await aSeoUser(database.sql)).workspaceId, userId: owner.userId };
    for (const whose of [neighbour, stranger])
      await expect(run(whose)).rejects.toMatchObject({ code: "not_found" });
    expect(await everything()).toEqual(before);
  },
);

it("lists of others are empty or unknown, and a stranger is nobody", async () => {
  const nobody = { ...owner, userId: 1 };
  await expect(readUser(database.sql, nobody)).rejects.toMatchObject({ code: "not_found" });
  await expect(setNotifications(deps, nobody, { notify_news: false })).rejects.toMatchObject({
    code: "not_found",
  });
  const fields = { name: "Проект", company_name: "Дубрава", specialization: "кухни на заказ" };
  await expect(addProject(deps, nobody, fields)).rejects.toMatchObject({ code: "not_found" });
});

it("goes with its workspace, the accounts in billing included", async () => {
  const whose = await aSeoUser(database.sql);
  await aDraft(database.sql, whose, await aCategory(database.sql, whose));
  await database.sql`select workspaces.forget_workspace(${whose.workspaceId})`;
  const [left] = await database.sql`
    select (select count(*) from seo.users where workspace_id = ${whose.workspaceId})
      + (select count(*) from seo.article_previews where workspace_id = ${whose.workspaceId}) as rows`;
  expect(Number(left?.rows)).toBe(0);
});

/** All rows of the owner. */
async function everything(): Promise<unknown> {
  const { workspaceId } = owner;
  const { sql } = database;
  return {
    projects: [
      ...(await sql`select * from seo.projects where workspace_id = ${workspaceId} and user_id = ${owner.userId}`),
    ],
    categories: [...(await sql`select * from seo.categories where workspace_id = ${workspaceId}`)],
    connections: [...(await sql`select * from seo.platform_connections where workspace_id = ${workspaceId}`)],
    previews: [...(await sql`select * from seo.article_previews where workspace_id = ${workspaceId}`)],
    logs: [...(await sql`select * from seo.publication_logs where workspace_id = ${workspaceId}`)],
    reservations: [...(await sql`select * from seo.phrase_reservations where workspace_id = ${workspaceId}`)],
  };
}
