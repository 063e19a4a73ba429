import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { databaseWithJobs, type TestDatabase } from "../../../../tests/support/database.ts";
import { type ReadBackHarness, readBackHarness } from "../../../../tests/support/read-back/harness.ts";
import { eventually } from "../../../../tests/support/until.ts";
import type { App, Scope } from "../../../http/index.ts";
import { startTestHttpServer } from "../../../http/testing/http-server.ts";
import { manualClock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { showDelivery } from "../../deliveries/index.ts";
import { aChannel, aWorkspace } from "../../testing/builders.ts";
import { followPage } from "../page-task.ts";
import { dropIndexNow, type IndexNowKey, readIndexNowKey, setUpIndexNow } from "./indexnow-key.ts";
import { indexNowRoutes } from "./indexnow-routes.ts";
import { covers, folderOf, rootLocation } from "./key-file.ts";
import { meaningOf } from "./tell-search-engines.ts";

let database: TestDatabase;
let sql: Sql;
let harness: ReadBackHarness;
let workspace: string;
let channel: string;
const clock = manualClock(new Date("2026-11-17T12:00:00Z"));
const by = { operator: "test" };

beforeAll(async () => {
  database = await databaseWithJobs();
  ({ sql } = database);
  harness = await readBackHarness(sql, clock, () => workspace);
});
afterAll(async () => {
  await harness.close();
  await database.drop();
});
beforeEach(async () => {
  clock.set(new Date("2026-11-17T12:00:00Z"));
  workspace = await aWorkspace(sql);
  await harness.wordpress.control("DELETE", "/faults");
  await harness.wordpress.change({ files: {} });
  channel = await harness.channel();
});

/** The twin's sites are folders of one host, so their key files are, too. */
const setUp = (folder = harness.wordpress.home) =>
  setUpIndexNow(harness.deps, workspace, channel, { folder }, by);
const place = ({ file }: IndexNowKey, content = file.content) =>
  harness.wordpress.change({ files: { [file.name]: content } });

async function verifiedKey(): Promise<IndexNowKey> {
  await place(await setUp());
  return setUp();
}

/** Publishes a page, reads it back, and does what is due afterwards. */
async function publishedAndTold(): Promise<string> {
  const delivery = await harness.published();
  clock.advance(6_000);
  await followPage(workspace, delivery, harness.deps);
  await followPage(workspace, delivery, harness.deps);
  return delivery;
}

async function told(delivery: string): Promise<{ action: string; result: string; code: string }[]> {
  return sql`
    select action, result, meta -> 'said' ->> 'code' as code from workspaces.events
    where workspace_id = ${workspace} and delivery_id = ${delivery} and action like 'indexnow%' order by ts`;
}

const fault = (status: number, retryAfter?: number) =>
  harness.wordpress.control("POST", "/faults", {
    ...{ provider: "indexnow", times: 1 },
    fault: { kind: "status", status, ...(retryAfter && { retryAfter }) },
  });

describe("the key of a site", () => {
  // covers readback: The key's file is verified first
  it("is made once, handed over as a file, and good when the file holds it and nothing else", async () => {
    const made = await setUp();
    expect(made).toMatchObject({
      file: {
        name: `${made.key}.txt`,
        content: made.key,
        address: `${harness.wordpress.home}/${made.key}.txt`,
      },
      covers: `${harness.wordpress.home}/`,
      verified_at: null,
      fault: { code: "key_not_found" },
    });
    expect(made.key).toMatch(/^[0-9a-f]{32}$/);
    await place(made, "something else");
    expect(await setUp()).toMatchObject({ key: made.key, verified_at: null, fault: { code: "key_differs" } });
    await place(made, `${made.key}\n`);
    clock.advance(1_000);
    expect(await setUp()).toMatchObject({ key: made.key, verified_at: clock.now(), fault: null });
    const changes = await sql<{ indexnow: unknown }[]>`
      select meta -> 'indexnow' as indexnow from workspaces.events
      where workspace_id = ${workspace} and channel_id = ${channel} and action = 'channel_changed' order by ts`;
    expect(changes.map(({ indexnow }) => indexnow)).toEqual([
      { file: made.file.address },
      { verified: true },
    ]);
  });

  it("belongs into the root of the host unless a folder is named", async () => {
    const made = await setUpIndexNow(harness.deps, workspace, channel, {}, by);
    expect(made.file.address).toBe(`${harness.wordpress.url}/${made.key}.txt`);
    expect(made.covers).toBe(`${harness.wordpress.url}/`);
    await place(made);
    expect(await setUpIndexNow(harness.deps, workspace, channel, {}, by)).toMatchObject({
      verified_at: clock.now(),
      fault: null,
    });
  });

  // covers readback: A key in a folder speaks for that folder
  it.each([
    [
      "not above the site",
      () => `${harness.wordpress.home}/blog/`,
      /speaks for the pages below its folder only/,
    ],
    ["on another host", () => "https://elsewhere.example/", /another host says nothing about it/],
    ["no address", () => "blog", /Give the folder's whole address/],
  ])("is refused in a folder that is %s", async (_, folder, words) => {
    await expect(setUp(folder())).rejects.toThrow(words);
    await expect(readIndexNowKey(sql, workspace, channel)).rejects.toMatchObject({ code: "not_found" });
  });

  it("is for sites only, and for channels of the workspace only", async () => {
    const chat = await aChannel(sql, workspace, { platform: "site", target_id: "no-site" });
    await expect(setUpIndexNow(harness.deps, workspace, chat, {}, by)).rejects.toMatchObject({
      code: "unprocessable",
    });
    const stranger = await aWorkspace(sql);
    await expect(setUpIndexNow(harness.deps, stranger, channel, {}, by)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is made, read and given up over HTTP, by who may write", async () => {
    const routes = { name: "indexnow", routes: (app: App) => indexNowRoutes(app, harness.deps) };
    const server = await startTestHttpServer({ sql, modules: [routes] });
    onTestFinished(() => server.stop());
    const path = `/api/v1/channels/${channel}/indexnow`;
    const call = async (
      scopes: readonly Scope[],
      method: string,
      given: { query?: string; body?: unknown } = {},
    ) => {
      const headers = await server.bearer(scopes, workspace);
      const answer = await server.call(`${path}${given.query ?? ""}`, { method, headers, body: given.body });
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : undefined };
    };
    expect(await call(["read"], "GET")).toMatchObject({ status: 404 });
    expect(await call(["read"], "POST", { body: {} })).toMatchObject({ status: 403 });
    const made = await call(["write"], "POST", { body: { folder: harness.wordpress.home } });
    expect(made).toMatchObject({
      status: 200,
      body: { verified_at: null, fault: { code: "key_not_found" } },
    });
    await place(made.body);
    expect(await call(["write"], "POST", { body: {} })).toMatchObject({
      body: { key: made.body.key, fault: null, verified_at: expect.any(String) },
    });
    expect(await call(["read"], "GET")).toMatchObject({
      status: 200,
      body: { covers: `${harness.wordpress.home}/` },
    });
    const folder = { body: { folder: "https://elsewhere.example/" } };
    expect(await call(["write"], "POST", folder)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/folder" }] },
    });
    expect((await call(["write"], "DELETE", { query: "?reason=moved" })).status).toBeLessThan(300);
    expect(await call(["read"], "GET")).toMatchObject({ status: 404 });
  });

  it("is given up", async () => {
    await verifiedKey();
    await dropIndexNow(harness.deps, workspace, channel, by);
    await expect(dropIndexNow(harness.deps, workspace, channel, by)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await told(await publishedAndTold())).toEqual([]);
  });
});

describe("search engines", () => {
  // covers readback: Search engines are told of pages in order
  it("are told of a page in order: taken on trust at first, accepted once they have seen the key's file", async () => {
    const { key } = await verifiedKey();
    const first = await publishedAndTold();
    expect(await told(first)).toEqual([{ action: "indexnow_told", result: "ok", code: "key_pending" }]);
    await eventually(
      () => harness.wordpress.control<{ keys: { key: string; state: string }[] }>("GET", "/indexnow/keys"),
      ({ keys }) => keys.some((each) => each.key === key && each.state === "good"),
    );
    const second = await publishedAndTold();
    expect(await told(second)).toEqual([{ action: "indexnow_told", result: "ok", code: "accepted" }]);
    const { pages } = await harness.wordpress.control<{ pages: { url: string }[] }>("GET", "/indexnow/pages");
    const detail = await showDelivery(sql, workspace, second, clock.now());
    expect(pages.map(({ url }) => url)).toContain(detail?.url);
    expect(detail?.page).toMatchObject({ step: "done", told: { ok: true, code: "accepted", status: 200 } });
  });

  it("are told nothing of a page that is not in order, nor while the file was not found", async () => {
    const made = await setUp();
    expect(await told(await publishedAndTold())).toEqual([]);
    await place(made);
    await setUp();
    const delivery = await harness.published({ canonical_url: "https://original.example/" });
    clock.advance(6_000);
    await followPage(workspace, delivery, harness.deps);
    await followPage(workspace, delivery, harness.deps);
    expect(await told(delivery)).toEqual([]);
  });

  // covers readback: Each answer of IndexNow by its meaning
  it("that refuse the key are told nothing more until its file was found again", async () => {
    await verifiedKey();
    await fault(403);
    const refused = await publishedAndTold();
    expect(await told(refused)).toEqual([{ action: "indexnow_told", result: "error", code: "key_refused" }]);
    expect(await readIndexNowKey(sql, workspace, channel)).toMatchObject({
      verified_at: null,
      fault: { code: "key_refused" },
    });
    expect(await told(await publishedAndTold())).toEqual([]);
    expect(await setUp()).toMatchObject({ verified_at: clock.now(), fault: null });
  });

  // covers readback: Each answer of IndexNow by its meaning
  it("that say the page is not of the host are not asked again", async () => {
    await verifiedKey();
    await fault(422);
    expect(await told(await publishedAndTold())).toEqual([
      { action: "indexnow_told", result: "error", code: "not_of_host" },
    ]);
  });

  // covers readback: Each answer of IndexNow by its meaning
  it("that ask to wait are told later, not before the time they named", async () => {
    await verifiedKey();
    await fault(429, 900);
    const delivery = await publishedAndTold();
    expect(await told(delivery)).toEqual([
      { action: "indexnow_retry", result: "error", code: "too_many_requests" },
    ]);
    clock.advance(899_000 - 2_000);
    await followPage(workspace, delivery, harness.deps);
    expect(await told(delivery)).toHaveLength(1);
    clock.advance(3_000);
    await followPage(workspace, delivery, harness.deps);
    expect((await told(delivery)).slice(1)).toMatchObject([{ action: "indexnow_told", result: "ok" }]);
  });

  it("that cannot be reached are given up after five tries", async () => {
    await verifiedKey();
    await harness.wordpress.control("POST", "/faults", {
      provider: "indexnow",
      fault: { kind: "drop_before" },
    });
    const delivery = await publishedAndTold();
    for (let hours = 0; hours < 20; hours++) {
      clock.advance(3_600_000);
      await followPage(workspace, delivery, harness.deps);
    }
    const answers = await told(delivery);
    expect(answers.map(({ action }) => action)).toEqual([
      ...Array(4).fill("indexnow_retry"),
      "indexnow_told",
    ]);
    expect(answers.at(-1)).toMatchObject({ result: "error", code: "unreachable" });
  });

  it("hear nothing of a page outside the key's folder", async () => {
    await verifiedKey();
    await sql`
      update delivery.indexnow_keys set location = ${`${harness.wordpress.home}/blog/k.txt`}
      where workspace_id = ${workspace}`;
    expect(await told(await publishedAndTold())).toEqual([
      { action: "indexnow_told", result: "error", code: "outside_folder" },
    ]);
  });
});

describe("the folder of a key", () => {
  it.each([
    ["https://a.example/k.txt", "https://a.example/any/page/?p=1", true],
    ["https://a.example/k.txt", "https://b.example/page", false],
    ["https://a.example/k.txt", "http://a.example/page", true],
    ["https://a.example/k.txt", "https://a.example:8443/page", false],
    ["https://a.example/blog/k.txt", "https://a.example/blog/page", true],
    ["https://a.example/blog/k.txt", "https://a.example/blogger/page", false],
    ["https://a.example/blog/k.txt", "https://a.example/page", false],
  ])("with %s speaks for %s: %s", (location, page, expected) => {
    expect(covers(location, page)).toBe(expected);
  });

  it("is the root for a site that lives in a folder", () => {
    const location = rootLocation("https://a.example/blog/", "k1234567");
    expect(location).toBe("https://a.example/k1234567.txt");
    expect(folderOf(location)).toBe("https://a.example/");
  });
});

it.each([
  [200, "accepted", { error: false, again: false }],
  [202, "key_pending", { error: false, again: false }],
  [400, "bad_request", { error: true, again: false }],
  [403, "key_refused", { error: true, again: false, keyRefused: true }],
  [422, "not_of_host", { error: true, again: false, keyRefused: false }],
  [429, "too_many_requests", { error: true, again: true }],
  [503, "unavailable", { error: true, again: true }],
])("an answer %i means %s", (status, code, meaning) => {
  expect(meaningOf({ status, headers: {} })).toMatchObject({ said: { code, status }, ...meaning });
});
