import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../../tests/support/until.ts";
import { startTestWordPress, type TestWordPress } from "../wordpress/testing.ts";

let twins: TestWordPress;
let host: string;
const key = "0123456789abcdef";

beforeAll(async () => {
  twins = await startTestWordPress();
  host = new URL(twins.url).host;
});
afterAll(() => twins.close());
beforeEach(async () => {
  await twins.control("POST", "/reset");
  await twins.control("POST", "/wordpress/sites", { name: "shop", files: { [`${key}.txt`]: key } });
});

const page = () => `${twins.home}/page/`;
const location = () => `${twins.home}/${key}.txt`;

async function submit(body: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${twins.url}/indexnow/indexnow`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ host, key, keyLocation: location(), urlList: [page()], ...body }),
  });
}

const checked = (state: string) =>
  eventually(
    () => twins.control<{ keys: { state: string }[] }>("GET", "/indexnow/keys"),
    ({ keys }) => keys[0]?.state === state,
  );

it("takes pages on trust until it has fetched the key's file, and then accepts them", async () => {
  expect((await submit()).status).toBe(202);
  await checked("good");
  expect((await submit()).status).toBe(200);
  expect(await twins.control("GET", "/indexnow/pages")).toMatchObject({
    pages: [{ url: page() }, { url: page() }],
  });
});

it("refuses a key whose file is not there or holds another, until it is put right", async () => {
  await twins.change({ files: {} });
  expect((await submit()).status).toBe(202);
  await checked("refused");
  expect((await submit()).status).toBe(403);
  await twins.change({ files: { [`${key}.txt`]: "another" } });
  expect((await submit()).status).toBe(403);
  await twins.change({ files: { [`${key}.txt`]: key } });
  expect((await submit()).status).toBe(200);
});

it("finds out that a file was taken away when it looks again", async () => {
  await submit();
  await checked("good");
  await twins.change({ files: {} });
  await twins.control("POST", "/indexnow/recheck");
  expect((await submit()).status).toBe(403);
});

it.each<[string, number, () => Record<string, unknown>]>([
  ["a page of another host", 422, () => ({ urlList: [page(), "https://elsewhere.example/"] })],
  ["a page outside the key's folder", 422, () => ({ urlList: [`${twins.url}/wordpress/other/`] })],
  ["a key on another host", 422, () => ({ keyLocation: `https://elsewhere.example/${key}.txt` })],
  ["a key that is too short", 422, () => ({ key: "short" })],
  ["a key with other signs", 422, () => ({ key: "0123456789abcde_" })],
  ["no pages", 400, () => ({ urlList: [] })],
  ["too many pages", 400, () => ({ urlList: Array(10_001).fill(page()) })],
  ["no host", 400, () => ({ host: undefined })],
])("refuses %s with %i", async (_, status, body) => {
  expect((await submit(body())).status).toBe(status);
  expect(await twins.control("GET", "/indexnow/pages")).toEqual({ pages: [] });
});

it("takes a single page by GET", async () => {
  const query = new URLSearchParams({ url: page(), key, keyLocation: location() });
  expect((await fetch(`${twins.url}/indexnow/indexnow?${query}`)).status).toBe(202);
  expect((await fetch(`${twins.url}/indexnow/indexnow?key=${key}`)).status).toBe(400);
});

it("looks for a key in the root of the host unless its location is named", async () => {
  await twins.change({ files: {} });
  expect((await submit({ keyLocation: undefined })).status).toBe(202);
  await checked("refused");
  expect(await twins.control("GET", "/indexnow/keys")).toMatchObject({
    keys: [{ location: `${twins.url}/${key}.txt`, because: "the file answers 404" }],
  });
});

it("misbehaves when told to, and writes everything down", async () => {
  await twins.control("POST", "/faults", {
    ...{ provider: "indexnow", times: 1 },
    fault: { kind: "status", status: 429, retryAfter: 60 },
  });
  const refused = await submit();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(await twins.control("GET", "/journal?provider=indexnow")).toMatchObject({
    entries: [{ method: "POST /indexnow", chat: host, status: 429, request: { urlList: [page()] } }],
  });
});
