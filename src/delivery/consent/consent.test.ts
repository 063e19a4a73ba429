import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { startTwins } from "../../../twins/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { createKeyValue } from "../../kernel/kv/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createPlatforms, withTwins } from "../../platforms/index.ts";
import { createCredentials } from "../../workspaces/index.ts";
import { aWorkspace } from "../testing/builders.ts";
import {
  beginCredentialConsent,
  beginProductConsent,
  type ConsentDeps,
  consentGiven,
  consentRoutes,
  forgetConsent,
} from "./index.ts";

const publicUrl = "https://molva.example.com";
const callback = `${publicUrl}/api/auth/pinterest/callback`;
const clock = manualClock(new Date());
const vault = createVault([generateKey()], clock);
const http = createProviderClient({ defaultTimeoutMs: 5_000 });
const owner = { product: "seo", user: "42" };

let twins: Awaited<ReturnType<typeof startTwins>>;
let drop: () => Promise<void>;
let sql: Sql;
let deps: ConsentDeps;
let server: TestHttpServer;
let workspaceId: string;

beforeAll(async () => {
  ({ sql, drop } = await testDatabase());
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  const keyValue = await createKeyValue({ sql, redisUrl: undefined, log: silentLog });
  const platforms = createPlatforms(withTwins({}, twins.url));
  deps = { sql, clock, vault, keyValue, platforms, http, publicUrl };
  server = await startTestHttpServer({ sql, clock, modules: [consentRoutes(deps)] });
});
afterAll(async () => {
  await server.stop();
  await twins.close();
  await http.close();
  await drop();
});
beforeEach(async () => {
  await control("/reset");
  const app = { client_id: "molva-demo-app", client_secret: "molva-demo-pinterest-app-secret" };
  await control("/pinterest/apps", { ...app, redirect_uris: [callback] });
  await control("/pinterest/accounts", { username: "shop" });
  await control("/pinterest/boards", { id: "549755885175", username: "shop", name: "Чай & <кофе>" });
  workspaceId = await aWorkspace(sql);
});

