import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestClock, testClock } from "../../shared/testing.ts";
import { editor, keys, shop, startTestVk, type TestVk } from "../testing.ts";

let vk: TestVk;
let clock: TestClock;
beforeEach(async () => {
  clock = testClock();
  vk = await startTestVk({ clock });
  await vk.control("POST", "/vk/apps", { client_id: "77", client_secret: "s", redirect_uris: [back] });
});
afterEach(() => vk.close());

const back = "http://127.0.0.1:8080/back?from=vk";
const verifier = "v".repeat(50);
const ask = {
  client_id: "77",
  redirect_uri: back,
  response_type: "code",
  state: "s".repeat(32),
  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  code_challenge_method: "S256",
};

const at = (path: string, query: Record<string, string>) =>
  `${vk.url}/vk${path}?${new URLSearchParams(query)}`;

/** The person decides; returns what the program gets in its address. */
async function decide(path: string, query: Record<string, string>, decision = "allow") {
  const body = new URLSearchParams({ decision, account: String(editor) });
  const response = await fetch(at(path, query), { method: "POST", body, redirect: "manual" });
  return Object.fromEntries(new URL(response.headers.get("location") ?? "").searchParams);
}

async function token(fields: Record<string, string | undefined>) {
  const all = { client_id: "77", redirect_uri: back, state: ask.state, ...fields };
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) body.set(name, value);
  const response = await fetch(`${vk.url}/vk/id/oauth2/auth`, { method: "POST", body });
  const answer: ReturnType<typeof JSON.parse> = await response.json();
  return { status: response.status, body: answer };
}

const redeem = ({ code, device_id }: Record<string, string>, change: object = {}) =>
  token({ grant_type: "authorization_code", code, device_id, code_verifier: verifier, ...change });

test("a person signs in with VK ID and the token says who they are, for an hour", async () => {
  expect(await (await fetch(at("/id/authorize", ask))).text()).toContain("Анна Смирнова");
  const given = await decide("/id/authorize", ask);
  expect(given).toMatchObject({
    from: "vk",
    state: ask.state,
    type: "code_v2",
    device_id: expect.any(String),
  });
  const { body } = await redeem(given);
  expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3600, user_id: editor, state: ask.state });
  expect(await vk.ask("users.get", {}, body.access_token)).toMatchObject([{ id: editor }]);
  expect(await vk.refused("groups.get", {}, body.access_token)).toMatch(/^1051 /);
  const info = () =>
    fetch(`${vk.url}/vk/id/oauth2/user_info`, {
      method: "POST",
      body: new URLSearchParams({ access_token: body.access_token, client_id: "77" }),
    });
  expect(await (await info()).json()).toMatchObject({
    user: { user_id: String(editor), first_name: "Анна" },
  });
  clock.advance(3_600_000);
  expect(await vk.refused("users.get", {}, body.access_token)).toMatch(/^5 .*expired/);
  expect((await info()).status).toBe(401);
});

test("a code works once, for ten minutes, with its verifier, device and address", async () => {
  const wrong = async (change: object) =>
    (await redeem(await decide("/id/authorize", ask), change)).body.error;
  expect(await wrong({ code_verifier: "w".repeat(50) })).toBe("invalid_grant");
  expect(await wrong({ code_verifier: "short" })).toBe("invalid_request");
  expect(await wrong({ device_id: undefined })).toBe("invalid_request");
  expect(await wrong({ device_id: "other" })).toBe("invalid_grant");
  expect(await wrong({ redirect_uri: "http://127.0.0.1/else" })).toBe("invalid_grant");
  expect(await wrong({ client_id: "78" })).toBe("invalid_client");
  expect(await wrong({ grant_type: "password" })).toBe("unsupported_grant_type");
  const used = await decide("/id/authorize", ask);
  expect((await redeem(used)).status).toBe(200);
  expect((await redeem(used)).body).toMatchObject({ error: "invalid_grant" });
  const late = await decide("/id/authorize", ask);
  clock.advance(601_000);
  expect((await redeem(late)).body).toMatchObject({ error: "invalid_grant" });
});

