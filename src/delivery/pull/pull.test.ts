import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import type { HttpRequest } from "../../kernel/outbound/index.ts";
import { pullNow } from "./pull-now.ts";
import { entries, rss } from "./testing/feed-server.ts";
import { type Harness, startHarness, type TestWorkspace } from "./testing/harness.ts";

let harness: Harness;
let workspace: TestWorkspace;
let path = "";
let feeds = 0;

beforeAll(async () => {
  harness = await startHarness(await testDatabase());
});
afterAll(() => harness.close());
beforeEach(async () => {
  workspace = await harness.workspace();
  path = `/feed-${feeds++}`;
});

const url = () => `${harness.feeds.url}${path}`;
const serve = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  harness.feeds.serve(path, { body, headers });
const addFeed = (config: Record<string, unknown> = {}) =>
  workspace.add("news", { config: { url: url(), link: "none", ...config } });
const failure = (code: string) => ({ outcome: "failed", failure: { code } });

describe("a feed's first reading", () => {
  it("posts the newest three, oldest first, and counts the rest as seen", async () => {
    serve(rss(entries(1, 10)));
    await addFeed();
    expect(await workspace.pull("news")).toMatchObject({
      outcome: "done",
      listed: 10,
      stats: { processed: 10, accepted: 3, seen: 7, dropped: 0, queued: 3 },
    });
    expect(await workspace.texts()).toEqual(["Новость n8", "Новость n9", "Новость n10"]);
    expect(await workspace.receipts("news")).toHaveLength(10);
  });

  it("posts as many as its configuration says, and none when that is zero", async () => {
    serve(rss(entries(1, 4)));
    await addFeed({ max_items_first_run: 0 });
    await workspace.pull("news");
    expect(await workspace.texts()).toEqual([]);
    serve(rss(entries(1, 5)));
    await workspace.pull("news");
    expect(await workspace.texts()).toEqual(["Новость n5"]);
  });

  it("of an empty feed bounds nothing afterwards", async () => {
    serve(rss([]));
    await addFeed();
    await workspace.pull("news");
    serve(rss(entries(1, 5)));
    await workspace.pull("news");
    expect(await workspace.texts()).toHaveLength(5);
  });

  it("is bounded again when the feed gets another address", async () => {
    serve(rss(entries(1, 5)));
    await addFeed();
    await workspace.pull("news");
    harness.feeds.serve(`${path}-moved`, { body: rss(entries(11, 20)) });
    await harness.database.sql`
      select delivery.change_pull_source(${workspace.workspaceId}, 'news',
        ${harness.database.sql.json({ url: `${url()}-moved`, link: "none" })}, p_now => ${harness.clock.now()})`;
    await workspace.pull("news");
    expect(await workspace.texts()).toHaveLength(6);
  });
});

