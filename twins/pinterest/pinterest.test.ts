import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../shared/testing.ts";
import { jpegOf, pngOf } from "../shared/testing-image.ts";

type Body = ReturnType<typeof JSON.parse>;

let twins: TestTwins;
let clock: TestClock;
let token: string;
let board: string;

const back = "http://127.0.0.1:8080/back";
const app = { client_id: "15", client_secret: "s", redirect_uris: [back] };
const scopes = "boards:read,boards:write,pins:read,pins:write,user_accounts:read";
const picture = {
  source_type: "image_base64",
  content_type: "image/jpeg",
  data: jpegOf(1000, 1500).toString("base64"),
};

beforeEach(async () => {
  clock = testClock();
  twins = await startTestTwins({ clock });
  await twins.control("POST", "/pinterest/apps", app);
  await twins.control("POST", "/pinterest/accounts", { username: "shop", business_name: "Лавка" });
  await twins.control("POST", "/pinterest/accounts", { username: "rival" });
  token = await tokenOf("shop");
  board = (await api("POST", "/boards", { name: "Осень" })).body.id;
});
afterEach(() => twins.close());

async function tokenOf(username: string, wanted = scopes.split(",")): Promise<string> {
  const body = { client_id: "15", username, scopes: wanted };
  return (await twins.control<Body>("POST", "/pinterest/tokens", body)).access_token;
}

async function api(method: string, path: string, body?: unknown, bearer = token, base = "/pinterest/v5") {
  const response = await fetch(`${twins.url}${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: Body = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, body: answer, headers: response.headers };
}

const pin = (change: object = {}, bearer?: string, base?: string) =>
  api("POST", "/pins", { board_id: board, title: "Декор", media_source: picture, ...change }, bearer, base);

async function consent(decision: string) {
  const query = new URLSearchParams({
    client_id: "15",
    redirect_uri: back,
    response_type: "code",
    scope: scopes,
    state: "x",
  });
  const url = `${twins.url}/pinterest/oauth/?${query}`;
  const text = await (await fetch(url)).text();
  const account = /value="(\d+)"/.exec(text)?.[1] ?? "";
  const form = new URLSearchParams({ decision, account });
  const response = await fetch(url, { method: "POST", body: form, redirect: "manual" });
  return { text, given: Object.fromEntries(new URL(response.headers.get("location") ?? "").searchParams) };
}

async function exchange(fields: Record<string, string>, login = "15:s") {
  const response = await fetch(`${twins.url}/pinterest/v5/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
    body: new URLSearchParams({ redirect_uri: back, ...fields }),
  });
  const body: Body = await response.json();
  return { status: response.status, body };
}

test("a person gives access and the code works once", async () => {
  const { text, given } = await consent("allow");
  expect(text).toContain("Give access");
  expect(given.state).toBe("x");
  const code = { grant_type: "authorization_code", code: given.code ?? "" };
  expect(await exchange(code, "15:wrong")).toMatchObject({ status: 401, body: { code: 2 } });
  expect(await exchange({ ...code, redirect_uri: `${back}/` })).toMatchObject({
    status: 400,
    body: { code: 1 },
  });
  const { body } = await exchange(code);
  expect(body).toMatchObject({
    token_type: "bearer",
    expires_in: 2_592_000,
    refresh_token_expires_in: 5_184_000,
  });
  expect(await exchange(code)).toMatchObject({ status: 400, body: { code: 283 } });
  expect((await api("GET", "/user_account", undefined, body.access_token)).body).toMatchObject({
    username: "shop",
  });
});

test("a person may cancel, and a wrong request is not sent on", async () => {
  expect((await consent("deny")).given).toEqual({ error: "access_denied", state: "x" });
  expect(
    (await fetch(`${twins.url}/pinterest/oauth/?client_id=15&redirect_uri=http://127.0.0.1/x`)).status,
  ).toBe(400);
});

