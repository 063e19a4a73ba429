import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { placeOfSecret } from "../../../workspaces/index.ts";
import { type FeedServer, rss, startFeedServer } from "../../pull/testing/feed-server.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminHarness, asked, startAdminHarness } from "../testing/harness.ts";

let feeds: FeedServer;
let harness: AdminHarness;

beforeAll(async () => {
  feeds = await startFeedServer();
  harness = await startAdminHarness(await testDatabase(), {
    allowHosts: [feeds.host],
    bindings: ["MOLVA_SOURCE_LIFE", "MOLVA_SOURCE_KEPT"].map((name) => ({ name, workspace: "*" })),
  });
  await aChannel(harness.sql, harness.workspaceId);
});
afterAll(async () => {
  await harness?.stop();
  await feeds?.close();
});

async function added(source_id: string, given: Record<string, unknown> = {}): Promise<string> {
  feeds.serve(`/${source_id}`, { body: rss([{ id: `${source_id}-1`, text: `Новость ленты ${source_id}` }]) });
  const { status } = await harness.call("POST", "/sources", {
    source_id,
    kind: "rss",
    config: { url: `${feeds.url}/${source_id}` },
    ...given,
  });
  expect(status).toBe(201);
  return `/sources/${source_id}`;
}

async function secrets(): Promise<string[]> {
  const rows = await harness.sql<{ secret_id: string; ciphertext: string }[]>`
    select secret_id, ciphertext from workspaces.secrets where workspace_id = ${harness.workspaceId}`;
  return rows.map(({ secret_id, ciphertext }) =>
    harness.vault.decrypt(ciphertext, placeOfSecret(harness.workspaceId, secret_id)),
  );
}

async function messages(): Promise<number> {
  const [row] = await harness.sql<[{ count: number }]>`
    select count(*)::int from delivery.messages where workspace_id = ${harness.workspaceId}`;
  return row.count;
}