test("a wrong verifier spoils the code", async () => {
  const given = await decide("/id/authorize", ask);
  await redeem(given, { code_verifier: "w".repeat(50) });
  expect((await redeem(given)).body).toMatchObject({ error: "invalid_grant" });
});

test("a refresh token works once and brings its successor", async () => {
  const given = await decide("/id/authorize", ask);
  const { body: first } = await redeem(given);
  const refresh = (refresh_token: string, device_id = given.device_id) =>
    token({ grant_type: "refresh_token", refresh_token, device_id });
  expect((await refresh(first.refresh_token, "other")).body.error).toBe("invalid_grant");
  const { body: second } = await refresh(first.refresh_token);
  expect(second.refresh_token).not.toBe(first.refresh_token);
  expect((await refresh(first.refresh_token)).body.error).toBe("invalid_grant");
  clock.advance(181 * 86_400_000);
  expect((await refresh(second.refresh_token)).body.error).toBe("invalid_grant");
});

test.each([
  { client_id: "78" },
  { redirect_uri: "http://127.0.0.1:8080/back" },
  { response_type: "token" },
  { state: "short" },
  { code_challenge: "x" },
  { code_challenge_method: "plain" },
])("a request with %j is told to the person, not to the address", async (change) => {
  const response = await fetch(at("/id/authorize", { ...ask, ...change }), { redirect: "manual" });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("Ошибка авторизации");
});

test("a person may refuse", async () => {
  expect(await decide("/id/authorize", ask, "deny")).toMatchObject({
    error: "access_denied",
    state: ask.state,
  });
});

test("an administrator gives a program the keys of communities, which never expire", async () => {
  const query = {
    client_id: "77",
    redirect_uri: back,
    response_type: "code",
    group_ids: String(shop),
    scope: "wall,photos",
  };
  expect(await (await fetch(at("/oauth/authorize", query))).text()).toContain("«Лавка чая»");
  const { code = "" } = await decide("/oauth/authorize", query);
  const redeemed = async (change: object = {}): Promise<ReturnType<typeof JSON.parse>> => {
    const fields = { client_id: "77", client_secret: "s", redirect_uri: back, code, ...change };
    return (await fetch(at("/oauth/access_token", fields))).json();
  };
  expect(await redeemed({ client_secret: "x" })).toMatchObject({ error: "invalid_client" });
  expect(await redeemed({ redirect_uri: "http://127.0.0.1/else" })).toMatchObject({ error: "invalid_grant" });
  const { groups, expires_in } = await redeemed();
  expect({ groups, expires_in }).toMatchObject({ groups: [{ group_id: shop }], expires_in: 0 });
  expect(await redeemed()).toMatchObject({ error: "invalid_grant" });
  clock.advance(400 * 86_400_000);
  expect(await vk.post({ message: "a" }, groups[0].access_token)).toBeGreaterThan(0);
  const { permissions } = await vk.ask("groups.getTokenPermissions", {}, groups[0].access_token);
  expect(permissions).toEqual([
    { name: "wall", setting: 8192 },
    { name: "photos", setting: 4 },
  ]);
});

test("keys of communities are asked for by name and right, and given by their administrators only", async () => {
  const query = {
    client_id: "77",
    redirect_uri: back,
    response_type: "code",
    group_ids: String(shop),
    scope: "wall",
  };
  for (const change of [{ group_ids: "" }, { group_ids: "999" }, { scope: "money" }, { client_id: "1" }]) {
    expect((await fetch(at("/oauth/authorize", { ...query, ...change }))).status).toBe(400);
  }
  await vk.control("PATCH", `/vk/groups/${shop}`, { managers: [{ user_id: editor, role: "editor" }] });
  expect(await decide("/oauth/authorize", query)).toMatchObject({ error: "access_denied" });
});

test("the journal keeps codes and tokens to itself", async () => {
  const given = await decide("/id/authorize", ask);
  await redeem(given);
  const { entries } = await vk.control<{ entries: { request: unknown; response: unknown }[] }>(
    "GET",
    "/journal?provider=vk",
  );
  expect(JSON.stringify(entries)).not.toContain("vk2.a.");
  expect(JSON.stringify(entries)).not.toContain(keys.editor);
});