test("a refresh replaces the refresh token, and both expire by the clock", async () => {
  const { given } = await consent("allow");
  const { body: first } = await exchange({ grant_type: "authorization_code", code: given.code ?? "" });
  const refresh = (refresh_token: string) => exchange({ grant_type: "refresh_token", refresh_token });
  const { body: second } = await refresh(first.refresh_token);
  expect((await refresh(first.refresh_token)).status).toBe(401);
  clock.advance(30 * 86_400_000);
  expect(await api("GET", "/boards", undefined, second.access_token)).toMatchObject({
    status: 401,
    body: { code: 2 },
  });
  clock.advance(30 * 86_400_000);
  expect((await refresh(second.refresh_token)).status).toBe(401);
});

test("scopes, unknown boards and foreign boards are told apart", async () => {
  const poor = await tokenOf("shop", ["boards:read"]);
  expect(await pin({}, poor)).toMatchObject({ status: 401, body: { code: 3 } });
  expect(await pin({ board_id: "1" })).toMatchObject({
    status: 404,
    body: { code: 40, message: "Board not found." },
  });
  expect(await pin({}, await tokenOf("rival"))).toMatchObject({ status: 403, body: { code: 29 } });
  expect(await api("GET", "/pins/1")).toMatchObject({
    status: 404,
    body: { code: 50, message: "Pin not found." },
  });
});

test("a Pin is created, read, listed newest first by pages, and deleted", async () => {
  const { status, body } = await pin({ link: "https://ex.ru/p", alt_text: "Ваза" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    board_id: board,
    title: "Декор",
    media: { images: { "600x": { width: 600, height: 900 } } },
  });
  const second = (await pin({ title: "Второй" })).body.id;
  const page = await api("GET", `/boards/${board}/pins?page_size=1`);
  expect(page.body.items).toMatchObject([{ id: second }]);
  const rest = await api("GET", `/boards/${board}/pins?page_size=1&bookmark=${page.body.bookmark}`);
  expect(rest.body).toMatchObject({ items: [{ id: body.id }], bookmark: null });
  expect((await api("GET", `/pins/${body.id}`)).body.alt_text).toBe("Ваза");
  expect((await api("DELETE", `/pins/${body.id}`)).status).toBe(204);
  expect((await api("GET", `/pins/${body.id}`)).status).toBe(404);
});

test.each([
  [{ board_id: "x" }, "'board_id' value 'x' must match the pattern: ^\\d+$"],
  [{ title: "я".repeat(101) }, "title"],
  [{ description: "я".repeat(801) }, "description"],
  [{ alt_text: "я".repeat(501) }, "alt_text"],
  [{ media_source: { ...picture, content_type: "image/webp" } }, "content_type"],
  [{ media_source: { ...picture, data: "data:image/jpeg;base64,AA" } }, "pattern"],
  [{ link: "ftp://ex.ru" }, "invalid URL"],
  [{ link: "https://bit.ly/a" }, "invalid URL"],
])("the Pin %j is refused", async (change, words) => {
  expect(await pin(change)).toMatchObject({
    status: 400,
    body: { code: 1, message: expect.stringContaining(words) },
  });
});

test("pictures are what they are said to be", async () => {
  for (const data of [pngOf(10, 10), Buffer.from("text")].map((bytes) => bytes.toString("base64"))) {
    expect(await pin({ media_source: { ...picture, data } })).toMatchObject({
      status: 400,
      body: { code: 236 },
    });
  }
});