describe("sources", () => {
  // covers autoposting: Table: pull_sources
  it("are added with their door, shown without their secret, changed and deleted, each with an event", async () => {
    const path = await added("life", { secret: "Bearer very-secret", every_seconds: 600 });
    const { body } = await harness.call("GET", path);
    expect(body).toMatchObject({ source_id: "life", has_secret: true, every_seconds: 600, enabled: true });
    expect(body.endpoint_id).toEqual(expect.any(String));
    expect((await harness.call("PATCH", path, { every_seconds: 900 })).body.every_seconds).toBe(900);
    expect((await harness.call("POST", `${path}/disable`, { reason: "шумит" })).body.enabled).toBe(false);
    expect((await harness.call("POST", `${path}/enable`, {})).body.enabled).toBe(true);
    await harness.call("PATCH", path, { secret_variable: "MOLVA_SOURCE_LIFE" });
    expect((await harness.call("DELETE", `${path}?reason=closed`)).status).toBe(204);
    expect((await harness.call("GET", path)).status).toBe(404);

    const events = (await harness.events()).filter(({ meta }) => meta.source_id === "life");
    expect(events).toMatchObject([
      { action: "config_changed", meta: { created: true, kind: "rss" } },
      { meta: { changes: { every_seconds: { from: 600, to: 900 } } } },
      { meta: { changes: { enabled: { from: true, to: false } }, reason: "шумит" } },
      { meta: { changes: { enabled: { from: false, to: true } } } },
      { meta: { secret_changed: true } },
      { meta: { deleted: true, reason: "closed" } },
    ]);
    expect(JSON.stringify([body, events])).not.toContain("very-secret");
  });

  it("leave no key of theirs in the audit trail", async () => {
    const path = await added("keys");
    const url = `${feeds.url}/keys?token=very-secret-0123456789`;
    await harness.call("PATCH", path, {
      config: { url, headers: { "X-Api-Key": "another-secret" }, tags: ["a"] },
    });
    const events = (await harness.events()).filter(({ meta }) => meta.source_id === "keys");
    expect(events.at(-1)?.meta).toMatchObject({
      changes: { config: { to: { headers: { "X-Api-Key": "[secret]" }, tags: ["a"] } } },
    });
    expect(JSON.stringify(events)).not.toMatch(/very-secret|another-secret/);
  });

  it("keep their secret encrypted, replace it, and take it along when they go; what they posted stays", async () => {
    const path = await added("kept", { secret: "Bearer one" });
    await harness.call("PATCH", path, { secret: " Bearer two " });
    expect(await secrets()).toEqual(["Bearer two"]);
    await harness.call("PATCH", path, { secret_variable: "MOLVA_SOURCE_KEPT" });
    expect(await secrets()).toEqual([]);
    await harness.call("PATCH", path, { secret: "Bearer three" });
    const before = await messages();
    await harness.call("DELETE", path);
    expect(await secrets()).toEqual([]);
    expect(await messages()).toBe(before);
  });

  it("have one open door each, which has no secret", async () => {
    await added("door");
    const doors = await harness.sql`
      select kind, enabled, secret_hash from delivery.workspace_endpoints
      where workspace_id = ${harness.workspaceId} and source_id = 'door'`;
    expect([...doors]).toEqual([{ kind: "pull_source", enabled: true, secret_hash: null }]);
  });

  it.each([
    [{ source_id: "Мои новости" }, "/source_id"],
    [{ every_seconds: 1 }, "/every_seconds"],
    [{ secret: " " }, "/secret"],
    [{ secret_variable: "DATABASE_URL" }, "/secret_variable"],
  ])("are refused with the error's position: %j", async (given, pointer) => {
    const source = { source_id: "wrong", kind: "rss", config: { url: feeds.url }, ...given };
    expect(await harness.call("POST", "/sources", source)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  it("that nobody knows are told apart", async () => {
    expect((await harness.call("PATCH", "/sources/nobody", { every_seconds: 60 })).status).toBe(404);
    expect((await harness.call("DELETE", "/sources/nobody")).status).toBe(404);
  });

  it("with a wrong configuration are refused, with a pointer to each error", async () => {
    const config = { url: "ftp://example.com", wings: 2 };
    const answer = await harness.call("POST", "/sources", { source_id: "bad", kind: "rss", config });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain("/config/url");
    const path = await added("good");
    expect((await harness.call("PATCH", path, { config: { url: 5 } })).status).toBe(422);
    const both = { secret: "a", secret_variable: "MOLVA_SOURCE_A" };
    expect((await harness.call("PATCH", path, both)).status).toBe(400);
  });

  it("that have a secret ask for it again when they move to another server", async () => {
    const path = await added("moving", { secret: "Bearer very-secret" });
    const same = { config: { url: `${feeds.url.replace("http:", "HTTP:")}/elsewhere?page=1` } };
    expect((await harness.call("PATCH", path, same)).status).toBe(200);
    for (const url of [
      "https://thief.example/moving",
      `https://${feeds.host}/moving`,
      "http://127.0.0.1:1/moving",
      `http://thief.example\\@${feeds.host}/moving`,
    ])
      expect(await harness.call("PATCH", path, { config: { url } })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/secret", detail: expect.stringContaining("give the secret again") }] },
      });
    const config = { url: "https://new.example/moving" };
    expect((await harness.call("PATCH", path, { config, secret: "Bearer of the new one" })).status).toBe(200);
    expect(await secrets()).toContain("Bearer of the new one");
  });

  it("that have a secret move, and are queried otherwise, by the scope admin only", async () => {
    const query = { query: "select 1", time_column: "t", id_column: "id", fields: { id: "/id", text: "/t" } };
    const table = await added("table", {
      kind: "db",
      config: query,
      secret: "postgres://me:secret@db.example/shop",
    });
    const feed = await added("guarded-feed", { secret: "Bearer x" });
    const open = await added("open-feed");
    const writer = await harness.server.bearer(["read", "write"], harness.workspaceId);
    const write = (path: string, body: object) => asked(harness.server, writer, "PATCH", path, body);
    const refused = {
      status: 403,
      body: { code: "scope_missing", detail: expect.stringContaining("admin") },
    };
    expect(await write(table, { config: { ...query, query: "select 2" } })).toMatchObject(refused);
    expect(await write(feed, { config: { url: `${feeds.url}/other` } })).toMatchObject(refused);
    expect(await write(open, { secret_variable: "MOLVA_SOURCE_KEPT" })).toMatchObject(refused);
    expect((await write(table, { config: { ...query, rows: 5 } })).status).toBe(200);
    expect((await write(open, { config: { url: `${feeds.url}/other` } })).status).toBe(200);
    expect((await harness.call("PATCH", table, { config: { ...query, query: "select 2" } })).status).toBe(
      200,
    );
  });

  it("name only variables that the server's operator has bound to their workspace", async () => {
    const path = await added("variable");
    expect(await harness.call("PATCH", path, { secret_variable: "MOLVA_SOURCE_OTHERS" })).toMatchObject({
      status: 422,
      body: {
        errors: [
          { pointer: "/secret_variable", detail: expect.stringContaining("MOLVA_WORKSPACE_VARIABLES") },
        ],
      },
    });
  });

  it("with an id that is taken are refused in words", async () => {
    await added("twice");
    const again = { source_id: "twice", kind: "rss", config: { url: `${feeds.url}/twice` } };
    expect(await harness.call("POST", "/sources", again)).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: "/source_id" }] },
    });
  });

  it("come in pages by name", async () => {
    const [first, second] = await harness.pages("/sources");
    expect(first).toHaveLength(2);
    expect(second?.[0].source_id > first?.[1].source_id).toBe(true);
  });

  it("are asked at once when told to; a rehearsal shows the posts and writes nothing", async () => {
    const path = await added("now");
    const before = await messages();
    const preview = await harness.call("POST", `${path}/run`, { dry_run: true });
    expect(preview.body).toMatchObject({ outcome: "preview", listed: 1, items: [{ item: {} }] });
    expect(JSON.stringify(preview.body)).toContain("Новость ленты now");
    expect(await messages()).toBe(before);
    const run = await harness.call("POST", `${path}/run`, {});
    expect(run.body).toMatchObject({ outcome: "done", stats: { accepted: 1 } });
    expect(await messages()).toBe(before + 1);
  });

  it("are not asked while they are disabled", async () => {
    const path = await added("quiet");
    await harness.call("POST", `${path}/disable`, { reason: "тишина" });
    expect((await harness.call("POST", `${path}/run`, {})).status).toBe(409);
  });
});

