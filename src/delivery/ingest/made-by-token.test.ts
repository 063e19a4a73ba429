import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { createApiToken, revokeApiToken, type Scope, setTokenNetworks } from "../../http/index.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { createTokens } from "../../workspaces/index.ts";
import { endpointRoutes } from "../admin/endpoints/endpoint-routes.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let clock: ManualClock;
let workspaceId: string;
let admin: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  clock = manualClock(new Date());
  const vault = createVault([generateKey()]);
  const root = "http://127.0.0.1:9";
  server = await startTestHttpServer({
    sql,
    clock,
    modules: [
      deliveryRoutes({
        ...{ sql, clock, metrics: createMetrics(), payloads: { save: async () => "unused" } },
        platforms: createPlatforms({ TELEGRAM_API_ROOT: root, MAX_API_ROOT: root }),
        credentials: createTokens(sql, vault, { valueOf: () => undefined }),
      }),
      { name: "endpoints", routes: (app) => endpointRoutes(app, { sql, clock, vault }) },
    ],
    // The proxy of the test names the sender's address.
    settings: { trustProxy: 1 },
  });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
});
beforeEach(async () => {
  clock.set(new Date());
  workspaceId = await aWorkspace(database.sql);
  await aChannel(database.sql, workspaceId);
  admin = await server.signedIn();
});

const here = "198.51.100.7";
const endpointShape = z.object({
  endpoint_id: z.string(),
  address: z.string(),
  secret: z.string().nullable(),
  signing_secret: z.string().nullable(),
  secret_by_token: z.string().nullable(),
  signing_by_token: z.string().nullable(),
});
type Endpoint = z.infer<typeof endpointShape>;

interface Given {
  readonly scopes?: readonly Scope[];
  readonly networks?: readonly string[];
  readonly expiresAt?: Date;
  readonly madeByToken?: string;
}

async function aToken({ scopes = ["read", "write"], expiresAt, ...given }: Given = {}) {
  const { id, token } = await createApiToken(database.sql, {
    ...{ name: "робот", scopes, workspaceId, createdBy: null, expiresAt: expiresAt ?? null, clock, ...given },
  });
  return { id, headers: { authorization: `Bearer ${token}`, "x-forwarded-for": here } };
}

async function post(headers: Record<string, string>, path: string, body: unknown): Promise<Endpoint> {
  const answer = await server.call(`/api/v1/endpoints${path}?workspace_id=${workspaceId}`, { headers, body });
  return endpointShape.parse(await answer.json());
}

const open = (headers: Record<string, string>, mode = "either") => post(headers, "", { name: "Сайт", mode });

let number = 0;
/** What a post with the secret, and one signed with the other, are answered. */
async function opens({ address, secret, signing_secret }: Endpoint, from = here): Promise<number[]> {
  const bodies = [0, 1].map(() => JSON.stringify({ payload: { text: `Новость ${number++}` } }));
  const [plain = "", signed = ""] = bodies;
  const id = randomUUID();
  const at = clock.now();
  const answers = [
    secret && (await ingest("", { "x-molva-secret": secret }, plain)),
    signing_secret &&
      (await ingest(
        `/${address}`,
        {
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": new Webhook(signing_secret).sign(id, at, signed),
        },
        signed,
      )),
  ];
  return answers.flatMap((answer) => (answer ? [answer] : []));

  async function ingest(path: string, headers: Record<string, string>, body: string): Promise<number> {
    const more = { "content-type": "application/json", "x-forwarded-for": from };
    const init = { method: "POST", headers: { ...headers, ...more }, body };
    return (await server.call(`/api/v1/ingest${path}`, init)).status;
  }
}

const revoke = (id: string) => revokeApiToken(database.sql, { id, clock });

describe("a secret of an endpoint that was made with a token", () => {
  it("opens it no more once the token is revoked, or one that the token was made with", async () => {
    const parent = await aToken();
    const child = await aToken({ madeByToken: parent.id });
    const made = await open(child.headers);
    expect(made).toMatchObject({ secret_by_token: child.id, signing_by_token: child.id });
    expect(await opens(made)).toEqual([200, 200]);
    expect(await revoke(parent.id)).toBe(2);
    expect(await opens(made)).toEqual([403, 403]);
  });

  it("expires with the token", async () => {
    const { headers } = await aToken({ expiresAt: new Date(clock.now().getTime() + 60_000) });
    const made = await open(headers);
    expect(await opens(made)).toEqual([200, 200]);
    clock.advance(60_000);
    expect(await opens(made)).toEqual([403, 403]);
  });

  it("opens it only from the token's networks, as they are now", async () => {
    const { id, headers } = await aToken({ networks: ["198.51.100.0/24"] });
    const made = await open(headers);
    expect([await opens(made), await opens(made, "203.0.113.9")]).toEqual([
      [200, 200],
      [403, 403],
    ]);
    await setTokenNetworks(database.sql, id, ["203.0.113.0/24"]);
    expect([await opens(made), await opens(made, "203.0.113.9")]).toEqual([
      [403, 403],
      [200, 200],
    ]);
  });

  it("is bound to it by a rotation and by a first signing secret too, while those that a person made stay", async () => {
    const { id, headers } = await aToken();
    const reason = { reason: "проба" };
    const people = await open(admin);
    const rotated = await post(headers, `/${people.endpoint_id}/rotate`, {
      ...reason,
      overlap_seconds: 3600,
    });
    expect(rotated).toMatchObject({ secret_by_token: id, signing_by_token: id });
    const plain = await open(admin, "secret");
    const signed = await post(headers, `/${plain.endpoint_id}/signing`, reason);
    expect(signed).toMatchObject({ secret_by_token: null, signing_by_token: id });
    expect([await opens(rotated), await opens(signed)]).toEqual([[200, 200], [200]]);
    await revoke(id);
    expect([await opens(rotated), await opens(signed)]).toEqual([[403, 403], [403]]);
    expect([await opens(people), await opens(plain)]).toEqual([[200, 200], [200]]);
    const again = await post(admin, `/${rotated.endpoint_id}/rotate`, reason);
    expect(again).toMatchObject({ secret_by_token: null, signing_by_token: null });
    expect(await opens(again)).toEqual([200, 200]);
  });

  it.each(["rotate", "signing"])("is not given by /%s to a token that may not write", async (verb) => {
    const { headers } = await aToken({ scopes: ["read", "operate"] });
    const { endpoint_id } = await open(admin, "secret");
    const path = `/api/v1/endpoints/${endpoint_id}/${verb}?workspace_id=${workspaceId}`;
    const answer = await server.call(path, { headers, body: { reason: "взлом" } });
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "scope_missing" }]);
  });
});