describe("a later reading", () => {
  beforeEach(async () => {
    serve(rss(entries(1, 5)), { etag: '"one"' });
    await addFeed();
    await workspace.pull("news");
  });

  // covers autoposting: Pull mode
  it("posts each new item once and moves the cursor", async () => {
    harness.clock.advance(1_000);
    serve(rss(entries(2, 7)), { etag: '"two"' });
    expect(await workspace.pull("news")).toMatchObject({ stats: { processed: 2, accepted: 2 } });
    expect(await workspace.texts()).toEqual(["n3", "n4", "n5", "n6", "n7"].map((id) => `Новость ${id}`));
    expect(await workspace.show("news")).toMatchObject({
      cursor: { cursor_to: "n7", last_seen_id: "n7", etag: '"two"' },
      failures: 0,
    });
  });

  // covers autoposting: Pull mode
  it("asks with the validators of the last whole reading and does nothing when nothing changed", async () => {
    harness.clock.advance(1_000);
    expect(await workspace.pull("news")).toMatchObject({ outcome: "unchanged" });
    expect(harness.feeds.requests.at(-1)?.headers["if-none-match"]).toBe('"one"');
    const runs = await harness.database.sql`
      select stats_json, finished_at from delivery.ingest_runs
      where workspace_id = ${workspace.workspaceId} and source_id = 'news' order by started_at`;
    expect(runs.at(-1)).toMatchObject({
      stats_json: { not_modified: true },
      finished_at: harness.clock.now(),
    });
  });

  it("uses Last-Modified too, and forgets validators that are no longer sent", async () => {
    const lastModified = "Sun, 15 Nov 2026 11:00:00 GMT";
    serve(rss(entries(1, 6)), { "last-modified": lastModified });
    await workspace.pull("news");
    await workspace.pull("news");
    const { headers } = harness.feeds.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ "if-modified-since": lastModified });
    expect(headers).not.toHaveProperty("if-none-match");
  });

  it("does not post an edited item again", async () => {
    serve(rss([...entries(1, 4), { id: "n5", text: "Исправленная новость" }]));
    await workspace.pull("news");
    expect(await workspace.texts()).toHaveLength(3);
  });

  it("drops a broken item with an event and goes on with the others", async () => {
    serve(
      rss([{ id: "empty", text: " " }, { id: "n9" }]).replace(
        "</item>",
        "<description> </description></item>",
      ),
    );
    expect(await workspace.pull("news")).toMatchObject({
      stats: { processed: 2, accepted: 1, payload_rejected: 1 },
    });
    expect(await workspace.actions()).toContain("ingress_payload_rejected");
    expect(await workspace.pull("news")).toMatchObject({ stats: { processed: 0 } });
  });

  it("gives duplicates in one list one receipt", async () => {
    serve(
      rss([
        { id: "same", text: "Первая" },
        { id: "same", text: "Вторая" },
      ]),
    );
    expect(await workspace.pull("news")).toMatchObject({ stats: { accepted: 1, dedup_dropped: 1 } });
    expect(await workspace.receipts("news")).toContain("same");
    expect(await workspace.actions()).toContain("ingress_dedup_dropped");
  });
});

describe("receipts", () => {
  const days = (count: number) => harness.clock.advance(count * 86_400_000);
  const forget = () => harness.database.sql`select delivery.forget_pull_receipts(${harness.clock.now()})`;

  it("live as long as the item is on the list, however long that is", async () => {
    serve(rss(entries(1, 3)));
    await addFeed();
    for (let week = 0; week < 4; week++) {
      await workspace.pull("news");
      days(7);
      await forget();
    }
    expect(await workspace.receipts("news")).toEqual(["n1", "n2", "n3"]);
    expect(await workspace.texts()).toHaveLength(3);
  });

  it("are forgotten three days after the item left the list, and an old item that comes back is not news", async () => {
    const dated = [1, 2, 3].map((day) => ({ id: `d${day}`, date: `2026-11-0${day}T00:00:00Z` }));
    serve(rss(dated));
    await addFeed();
    await workspace.pull("news");
    serve(rss(dated.slice(1)));
    days(2);
    await workspace.pull("news");
    days(2);
    await workspace.pull("news");
    await forget();
    expect(await workspace.receipts("news")).toEqual(["d2", "d3"]);
    serve(rss(dated));
    expect(await workspace.pull("news")).toMatchObject({ stats: { seen: 1, accepted: 0 } });
    expect(await workspace.texts()).toHaveLength(3);
  });
});

