import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { preparationOf, worldOf } from "../../../tests/contract/preparation.ts";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../../twins/index.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createPlatforms, withTwins } from "../../platforms/index.ts";
import { createCredentials, createVariables } from "../../workspaces/index.ts";
import type { SeoDeps } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import { deleteDoomed } from "../projects/delete.ts";
import { createOwnDriver } from "../schedules/own-driver.ts";
import { aProject, aSeoUser } from "../testing/builders.ts";
import { connectPlatform, disconnectChannels, reconnectPlatform, removeConnection } from "./connect.ts";
import { checkConnection, connectionPage, readConnection } from "./connections.ts";
import type { NewSeoConnection } from "./shape.ts";

const telegram = await preparationOf("telegram");
const wordpress = await preparationOf("wordpress");
const site: NewSeoConnection = { platform_type: "wordpress", fields: { ...wordpress.credential } };
const channel: NewSeoConnection = {
  ...{ platform_type: "telegram", target: "https://t.me/shop_news", fields: { ...telegram.credential } },
};

let twins: RunningTwins;
let database: TestDatabase;
let deps: SeoDeps;
let clock: ManualClock;
let whose: Whose;
let projectId: number;
const providers = createProviderClient();
beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  for (const { path, body } of [...worldOf("telegram", telegram), ...worldOf("wordpress", wordpress)])
    await fetch(`${twins.url}/_control${path}`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    });
  database = await databaseWithJobs();
  const { sql } = database;
  clock = manualClock(new Date("2026-11-15T12:00:00Z"));
  const platforms = createPlatforms(withTwins({}, twins.url));
  const vault = createVault([generateKey()], clock);
  const credentials = createCredentials(sql, vault, createVariables([], {}), {
    platforms,
    http: providers,
    clock,
  });
  const messengers = { sql, clock, platforms, credentials, providers };
  deps = {
    ...messengers,
    driver: createOwnDriver(messengers),
    vault,
    admins: [],
    beforeDelete: [disconnectChannels(messengers)],
  };
});
afterAll(async () => {
  await providers.close();
  await twins.close();
  await database.drop();
});
beforeEach(async () => {
  whose = await aSeoUser(database.sql);
  projectId = await aProject(database.sql, whose);
});

const left = async () => {
  const { workspaceId } = whose;
  const [rows] = await database.sql<
    [{ channels: number; credentials: number; secrets: number; connections: number }]
  >`
    select (select count(*) from delivery.channels where workspace_id = ${workspaceId})::int as channels,
      (select count(*) from workspaces.credential_bindings where workspace_id = ${workspaceId})::int as credentials,
      (select count(*) from workspaces.secrets where workspace_id = ${workspaceId})::int as secrets,
      (select count(*) from seo.platform_connections where workspace_id = ${workspaceId})::int as connections`;
  return rows;
};

it("is a channel that only SEO Master addresses, with its account in the vault; connected again it is the same", async () => {
  const made = await connectPlatform(deps, whose, projectId, site);
  expect(made).toMatchObject({ status: "active", identifier: "shop.wordpress.test", title: "Лавка чая" });
  const again = await connectPlatform(deps, whose, projectId, {
    ...site,
    fields: { ...wordpress.credential, url: "HTTPS://shop.wordpress.test/wp-admin/" },
  });
  expect(again.id).toBe(made.id);
  expect(await left()).toEqual({ channels: 1, credentials: 1, secrets: 1, connections: 1 });
  const found = await connectPlatform(deps, whose, projectId, channel);
  expect(found.identifier).toBe(telegram.targetId);
  expect((await connectionPage(database.sql, whose, projectId)).items).toHaveLength(2);
});

