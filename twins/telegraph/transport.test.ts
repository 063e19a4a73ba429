import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { TwinEvent } from "../shared/index.ts";
import { testClock } from "../shared/testing.ts";
import { hello, startTelegraph, type TestTelegraph } from "./testing.ts";

let telegraph: TestTelegraph;
let access_token: string;
beforeEach(async () => {
  telegraph = await startTelegraph();
  access_token = await telegraph.account();
});
afterEach(() => telegraph.close());

const create = (title = "Раз") => telegraph.call("createPage", { access_token, title, content: hello });

describe("a method", () => {
  test("is called by GET, by a form and by JSON alike", async () => {
    const fields = { access_token, title: "Раз", content: JSON.stringify(hello) };
    const byGet = await telegraph.send(`createPage?${new URLSearchParams(fields)}`);
    const byForm = await telegraph.send("createPage", { method: "POST", body: new URLSearchParams(fields) });
    const headers = { "content-type": "application/json; charset=utf-8" };
    const byJson = await telegraph.send("createPage", {
      ...{ method: "POST", headers, body: JSON.stringify({ ...fields, content: hello }) },
    });
    for (const response of [byGet, byForm, byJson]) {
      expect(response.status).toBe(200);
      expect(JSON.parse(await response.text())).toMatchObject({ ok: true, result: { title: "Раз" } });
    }
  });

  test("that nobody knows is refused, with status 200", async () => {
    const response = await telegraph.send("deletePage", { method: "POST" });
    expect([response.status, JSON.parse(await response.text())]).toEqual([
      200,
      { ok: false, error: "UNKNOWN_METHOD" },
    ]);
  });

  test("with a long query or a huge body is refused in HTML by the server in front", async () => {
    const long = await telegraph.send(`getPage/a?${new URLSearchParams({ title: "x".repeat(3_100) })}`);
    expect([long.status, long.headers.get("content-type")]).toEqual([400, "text/html"]);
    const body = new URLSearchParams({ access_token, content: "x".repeat(1024 * 1024) });
    const huge = await telegraph.send("createPage", { method: "POST", body });
    expect([huge.status, await huge.text()]).toEqual([413, expect.stringContaining("nginx")]);
  });
});

test("files are taken no more", async () => {
  const body = new FormData();
  body.set("file", new Blob(["x"], { type: "image/png" }));
  const response = await telegraph.send("upload", { method: "POST", body });
  expect([response.status, await response.json()]).toEqual([400, { error: "Unknown error" }]);
});

describe("a script", () => {
  test("makes the server in front answer in HTML, and nothing is done", async () => {
    await telegraph.fault({ kind: "status", status: 502 }, { method: "createPage" });
    const response = await telegraph.send("createPage", {
      ...{ method: "POST", body: new URLSearchParams({ access_token, title: "Раз", content: '["a"]' }) },
    });
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining("Bad Gateway")]);
    expect((await telegraph.call("getPageList", { access_token })).result.total_count).toBe(0);
  });

  test("says a code of Telegraph's own with status 200, a failed save among them", async () => {
    await telegraph.fault({ kind: "status", status: 500, description: "PAGE_SAVE_FAILED" });
    expect(await create()).toEqual({ ok: false, error: "PAGE_SAVE_FAILED" });
    await telegraph.fault({ kind: "status", status: 429, retryAfter: 3 });
    expect(await create()).toEqual({ ok: false, error: "FLOOD_WAIT_3" });
    expect((await telegraph.call("getPageList", { access_token })).result.total_count).toBe(0);
  });

  // covers networks: Twins: strict, with faults and a journal
  test("says that the save failed although the page is there", async () => {
    await telegraph.fault({ kind: "answer", flaw: "error" }, { method: "createPage" });
    expect(await create()).toEqual({ ok: false, error: "PAGE_SAVE_FAILED" });
    expect((await telegraph.call("getPageList", { access_token })).result.total_count).toBe(1);
  });

  test("applies to one account alone, by its short name", async () => {
    await telegraph.fault({ kind: "status", status: 502 }, { bot: "Другой" });
    expect((await create()).ok).toBe(true);
    expect(await telegraph.twins.control("GET", "/faults")).toMatchObject({ faults: [{ times: 1 }] });
  });
});

test("the journal keeps the call and the page it made, and never a token", async () => {
  const { result } = await create();
  const { entries } = await telegraph.twins.control<{ entries: unknown[] }>(
    ...["GET", "/journal?provider=telegraph&method=createPage"],
  );
  expect(entries).toMatchObject([
    { bot: "Магазин", request: { title: "Раз", access_token: "***" }, status: 200, created: [result.path] },
  ]);
  expect(JSON.stringify(entries)).not.toContain(access_token);
});

describe("with rates", () => {
  const clock = testClock();
  let busy: TestTelegraph;
  beforeEach(async () => {
    busy = await startTelegraph({ clock, rateLimits: true });
  });
  afterEach(() => busy.close());

  test("the twenty-first page of a minute has to wait as long as it is told", async () => {
    const token = await busy.account();
    const page = () => busy.call("createPage", { access_token: token, title: "Раз", content: hello });
    for (let count = 0; count < 20; count += 1) expect((await page()).ok).toBe(true);
    clock.advance(20_000);
    expect((await page()).error).toBe("FLOOD_WAIT_40");
    const another = await busy.account("Другой");
    const elsewhere = await busy.call("createPage", { access_token: another, title: "Два", content: hello });
    expect(elsewhere.error).toMatch(/^FLOOD_WAIT_\d+$/);
    clock.advance(41_000);
    expect((await page()).ok).toBe(true);
  });

  test("refused pages count for nothing", async () => {
    const token = await busy.account();
    for (let count = 0; count < 30; count += 1)
      expect((await busy.call("createPage", { access_token: token })).error).toBe("TITLE_REQUIRED");
    const page = await busy.call("createPage", { access_token: token, title: "Раз", content: hello });
    expect(page.ok).toBe(true);
  });
});

test("an account is a place with the count of its pages, reported again whenever one changes", async () => {
  const told: TwinEvent[] = [];
  telegraph.twins.context.bus.subscribe((event) => told.push(event));
  const { places: before } = await telegraph.twins.control<{ places: object[] }>("GET", "/places");
  expect(before).toEqual([
    { provider: "telegraph", id: "1", title: "Магазин", url: "/telegraph/pages-of/1", items: 0 },
  ]);
  const { path } = (await create()).result;
  await telegraph.call(`editPage/${path}`, { access_token, title: "Два", content: hello });
  const place = { ...before[0], items: 1, changedAt: expect.any(Number) };
  expect(told).toEqual([
    { type: "place", provider: "telegraph", place },
    { type: "place", provider: "telegraph", place },
  ]);
  expect(await telegraph.twins.control("GET", "/places")).toEqual({ places: [place] });
});

test("accounts and pages are there after a restart, with their views", async () => {
  const home = await mkdtemp(join(tmpdir(), "molva-telegraph-"));
  const first = await startTelegraph({ home });
  const token = await first.account();
  const page = { access_token: token, title: "Раз", content: hello };
  const { path } = (await first.call("createPage", page)).result;
  await first.read(path);
  await first.close();
  const second = await startTelegraph({ home });
  expect((await second.call("getPageList", { access_token: token })).result).toMatchObject({
    ...{ total_count: 1, pages: [{ path, views: 1 }] },
  });
  await second.close();
  await rm(home, { recursive: true });
});