async function control(path: string, body: object = {}): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${twins.url}/_control${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

interface Seen {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  readonly cookie: string;
  readonly headers: Headers;
}

/** Requests one of our addresses as a browser does. */
async function visit(address: string, { cookie = "", language = "ru" } = {}): Promise<Seen> {
  const path = address.replace(publicUrl, "");
  const answer = await server.call(path, { headers: { cookie, "accept-language": language } });
  return {
    status: answer.status,
    text: await answer.text(),
    location: answer.headers.get("location") ?? "",
    cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; "),
    headers: answer.headers,
  };
}

/**
 * Opens our link and decides on Pinterest's page; returns the address to which Pinterest sends the person back, and the
 * browser's cookies.
 */
async function decide(link: string, decision: "allow" | "deny" = "allow") {
  const { location, cookie } = await visit(link);
  const page = await (await fetch(location)).text();
  const account = /value="(\d+)"/.exec(page)?.[1] ?? "";
  const body = new URLSearchParams({ decision, account });
  const back = await fetch(location, { method: "POST", body, redirect: "manual" });
  return { url: back.headers.get("location") ?? "", cookie, consentUrl: location };
}

const operatorLink = () =>
  beginCredentialConsent(
    deps,
    workspaceId,
    { platform: "pinterest", auth_ref: "shop" },
    { operator: "anna" },
  );

const bindings = () => sql<{ auth_ref: string; secret_ref: string }[]>`
  select auth_ref, secret_ref from workspaces.credential_bindings where workspace_id = ${workspaceId}`;

const expectNothingStored = async () => expect(await bindings()).toEqual([]);

describe("an operator", () => {
  test("gets a link over HTTP, gives access, and the account is a credential of the workspace", async () => {
    const headers = await server.bearer(["admin"], workspaceId);
    const answer = await server.call("/api/v1/credentials/pinterest/connect", {
      headers,
      body: { auth_ref: "shop" },
    });
    expect(answer.status).toBe(200);
    const { url, auth_ref } = JSON.parse(await answer.text());
    expect(auth_ref).toBe("shop");
    expect(url).toMatch(
      /^https:\/\/molva\.example\.com\/api\/auth\/pinterest\?user_id=.+&nonce=[0-9a-f]{32}$/,
    );

    const back = await decide(url);
    const asked = new URL(back.consentUrl).searchParams;
    expect(asked.get("redirect_uri")).toBe(callback);
    expect(asked.get("scope")).toBe("boards:read,boards:write,pins:read,pins:write,user_accounts:read");
    const page = await visit(back.url, back);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Pinterest подключён");
    expect(page.text).toContain("Чай &amp; &lt;кофе&gt;");
    expect(page.text).toContain("molva channel add pinterest 549755885175 --auth shop");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

    const [binding] = await bindings();
    const credentials = createCredentials(sql, vault, { valueOf: () => undefined }, { ...deps });
    const read = await credentials.ofPlatform(workspaceId, "pinterest", binding?.secret_ref ?? "");
    expect(read).toMatchObject({
      kind: "ready",
      credential: {
        access_token: expect.stringMatching(/^pina_/),
        refresh_token: expect.stringMatching(/^pinr_/),
      },
    });
    if (read.kind !== "ready") throw new Error("it is not ready");
    expect(page.text).not.toContain(read.credential.access_token);
    const [event] = await sql`
      select action, meta from workspaces.events where workspace_id = ${workspaceId} order by ts desc limit 1`;
    expect(JSON.stringify(event)).not.toContain(read.credential.access_token);
  });

  test("may try again by the same link after saying no, in English where the browser wants it", async () => {
    const { url } = await operatorLink();
    const refused = await decide(url, "deny");
    const page = await visit(refused.url, { ...refused, language: "en-GB,en;q=0.9,ru;q=0.5" });
    expect(page.status).toBe(400);
    expect(page.text).toContain("you did not give access");
    expect(page.text).toContain("Try again");
    await expectNothingStored();
    const back = await decide(url);
    expect((await visit(back.url, back)).status).toBe(200);
    expect(await bindings()).toHaveLength(1);
  });
});

describe("nothing is stored", () => {
  // covers networks: Pinterest: consent with a signed state
  test("for a state that was forged, or changed in any part", async () => {
    const { url } = await operatorLink();
    const back = await decide(url);
    const state = new URL(back.url).searchParams.get("state") ?? "";
    const [user = "", nonce = "", turn = "", expiry = "", signature = ""] = state.split("_");
    const forgeries = [
      "",
      "x",
      `eve_${nonce}_${turn}_${expiry}_${signature}`,
      `${user}_${nonce.replace(/^./, (sign) => (sign === "a" ? "b" : "a"))}_${turn}_${expiry}_${signature}`,
      `${user}_${nonce}_${turn}_${Number(expiry) + 1}_${signature}`,
      `${user}_${nonce}_${turn}_${expiry}_${"0".repeat(64)}`,
    ];
    for (const forged of forgeries) {
      const address = new URL(back.url);
      address.searchParams.set("state", forged);
      const page = await visit(address.href, back);
      expect(page.status).toBe(403);
      expect(page.text).toContain("Ошибка авторизации. Попробуйте заново.");
    }
    await expectNothingStored();
    // The real state still works.
    expect((await visit(back.url, back)).status).toBe(200);
  });

  // covers networks: Pinterest: consent with a signed state
  test("for a state that comes back in another browser", async () => {
    const { url } = await operatorLink();
    const back = await decide(url);
    expect((await visit(back.url, { cookie: "" })).status).toBe(403);
    const other = await decide((await operatorLink()).url);
    expect((await visit(back.url, { cookie: other.cookie })).status).toBe(403);
    await expectNothingStored();
  });

  test("for a link of another user", async () => {
    const { url } = await operatorLink();
    const page = await visit(url.replace("user_id=anna", "user_id=eve"));
    expect(page).toMatchObject({ status: 403, cookie: "" });
  });

  test("for a state that has expired, or a link that nobody has made", async () => {
    const back = await decide((await operatorLink()).url);
    clock.advance(31 * 60_000);
    const page = await visit(back.url, back);
    expect(page.status).toBe(410);
    expect(page.text).toContain("Подключение Pinterest отменено. Попробуйте снова");
    const nobodys = `${publicUrl}/api/auth/pinterest?user_id=anna&nonce=${"0".repeat(32)}`;
    expect((await visit(nobodys)).status).toBe(410);
    expect((await visit(`${publicUrl}/api/auth/pinterest`)).status).toBe(410);
    await expectNothingStored();
  });

  // covers networks: Pinterest: consent with a signed state
  test("a second time for a state, a code or a link", async () => {
    const { url } = await operatorLink();
    const back = await decide(url);
    const replayedBefore = await Promise.all([visit(back.url, back), visit(back.url, back)]);
    expect(replayedBefore.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [first] = await bindings();
    expect((await visit(back.url, back)).status).toBe(409);
    expect((await visit(url)).status).toBe(410);
    expect(await bindings()).toEqual([first]);
  });

  test("for a code that was used, is another's or is missing", async () => {
    const used = await decide((await operatorLink()).url);
    await visit(used.url, used);
    const code = new URL(used.url).searchParams.get("code") ?? "";
    await sql`delete from workspaces.credential_bindings where workspace_id = ${workspaceId}`;
    for (const given of [code, "nobodys-code", ""]) {
      const back = await decide((await operatorLink()).url);
      const address = new URL(back.url);
      address.searchParams.set("code", given);
      const page = await visit(address.href, back);
      expect(page.status).toBe(400);
      expect(page.text).toContain("Не удалось подключить Pinterest:");
    }
    await expectNothingStored();
  });

  test("while Pinterest does not answer; the same link works later", async () => {
    const { url } = await operatorLink();
    const back = await decide(url);
    const fault = { kind: "status", status: 503 };
    await control("/faults", { provider: "pinterest", method: "POST /oauth/token", times: 1, fault });
    const page = await visit(back.url, back);
    expect(page.status).toBe(503);
    expect(page.text).toContain("Попробуйте через несколько минут.");
    await expectNothingStored();
    const again = await decide(url);
    expect((await visit(again.url, again)).status).toBe(200);
  });

  test("where the server has no app: it says which settings are missing", async () => {
    const bare = { ...deps, platforms: createPlatforms({}) };
    const key = { platform: "pinterest", auth_ref: "shop" };
    await expect(beginCredentialConsent(bare, workspaceId, key, { operator: "anna" })).rejects.toThrow(
      "PINTEREST_APP_ID and PINTEREST_APP_SECRET",
    );
    const other = { platform: "telegram", auth_ref: "bot" };
    await expect(beginCredentialConsent(deps, workspaceId, other, { operator: "anna" })).rejects.toThrow(
      "store its credential instead",
    );
  });
});

describe("a product's user", () => {
  test("is led back to the bot, and the product alone takes the account over", async () => {
    const asked = { platform: "pinterest", owner, bot: "seo_master_bot" };
    const { url, nonce } = await beginProductConsent(deps, workspaceId, asked);
    expect(url).toBe(`${publicUrl}/api/auth/pinterest?user_id=42&nonce=${nonce}`);
    const back = await decide(url);
    const page = await visit(back.url, back);
    expect(page.status).toBe(302);
    expect(page.location).toBe(`tg://resolve?domain=seo_master_bot&start=pinterest_auth_${nonce}`);
    expect(page.text).toContain("Вернуться в бот");
    await expectNothingStored();

    const take = (by: { product: string; user: string }, where = workspaceId) =>
      consentGiven(deps, where, { platform: "pinterest", owner: by, nonce });
    expect(await take({ ...owner, user: "43" })).toBeUndefined();
    expect(await take({ ...owner, product: "other" })).toBeUndefined();
    expect(await take(owner, await aWorkspace(sql))).toBeUndefined();
    const given = await take(owner);
    expect(given).toMatchObject({ access_token: expect.stringMatching(/^pina_/) });
    const stored = await deps.keyValue.get(`pinterest_auth:${nonce}`);
    expect(stored).not.toContain(given?.access_token);
    // It is kept while the user chooses a board.
    expect(await take(owner)).toEqual(given);
    await forgetConsent(deps, { platform: "pinterest", nonce });
    expect(await take(owner)).toBeUndefined();
  });
});