it("is refused with the document's words when a field, the account or the place is wrong, and leaves nothing behind", async () => {
  const refused = (given: NewSeoConnection) => expect(connectPlatform(deps, whose, projectId, given)).rejects;
  await refused({ ...channel, target: "канал" }).toMatchObject({
    said: { ru: "Введите @channel, t.me/channel или числовой ID" },
  });
  await refused({ ...channel, fields: { token: "1:wrong-token" } }).toMatchObject({
    said: { ru: "Токен невалиден. Получите токен у @BotFather" },
  });
  await refused({ ...site, fields: { ...wordpress.credential, app_password: "123" } }).toMatchObject({
    said: { ru: "Введите Application Password из WordPress" },
  });
  await refused({ ...site, fields: { ...wordpress.wrongCredential } }).toMatchObject({
    code: "connection_failed",
  });
  await refused({ ...channel, target: telegram.absentTarget }).toMatchObject({ code: "connection_failed" });
  expect(await left()).toEqual({ channels: 0, credentials: 0, secrets: 0, connections: 0 });
});

// covers seo: E41
it("of a place that another own project has is told first; a Telegram channel belongs to one person", async () => {
  await connectPlatform(deps, whose, projectId, site);
  await connectPlatform(deps, whose, projectId, channel);
  const second = await aProject(database.sql, whose, "Второй проект");
  await expect(connectPlatform(deps, whose, second, site)).rejects.toMatchObject({
    code: "connected_elsewhere",
    said: {
      ru: "Этот сайт уже подключён к проекту «Мебель на заказ». Публикации в оба проекта будут идти на один сайт.",
    },
  });
  expect(await connectPlatform(deps, whose, second, { ...site, shared: true })).toMatchObject({
    status: "active",
  });
  const other = await aSeoUser(database.sql, whose.workspaceId);
  const theirs = await aProject(database.sql, other);
  await expect(connectPlatform(deps, other, theirs, channel)).rejects.toMatchObject({
    ...{ code: "place_taken", said: { ru: "Канал уже подключён" } },
  });
  expect(await connectPlatform(deps, other, theirs, site)).toMatchObject({ status: "active" });
});

it("follows its channel: an error when it refuses, active when it works again, disconnected when it is gone", async () => {
  const { id, channel_id } = await connectPlatform(deps, whose, projectId, channel);
  const status = async () => (await readConnection(database.sql, whose, id)).status;
  const fails = () => database.sql`
    update delivery.channels set connection_state = 'error', connection_error = '{"code": "unauthorized"}'
    where channel_id = ${channel_id}`;
  await fails();
  expect(await status()).toBe("error");
  expect(await checkConnection(deps, whose, id)).toMatchObject({ ok: true, finding: "ok" });
  expect(await status()).toBe("active");
  await fails();
  await reconnectPlatform(deps, whose, id, { ...telegram.credential });
  expect(await status()).toBe("active");
  await database.sql`delete from delivery.channels where channel_id = ${channel_id}`;
  expect(await status()).toBe("disconnected");
  expect(await checkConnection(deps, whose, id)).toMatchObject({ ok: false, finding: "disconnected" });
  expect(await reconnectPlatform(deps, whose, id, { ...telegram.credential })).toMatchObject({
    id,
    status: "active",
  });
});

it("that is removed, alone or with its project, takes its channel, its credential and its secret along", async () => {
  const { id } = await connectPlatform(deps, whose, projectId, site);
  await removeConnection(deps, whose, id, { dryRun: true });
  expect(await left()).toMatchObject({ channels: 1, connections: 1 });
  await removeConnection(deps, whose, id);
  expect(await left()).toEqual({ channels: 0, credentials: 0, secrets: 0, connections: 0 });
  await connectPlatform(deps, whose, projectId, site);
  expect(await deleteDoomed(deps, { whose, projectId })).toMatchObject({ connections: 1 });
  expect(await left()).toEqual({ channels: 0, credentials: 0, secrets: 0, connections: 0 });
});

it("may be added ten times an hour; the eleventh is told when, and leaves nothing behind", async () => {
  await database.sql`
    insert into delivery.connection_pace (workspace_id, product, user_id, added)
    values (${whose.workspaceId}, 'seo', ${String(whose.userId)}, array_fill(${clock.now()}::timestamptz, array[10]))`;
  await expect(connectPlatform(deps, whose, projectId, site)).rejects.toMatchObject({
    ...{ code: "too_many_connections", headers: { "retry-after": "3600" } },
    said: { ru: "Слишком много новых подключений (10/час). Следующая попытка через 60 мин." },
  });
  expect(await left()).toEqual({ channels: 0, credentials: 0, secrets: 0, connections: 0 });
});