test("a picture is fetched from this machine, and told when it cannot be", async () => {
  const server = createServer((_request, response) =>
    response.setHeader("content-type", "image/png").end(pngOf(20, 30)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/a.png`;
  expect((await pin({ media_source: { source_type: "image_url", url } })).status).toBe(201);
  server.close();
  const far = { source_type: "image_url", url: "http://192.0.2.1/a.png" };
  expect(await pin({ media_source: far })).toMatchObject({ status: 400, body: { code: 235 } });
});

// covers networks: Twins: strict, with faults and a journal
test("trial apps create Pins in the sandbox only, and only beta apps change Pins", async () => {
  const { id } = (await pin()).body;
  expect((await api("PATCH", `/pins/${id}`, { title: "b" })).status).toBe(403);
  await twins.control("POST", "/pinterest/apps", { ...app, access: "trial", beta: true });
  expect(await pin()).toMatchObject({
    status: 403,
    body: {
      code: 29,
      message: expect.stringContaining("Apps with Trial access may not create Pins in production"),
    },
  });
  expect((await pin({}, token, "/pinterest/sandbox/v5")).status).toBe(201);
  expect((await api("PATCH", `/pins/${id}`, { title: "b" })).body.title).toBe("b");
});

test("writes are counted by the minute", async () => {
  await twins.control("PATCH", "/options", { rate_limits: true });
  for (let call = 0; call < 100; call += 1) await api("DELETE", "/pins/1");
  const refused = await api("DELETE", "/pins/1");
  expect(refused).toMatchObject({ status: 429, body: { code: 8 } });
  expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
  clock.advance(60_001);
  expect((await api("DELETE", "/pins/1")).status).toBe(404);
});

test("a trial app has a thousand requests a day", async () => {
  await twins.control("POST", "/pinterest/apps", { ...app, access: "trial" });
  await twins.control("PATCH", "/options", { rate_limits: true });
  for (let call = 0; call < 1000; call += 1) await api("GET", "/user_account");
  clock.advance(60_001);
  expect(await api("GET", "/user_account")).toMatchObject({ status: 429, body: { code: 8 } });
  clock.advance(86_400_000);
  expect((await api("GET", "/user_account")).status).toBe(200);
});

test("flagged links and accounts that Pinterest has stopped are refused", async () => {
  await twins.control("PATCH", "/pinterest/options", { flagged_hosts: ["spam.ru"] });
  expect(await pin({ link: "https://www.spam.ru/a" })).toMatchObject({ status: 400, body: { code: 1 } });
  await twins.control("POST", "/pinterest/accounts", { username: "shop", state: "disapproved" });
  expect(await pin()).toMatchObject({ status: 403, body: { code: 2625 } });
});

test("boards are changed and deleted by their owner, and sections have names of their own", async () => {
  expect((await api("POST", "/boards", { name: "осень" })).status).toBe(400);
  expect((await api("PATCH", `/boards/${board}`, { privacy: "SECRET" })).body.privacy).toBe("SECRET");
  expect((await api("POST", `/boards/${board}/sections`, { name: "a" })).status).toBe(201);
  expect((await api("POST", `/boards/${board}/sections`, { name: "a" })).status).toBe(409);
  expect((await api("DELETE", `/boards/${board}`)).status).toBe(204);
  expect((await api("GET", "/boards")).body.items).toEqual([]);
});

// covers networks: Twins: strict, with faults and a journal
test("faults strike, and the journal keeps tokens and pictures to itself", async () => {
  const fault = { kind: "status", status: 400, code: 235 };
  await twins.control("POST", "/faults", { method: "POST /pins", chat: board, times: 1, fault });
  expect(await pin()).toMatchObject({ status: 400, body: { code: 235 } });
  await pin();
  const { entries } = await twins.control<{ entries: Body[] }>(
    "GET",
    "/journal?provider=pinterest&method=POST%20/pins",
  );
  expect(entries).toHaveLength(2);
  expect(JSON.stringify(entries)).not.toContain(token);
  expect(JSON.stringify(entries)).not.toContain(picture.data);
});

// covers networks: Twins: what readers see
test("visitors see boards and Pins, but no secret ones", async () => {
  const { id } = (await pin({ title: "<Ваза>" })).body;
  const page = async (path: string) => {
    const response = await fetch(`${twins.url}/pinterest/${path}/`);
    return `${response.status} ${await response.text()}`;
  };
  expect(await page(`shop/${encodeURIComponent("осень")}`)).toContain("&lt;Ваза&gt;");
  expect(await page(`pin/${id}`)).toMatch(/^200/);
  await api("PATCH", `/boards/${board}`, { privacy: "SECRET" });
  expect(await page(`pin/${id}`)).toMatch(/^404/);
});
