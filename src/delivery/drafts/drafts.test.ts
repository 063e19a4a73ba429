import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { postRoute } from "../posting/post-route.ts";
import { runRetention } from "../retention/run-retention.ts";
import { day, retentionDeps } from "../retention/testing.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";
import { draftRoutes } from "./draft-routes.ts";

const clock = manualClock();
let database: TestDatabase;
let sql: Sql;
let server: TestHttpServer;
let workspace: string;
let headers: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  const nowhere = "http://127.0.0.1:9";
  const deps = {
    sql,
    clock,
    platforms: createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere }),
  };
  server = await startTestHttpServer({
    ...deps,
    modules: [
      {
        name: "drafts",
        routes(app) {
          draftRoutes(app, deps);
          postRoute(app, deps);
        },
      },
    ],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspace = await aWorkspace(sql);
  headers = await server.bearer(["read", "write"], workspace);
});

async function ask(method: string, path: string, body?: unknown, as = headers) {
  const answer = await server.call(`/api/v1${path}`, {
    method,
    headers: as,
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : undefined };
}

const draftOf = async (payload: object, rest: object = {}) =>
  (await ask("POST", "/drafts", { payload, ...rest })).body;
const deliveries = () => sql`
  select d.*, m.payload ->> 'text' as text from delivery.deliveries d join delivery.messages m using (workspace_id, message_id)
  where d.workspace_id = ${workspace}`;

describe("drafts", () => {
  it("are kept as they are, incomplete or not, with a title from their first line", async () => {
    const { id: operator, headers: signedIn } = await server.signedInAs({ [workspace]: "operator" });
    const { status, body } = await ask(
      "POST",
      `/drafts?workspace_id=${workspace}`,
      {
        payload: {
          text: "<b>Открытие</b> сезона\nПодробности",
          parse_mode: "HTML",
          media: [{ url: "" }],
          buttons: [[{ text: "Да" }]],
        },
        scheduled_for: "2030-05-01T09:00:00+03:00",
      },
      signedIn,
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      title: "Открытие сезона",
      media: 1,
      channel_ids: null,
      scheduled_for: "2030-05-01T06:00:00.000Z",
      author: { id: `operator:${operator}`, name: expect.stringContaining("Name of") },
      version: 1,
      created_at: clock.now().toISOString(),
      updated_at: clock.now().toISOString(),
      payload: {
        text: "<b>Открытие</b> сезона\nПодробности",
        parse_mode: "HTML",
        media: [{ url: "" }],
        buttons: [[{ text: "Да" }]],
      },
      tags: [],
    });
    expect((await ask("GET", `/drafts/${body.id}`)).body).toEqual(body);
    expect(await draftOf({})).toMatchObject({ title: "", media: 0 });
  });

  it("are listed with what was changed last first, in pages", async () => {
    const made = [];
    for (const text of ["Первый", "Второй", "Третий"]) {
      clock.advance(1000);
      made.push(await draftOf({ text }));
    }
    clock.advance(1000);
    await ask("PATCH", `/drafts/${made[0].id}`, { version: 1, tags: ["news"] });
    const first = (await ask("GET", "/drafts?limit=2")).body;
    const second = (await ask("GET", `/drafts?limit=2&after=${first.next}`)).body;
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual([
      "Первый",
      "Третий",
      "Второй",
    ]);
    expect(first.items[0]).not.toHaveProperty("payload");
    expect(second.next).toBeNull();
  });

  it("change field by field, and only from the version that is there", async () => {
    const channel = await aChannel(sql, workspace);
    const draft = await draftOf({ text: "Было" }, { tags: ["a"] });
    const changed = await ask("PATCH", `/drafts/${draft.id}`, {
      version: 1,
      payload: { text: "Стало" },
      channel_ids: [channel],
    });
    expect(changed.body).toMatchObject({ version: 2, title: "Стало", tags: ["a"], channel_ids: [channel] });
    const stale = await ask("PATCH", `/drafts/${draft.id}`, { version: 1, payload: { text: "Чужое" } });
    expect(stale.status).toBe(409);
    expect(stale.body.detail).toBe(
      "The draft was changed meanwhile: it is at version 2, you have 1. Load it again, then make your change.",
    );
    expect((await ask("PATCH", `/drafts/${draft.id}`, { version: 2, channel_ids: null })).body).toMatchObject(
      {
        version: 3,
        title: "Стало",
        channel_ids: null,
      },
    );
    expect((await ask("PATCH", `/drafts/${draft.id}`, { version: 3 })).status).toBe(400);
  });

  it("are changed by one of two who save at the same moment", async () => {
    const draft = await draftOf({ text: "Было" });
    const answers = await Promise.all(
      ["Один", "Другой"].map((text) =>
        ask("PATCH", `/drafts/${draft.id}`, { version: 1, payload: { text } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ["a wrong type", { payload: { text: 7 } }, 400],
    ["an unknown field", { payload: {}, chanel_ids: [] }, 400],
    ["half of a character", { payload: { text: "\ud800" } }, 400],
    ["more than it may hold", { payload: { text: "я".repeat(140_000) } }, 413],
    ["a time without a zone", { payload: {}, scheduled_for: "2030-05-01T09:00:00" }, 400],
  ])("refuse %s", async (_what, body, status) => {
    expect((await ask("POST", "/drafts", body)).status).toBe(status);
  });

  it("are thrown away", async () => {
    const draft = await draftOf({ text: "Лишний" });
    expect((await ask("DELETE", `/drafts/${draft.id}?dry_run=true`)).status).toBe(204);
    expect((await ask("DELETE", `/drafts/${draft.id}`)).status).toBe(204);
    expect((await ask("GET", `/drafts/${draft.id}`)).status).toBe(404);
    expect((await ask("DELETE", `/drafts/${draft.id}`)).status).toBe(404);
  });

  it("are nobody's outside their workspace, and read-only without the scope write", async () => {
    const draft = await draftOf({ text: "Наше" });
    const elsewhere = await server.bearer(["read", "write"], await aWorkspace(sql));
    expect((await ask("GET", `/drafts/${draft.id}`, undefined, elsewhere)).status).toBe(404);
    expect((await ask("PATCH", `/drafts/${draft.id}`, { version: 1, tags: [] }, elsewhere)).status).toBe(404);
    expect((await ask("POST", `/drafts/${draft.id}/send`, {}, elsewhere)).status).toBe(404);
    expect((await ask("DELETE", `/drafts/${draft.id}`, undefined, elsewhere)).status).toBe(404);
    expect((await ask("GET", "/drafts", undefined, elsewhere)).body.items).toEqual([]);
    const reader = await server.bearer(["read"], workspace);
    expect((await ask("GET", `/drafts/${draft.id}`, undefined, reader)).status).toBe(200);
    expect((await ask("POST", `/drafts/${draft.id}/send`, {}, reader)).status).toBe(403);
  });

  it("keep the files that they name", async () => {
    const ref = "upload-0198c0de-0000-7000-8000-0000000000a1";
    const url = "https://molva.example.com/api/v1/media/0198c0de-0000-7000-8000-0000000000a1";
    const refs = async () =>
      (await sql`select delivery.media_refs(${workspace}, ${ref})::int as refs`)[0]?.refs;
    const draft = await draftOf({ media: [{ type: "photo", url }] });
    expect(await refs()).toBe(1);
    await ask("PATCH", `/drafts/${draft.id}`, { version: 1, payload: { text: "Без картинки" } });
    expect(await refs()).toBe(0);
  });
});

describe("POST /drafts/{id}/send", () => {
  it("posts a draft once, however often it is asked, and removes it", async () => {
    const channel = await aChannel(sql, workspace);
    await aChannel(sql, workspace);
    const draft = await draftOf(
      { text: "Новость" },
      { channel_ids: [channel], scheduled_for: "2030-05-01T09:00:00Z" },
    );
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", `/drafts/${draft.id}/send`, {})));
    const again = await ask("POST", `/drafts/${draft.id}/send`, { version: 1 });
    for (const { status, body } of [...answers, again]) {
      expect(status).toBe(200);
      expect(body).toEqual(answers[0]?.body);
    }
    expect(answers[0]?.body).toMatchObject({ ok: true, queued: 1, message_id: expect.any(String) });
    expect(await deliveries()).toMatchObject([
      {
        channel_id: channel,
        text: "Новость",
        status: "queued",
        scheduled_for: new Date("2030-05-01T09:00:00Z"),
      },
    ]);
    expect((await ask("GET", `/drafts/${draft.id}`)).status).toBe(404);
    expect((await ask("GET", "/drafts")).body.items).toEqual([]);
    expect((await ask("PATCH", `/drafts/${draft.id}`, { version: 1, tags: [] })).status).toBe(404);
  });

  it("writes who sent it to the trail", async () => {
    await aChannel(sql, workspace);
    const { id, headers: signedIn } = await server.signedInAs({ [workspace]: "operator" });
    const draft = await draftOf({ text: "Новость" });
    await ask("POST", `/drafts/${draft.id}/send?workspace_id=${workspace}`, {}, signedIn);
    expect(
      await sql`select action, meta from workspaces.events where workspace_id = ${workspace}`,
    ).toMatchObject([{ action: "enqueue", meta: { kind: "operator", operator: `operator:${id}` } }]);
    expect(await sql`select source from delivery.messages where workspace_id = ${workspace}`).toMatchObject([
      { source: { kind: "operator", operator: `operator:${id}` } },
    ]);
  });

  it.each([
    ["has nothing to post", {}, {}, 400, /A post needs text or media/],
    ["has a picture without an address", { media: [{ type: "photo" }] }, {}, 422, /No channel can take it/],
    [
      "names a channel that is not there",
      { text: "а" },
      { channel_ids: ["0198c0de-0000-7000-8000-000000000001"] },
      400,
      /There is no channel/,
    ],
    ["is too long for every channel", { text: "я".repeat(5000) }, {}, 422, /Канал \(telegram\): .*4096/],
    [
      "asks for tags that no channel takes",
      { text: "а" },
      { tags: ["nobody"] },
      422,
      /No channel takes a post with the tags/,
    ],
  ])(
    "leaves a draft that %s, and stores nothing of its post",
    async (what, payload, rest, status, sentence) => {
      await aChannel(
        sql,
        workspace,
        what.includes("tags") ? { route_filter: { include_any: ["sport"] } } : {},
      );
      const draft = await draftOf(payload, rest);
      const answer = await ask("POST", `/drafts/${draft.id}/send`, {});
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).toMatch(sentence);
      expect((await ask("GET", `/drafts/${draft.id}`)).body).toEqual(draft);
      expect(await sql`select from delivery.messages where workspace_id = ${workspace}`).toHaveLength(0);
    },
  );

  it("does not post what the sender has not seen", async () => {
    await aChannel(sql, workspace);
    const draft = await draftOf({ text: "Было" });
    await ask("PATCH", `/drafts/${draft.id}`, { version: 1, payload: { text: "Стало" } });
    expect((await ask("POST", `/drafts/${draft.id}/send`, { version: 1 })).status).toBe(409);
    expect(await deliveries()).toHaveLength(0);
    expect((await ask("POST", `/drafts/${draft.id}/send`, { version: 2 })).body).toMatchObject({ queued: 1 });
  });

  it("is forgotten a day later", async () => {
    await aChannel(sql, workspace);
    const draft = await draftOf({ text: "Новость" });
    const open = await draftOf({ text: "Не отправлен" });
    await ask("POST", `/drafts/${draft.id}/send`, {});
    const deps = retentionDeps(sql, tempFolder("drafts"));
    await runRetention({ ...deps, clock: manualClock(new Date(clock.now().getTime() + 2 * day)) });
    expect((await ask("POST", `/drafts/${draft.id}/send`, {})).status).toBe(404);
    expect((await ask("GET", `/drafts/${open.id}`)).status).toBe(200);
  });
});

describe("POST /messages", () => {
  it("takes what ingest takes, from an operator", async () => {
    const channel = await aChannel(sql, workspace);
    const { status, body } = await ask("POST", "/messages", {
      payload: { text: "Новость #дня" },
      channel_ids: [channel],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ ok: true, run_id: expect.any(String), message_id: expect.any(String) },
      ...{ queued: 1, deduped: 0, failed_permanent: 0, skipped_inflight: 0 },
    });
    expect(await deliveries()).toMatchObject([{ channel_id: channel, status: "queued" }]);
  });

  it("drops a repeat with the same key or, without one, with the same content at once", async () => {
    await aChannel(sql, workspace);
    const post = { payload: { text: "Дважды" } };
    expect((await ask("POST", "/messages", post)).body).toMatchObject({ queued: 1 });
    expect((await ask("POST", "/messages", post)).body).toMatchObject({ dropped: true });
    const keyed = { ...headers, "idempotency-key": "tap-1" };
    const other = { payload: { text: "С ключом" } };
    expect((await ask("POST", "/messages", other, keyed)).body).toMatchObject({ queued: 1 });
    clock.advance(60_000);
    expect((await ask("POST", "/messages", other, keyed)).body).toMatchObject({ dropped: true });
    expect(await deliveries()).toHaveLength(2);
  });

  it("says what a dry run would do, and does nothing", async () => {
    await aChannel(sql, workspace);
    expect(
      (await ask("POST", "/messages", { payload: { text: "Проба" }, dry_run: true })).body,
    ).toMatchObject({ queued: 1 });
    expect(await sql`select from delivery.messages where workspace_id = ${workspace}`).toHaveLength(0);
  });

  it("refuses what cannot be posted, other workspaces' channels, and callers without the scope write", async () => {
    const foreign = await aChannel(sql, await aWorkspace(sql));
    expect((await ask("POST", "/messages", { payload: {} })).body).toMatchObject({
      errors: [{ pointer: "/payload" }],
    });
    expect(
      (await ask("POST", "/messages", { payload: { text: "а" }, channel_ids: [foreign] })).body,
    ).toMatchObject({
      errors: [{ pointer: "/channel_ids/0", detail: `There is no channel ${foreign} in this workspace.` }],
    });
    const reader = await server.bearer(["read"], workspace);
    expect((await ask("POST", "/messages", { payload: { text: "а" } }, reader)).status).toBe(403);
  });

  it("does not disturb posts that come another way", async () => {
    await aChannel(sql, workspace);
    await enqueue(sql, workspace, "Одинаковый", { now: clock.now() });
    expect((await ask("POST", "/messages", { payload: { text: "Одинаковый" } })).body).toMatchObject({
      queued: 0,
      skipped_inflight: 1,
    });
  });
});

describe("POST /messages/recipients", () => {
  it("says which channels get a post by its tags, and why the others do not", async () => {
    const everything = await aChannel(sql, workspace, { title: "Всё" });
    await sql`update delivery.channels set timezone = 'Asia/Omsk' where channel_id = ${everything}`;
    const sport = await aChannel(sql, workspace, { route_filter: { include_any: ["спорт", "футбол"] } });
    const calm = await aChannel(sql, workspace, { route_filter: { exclude: ["18+"] } });
    const { status, body } = await ask("POST", "/messages/recipients", {
      payload: { text: "Ночь #Кино" },
      tags: ["18+"],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ timezone: "Europe/Moscow", tags: ["18+", "кино"] });
    expect(body.channels).toMatchObject([
      {
        ...{ id: everything, title: "Всё", platform: "telegram", timezone: "Asia/Omsk", because: null },
        limits: { text: 4096, caption: 1024 },
      },
      {
        ...{ id: sport, because: "include_any", because_tags: ["спорт", "футбол"] },
        timezone: "Europe/Moscow",
      },
      { id: calm, because: "exclude", because_tags: ["18+"] },
    ]);
  });

  it("says it of a post that names its channels, as long as they are switched on", async () => {
    const named = await aChannel(sql, workspace);
    const off = await aChannel(sql, workspace, { enabled: false });
    const other = await aChannel(sql, workspace);
    const { body } = await ask("POST", "/messages/recipients", { payload: {}, channel_ids: [named, off] });
    expect(body.channels.map(({ id, because }: { id: string; because: string }) => [id, because])).toEqual([
      [named, null],
      [off, "disabled"],
      [other, "not_named"],
    ]);
  });

  it("refuses a text that cannot be stored, and more tags than a post may have", async () => {
    const tags = Array.from({ length: 1001 }, (_, at) => `t${at}`);
    for (const body of [{ payload: { text: "\0" } }, { payload: {}, tags }])
      expect((await ask("POST", "/messages/recipients", body)).status).toBe(400);
  });

  it("tells nothing of another workspace", async () => {
    await aChannel(sql, await aWorkspace(sql));
    expect((await ask("POST", "/messages/recipients", { payload: {} })).body.channels).toEqual([]);
  });
});