describe("a feed that cannot be read", () => {
  // covers autoposting: Pull mode
  it.each([
    [
      "broken XML",
      "<?xml version='1.0'?><rss version='2.0'><channel><title>Т</title><item><title>обрыв",
      "source_malformed",
    ],
    [
      "a page instead of a feed",
      "<!doctype html><html><body>Проверка браузера</body></html>",
      "source_malformed",
    ],
    [
      "an XML bomb",
      `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ха"><!ENTITY b "&a;&a;&a;">]><rss version="2.0"><channel><title>&b;</title></channel></rss>`,
      "source_malformed",
    ],
    ["more than ten megabytes", "<rss>".padEnd(10 * 1024 * 1024 + 1, " "), "source_too_large"],
  ])("is refused: %s", async (_what, body, code) => {
    serve(body);
    await addFeed();
    expect(await workspace.pull("news")).toMatchObject(failure(code));
    expect((await workspace.show("news")).cursor).toEqual({});
  });

  it("says which status it answered with, and is not asked again before it allows", async () => {
    harness.feeds.serve(path, { status: 503, headers: { "retry-after": "7200" }, body: "" });
    await addFeed();
    expect(await workspace.pull("news")).toMatchObject({
      failure: { code: "source_http_error", message: expect.stringContaining("503") },
    });
    const { next_run_at } = await workspace.show("news");
    expect(next_run_at.getTime()).toBe(harness.clock.now().getTime() + 7_200_000);
  });

  // covers autoposting: Pull mode
  it("is not followed to a private address", async () => {
    harness.feeds.serve(path, { status: 302, headers: { location: "http://127.0.0.1:9/private" }, body: "" });
    await addFeed();
    expect(await workspace.pull("news")).toMatchObject(failure("source_refused"));
  });

  it("is cut off when it takes too long", async () => {
    harness.feeds.serve(path, (_request, response) => void response.writeHead(200).write("<rss>"));
    await addFeed();
    const { http } = harness.deps;
    const impatient = {
      ...http,
      request: (request: HttpRequest) => http.request({ ...request, timeoutMs: 100 }),
    };
    const name = { workspaceId: workspace.workspaceId, sourceId: "news" };
    expect(await pullNow(name, { ...harness.deps, http: impatient })).toMatchObject(
      failure("source_timeout"),
    );
  });

  it("is let go when the process stops, and stays due", async () => {
    const stopping = new AbortController();
    harness.feeds.serve(path, (_request, response) => {
      response.writeHead(200);
      response.write("<rss>", () => stopping.abort());
    });
    await addFeed();
    const report = pullNow(
      { workspaceId: workspace.workspaceId, sourceId: "news" },
      harness.deps,
      stopping.signal,
    );
    expect(await report).toMatchObject({ outcome: "interrupted" });
    expect(await workspace.show("news")).toMatchObject({
      running: false,
      failures: 0,
      next_run_at: harness.clock.now(),
    });
  });

  it("is reported once for a streak, waits longer each time up to an hour, and is forgiven by a success", async () => {
    await workspace.add("news", { config: { url: url() }, everySeconds: 600 });
    const pauses: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      await workspace.pull("news");
      const { next_run_at } = await workspace.show("news");
      pauses.push((next_run_at.getTime() - harness.clock.now().getTime()) / 1000);
    }
    expect(pauses).toEqual([1200, 2400, 3600, 3600]);
    expect((await workspace.actions()).filter((action) => action === "source_failed")).toHaveLength(1);
    expect(await workspace.show("news")).toMatchObject({
      failures: 4,
      last_error: { code: "source_http_error" },
    });

    serve(rss(entries(1, 1)));
    await workspace.pull("news");
    expect(await workspace.show("news")).toMatchObject({ failures: 0, last_error: null });
    harness.feeds.serve(path, { status: 500, body: "" });
    await workspace.pull("news");
    expect((await workspace.actions()).filter((action) => action === "source_failed")).toHaveLength(2);
  });

  it("without an enabled endpoint is passed over with an event", async () => {
    serve(rss(entries(1, 1)));
    await addFeed();
    await harness.database.sql`
      update delivery.workspace_endpoints set enabled = false where workspace_id = ${workspace.workspaceId}`;
    expect(await workspace.pull("news")).toMatchObject(failure("ingress_config_error"));
    expect(await workspace.actions()).toEqual(["ingress_config_error"]);
  });
});

describe("charsets", () => {
  const encoded = (text: string, table: string) =>
    Uint8Array.from(text, (letter) =>
      letter < "\u0080" ? letter.charCodeAt(0) : table.indexOf(letter) + 0x80,
    );
  const tableOf = (charset: string) =>
    new TextDecoder(charset).decode(Uint8Array.from({ length: 128 }, (_, at) => at + 0x80));
  const feed = (prolog: string) =>
    `<?xml version="1.0"${prolog}?><rss version="2.0"><channel><title>Вести</title><item><guid>1</guid><title>Щука съела ёршика</title></item></channel></rss>`;

  it.each([
    ["windows-1251", "the header", "", "text/xml; charset=windows-1251"],
    ["windows-1251", "the prolog", ' encoding="windows-1251"', "text/xml"],
    [
      "windows-1251",
      "the prolog while the header is wrong",
      " encoding='windows-1251'",
      "text/xml; charset=utf-8",
    ],
    ["koi8-r", "the prolog", ' encoding="KOI8-R"', "application/rss+xml"],
  ])("%s named by %s is understood", async (charset, _where, prolog, contentType) => {
    serve(encoded(feed(prolog), tableOf(charset)), { "content-type": contentType });
    await addFeed();
    await workspace.pull("news");
    expect(await workspace.texts()).toEqual(["Щука съела ёршика"]);
  });
});