describe("a source that is tried before it is saved", () => {
  const tried = (given: Record<string, unknown> = {}) =>
    harness.call("POST", "/sources/rehearse", {
      kind: "rss",
      config: { url: `${feeds.url}/tried` },
      ...given,
    });

  it("shows what it would post, and nothing is stored", async () => {
    feeds.serve("/tried", { body: rss([{ id: "t-1", text: "Новость на пробу" }]) });
    const answer = await tried({ secret: "Bearer only-for-now" });
    expect(answer).toMatchObject({ status: 200, body: { outcome: "preview", listed: 1 } });
    expect(JSON.stringify(answer.body)).toContain("Новость на пробу");
    expect(feeds.requests.findLast(({ path }) => path === "/tried")?.headers.authorization).toBe(
      "Bearer only-for-now",
    );
    expect(await secrets()).not.toContain("Bearer only-for-now");
    expect((await harness.call("GET", "/sources")).body.items).not.toContainEqual(
      expect.objectContaining({ config: { url: `${feeds.url}/tried` } }),
    );
  });

  it("is refused with the place of what is wrong", async () => {
    expect(await tried({ config: { url: "ftp://a" } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/config/url" }] },
    });
    expect((await tried({ source_id: "none" })).status).toBe(404);
  });

  it("takes its stored secret to its own address only", async () => {
    await added("secretive", { secret: "Bearer stored-here" });
    const config = { url: `${feeds.url}/secretive`, tags: ["а"] };
    expect((await tried({ source_id: "secretive", config })).body.outcome).toBe("preview");
    expect(feeds.requests.findLast(({ path }) => path === "/secretive")?.headers.authorization).toBe(
      "Bearer stored-here",
    );
    const elsewhere = { source_id: "secretive", config: { url: `${feeds.url}/elsewhere` } };
    expect(await tried(elsewhere)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/secret" }] },
    });
    expect(feeds.requests.some(({ path }) => path === "/elsewhere")).toBe(false);
    feeds.serve("/elsewhere", { body: rss([{ id: "e-1", text: "Другая лента" }]) });
    expect((await tried({ ...elsewhere, secret: "Bearer new" })).body).toMatchObject({ listed: 1 });
  });
});

describe("runs of a source", () => {
  it("tell the newest first what they brought and what was refused", async () => {
    const path = await added("runs");
    await harness.call("POST", `${path}/run`, {});
    feeds.serve("/runs", { status: 500, body: "broken" });
    await harness.call("POST", `${path}/run`, {});
    const items = [{ source_ref: "wrong", payload: { text: 5 } }];
    await harness.call("POST", `${path}/items`, { items });
    const { body } = await harness.call("GET", `${path}/runs`);
    expect(body.items).toMatchObject([
      { stats: { payload_rejected: 1 }, refused: [{ source_ref: "wrong", fault: expect.any(String) }] },
      { stats: { error: { code: "source_http_error" } }, refused: [] },
      { stats: { listed: 1, accepted: 1 }, refused: [] },
    ]);
    expect((await harness.call("GET", path)).body.last_run.run_id).toBe(body.items[0].run_id);
    expect((await harness.pages(`${path}/runs`)).map((page) => page.length)).toEqual([2, 1]);
    expect((await harness.call("GET", "/sources/none/runs")).status).toBe(404);
  });
});

describe("items that somebody else fetched", () => {
  it("are taken as if the source had listed them", async () => {
    await harness.call("POST", "/sources", {
      source_id: "given",
      kind: "rss",
      config: { url: `${feeds.url}/given` },
    });
    const items = [
      { source_ref: "1", payload: { text: "Первый" }, cursor_to: "one" },
      { source_ref: "2", payload: { text: 5 } },
    ];
    const take = () => harness.call("POST", "/sources/given/items", { items });
    expect((await take()).body).toMatchObject({ processed: 2, accepted: 1, payload_rejected: 1 });
    expect((await take()).body).toMatchObject({ processed: 2, dedup_dropped: 2 });
    const rejected = (await harness.events()).find(({ action }) => action === "ingress_payload_rejected");
    expect(rejected?.meta.fault).toBe("/payload/text: Text is needed");
    expect((await harness.call("POST", "/sources/none/items", { items })).status).toBe(404);
    expect((await harness.call("POST", "/sources/given/items", { items: [] })).status).toBe(400);
    await harness.call("POST", "/sources/given/disable", { reason: "чинят" });
    expect((await take()).status).toBe(409);
  });
});
