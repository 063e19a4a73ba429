import { createHash, createPublicKey, verify } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestTwins, type TestClock, type TestTwins, testClock } from "../shared/testing.ts";

type Body = ReturnType<typeof JSON.parse>;

const back = "http://127.0.0.1:8080/back";
const client = { client_id: "molva", client_secret: "s:e c", redirect_uris: [back] };
const verifier = "v".repeat(43);
const challenge = createHash("sha256").update(verifier).digest("base64url");
const good = {
  client_id: "molva",
  redirect_uri: back,
  response_type: "code",
  scope: "openid email",
  state: "s1",
  nonce: "n1",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

let twins: TestTwins;
let clock: TestClock;

beforeEach(async () => {
  clock = testClock();
  twins = await startTestTwins({ clock });
  await twins.control("POST", "/oidc/clients", client);
  await twins.control("POST", "/oidc/accounts", { sub: "1", name: "Анна", email: "anna@example.org" });
});
afterEach(() => twins.close());

const authorize = (change: Record<string, string | undefined> = {}, decision?: string) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...good, ...change })) if (value) query.set(name, value);
  return fetch(`${twins.url}/oidc/authorize?${query}`, {
    redirect: "manual",
    ...(decision && { method: "POST", body: new URLSearchParams({ decision, account: "1" }).toString() }),
  });
};
const landed = (answer: Response) => new URL(answer.headers.get("location") ?? "").searchParams;

async function token(change: Record<string, string> = {}, secret = "s%3Ae+c") {
  const answer = await fetch(`${twins.url}/oidc/token`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${Buffer.from(`molva:${secret}`).toString("base64")}`,
    },
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", redirect_uri: back, code_verifier: verifier },
      ...change,
    }),
  });
  const body: Body = await answer.json();
  return { status: answer.status, body };
}

async function code(): Promise<string> {
  return landed(await authorize({}, "allow")).get("code") ?? "";
}

const claimsOf = (jwt: string): Body =>
  JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString());

async function isSigned(jwt: string): Promise<boolean> {
  const { keys }: Body = await (await fetch(`${twins.url}/oidc/jwks`)).json();
  const [head, payload, signature = ""] = jwt.split(".");
  const key = createPublicKey({ key: keys[0], format: "jwk" });
  return verify("sha256", Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, "base64url"));
}

test("it says about itself what it does", async () => {
  const found = await fetch(`${twins.url}/oidc/.well-known/openid-configuration`);
  const issuer = `${twins.url}/oidc`;
  expect(await found.json()).toMatchObject({
    ...{ issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` },
    code_challenge_methods_supported: ["S256"],
  });
});

test("a person signs in, and the client gets a signed ID token and the user info", async () => {
  expect(await (await authorize()).text()).toContain("anna@example.org");
  const params = landed(await authorize({}, "allow"));
  expect([params.get("state"), params.get("iss")]).toEqual(["s1", `${twins.url}/oidc`]);
  const { status, body } = await token({ code: params.get("code") ?? "" });
  expect(status).toBe(200);
  expect(await isSigned(body.id_token)).toBe(true);
  const now = clock.now() / 1000;
  expect(claimsOf(body.id_token)).toEqual({
    ...{ iss: `${twins.url}/oidc`, aud: "molva", sub: "1", nonce: "n1", iat: now, exp: now + 300 },
    ...{ email: "anna@example.org", email_verified: true },
  });
  const who = (bearer: string) =>
    fetch(`${twins.url}/oidc/userinfo`, { headers: { authorization: `Bearer ${bearer}` } });
  expect(await (await who(body.access_token)).json()).toMatchObject({ sub: "1", email: "anna@example.org" });
  expect((await who("x")).status).toBe(401);
});

test("a person who declines is sent back without a code", async () => {
  expect(landed(await authorize({}, "deny")).get("error")).toBe("access_denied");
});

test.each([
  ["an unknown client", { client_id: "other" }],
  ["another address", { redirect_uri: "https://evil.example/" }],
  ["an address that only begins like the client's", { redirect_uri: `${back}/more` }],
])("nobody is sent anywhere for %s", async (_name, change) => {
  const answer = await authorize(change, "allow");
  expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
});

test.each([
  [{ response_type: "token" }, "unsupported_response_type"],
  [{ scope: "email" }, "invalid_scope"],
  [{ scope: "openid admin" }, "invalid_scope"],
  [{ state: undefined }, "invalid_request"],
  [{ nonce: undefined }, "invalid_request"],
  [{ code_challenge: undefined }, "invalid_request"],
  [{ code_challenge_method: "plain" }, "invalid_request"],
])("a request is refused with %j", async (change, error) => {
  expect(landed(await authorize(change)).get("error")).toBe(error);
});

test("a code works once, and what it gave is taken back when it comes again", async () => {
  const once = await code();
  const { body } = await token({ code: once });
  expect(await token({ code: once })).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await fetch(`${twins.url}/oidc/userinfo`, { headers })).status).toBe(401);
});

test("a code is bound to its verifier, its address, its client and a minute", async () => {
  const wrong = [{ code_verifier: "w".repeat(43) }, { redirect_uri: `${back}/` }, { code: "invented" }];
  for (const change of wrong)
    expect(await token({ code: await code(), ...change })).toMatchObject({
      status: 400,
      body: { error: "invalid_grant" },
    });
  expect(await token({ code: await code() }, "other")).toMatchObject({ body: { error: "invalid_client" } });
  const late = await code();
  clock.advance(60_000);
  expect(await token({ code: late })).toMatchObject({ body: { error: "invalid_grant" } });
});

test.each(["wrong_nonce", "wrong_audience", "wrong_issuer", "expired", "unknown_key"])(
  "it can be told to give a token with the flaw %s",
  async (flaw) => {
    await twins.control("POST", "/faults", {
      provider: "oidc",
      fault: { kind: "answer", flaw },
      times: 1,
      method: "POST /token",
    });
    const { id_token } = (await token({ code: await code() })).body;
    const claims = claimsOf(id_token);
    expect({
      wrong_nonce: claims.nonce !== "n1",
      wrong_audience: claims.aud !== "molva",
      wrong_issuer: claims.iss !== `${twins.url}/oidc`,
      expired: claims.exp < clock.now() / 1000,
      unknown_key: !(await isSigned(id_token)),
    }).toMatchObject({ [flaw]: true });
  },
);
