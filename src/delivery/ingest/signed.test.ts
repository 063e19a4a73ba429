import { createHmac, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestHttpServer, type TestHttpServer } from "../../http/testing/http-server.ts";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey, type Vault } from "../../kernel/crypto/index.ts";
import { createMetrics } from "../../kernel/metrics/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { createTokens } from "../../workspaces/index.ts";
import { addEndpoint, type EndpointWithSecret, rotateEndpoint } from "../admin/index.ts";
import { deliveryRoutes } from "../delivery-routes.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";

let database: TestDatabase;
let server: TestHttpServer;
let clock: ManualClock;
let vault: Vault;
let workspaceId: string;
let endpoint: EndpointWithSecret;
const by = { operator: "anna", reason: "проверка" };

beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  clock = manualClock();
  vault = createVault([generateKey()]);
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
    ],
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  workspaceId = await aWorkspace(database.sql);
  await aChannel(database.sql, workspaceId);
  endpoint = await newEndpoint("either");
});

const deps = () => ({ sql: database.sql, clock, vault });
const newEndpoint = (mode: "signature" | "either") =>
  addEndpoint(deps(), workspaceId, { name: "Сайт", mode, ingress_rps: 0 }, by);

interface Signed {
  readonly id?: string;
  readonly at?: Date;
  readonly secret?: string;
  readonly body?: string;
}

/** Signs as a customer's program does, by the convention's own package. */
function headersFor({ id = randomUUID(), at = clock.now(), secret, body = aPost() }: Signed) {
  const key = secret ?? endpoint.signing_secret ?? "";
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(key).sign(id, at, body),
  };
}

async function send(headers: Record<string, string>, body: string, address = endpoint.address) {
  const answer = await fetch(`${server.url()}/api/v1/ingest/${address}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const signed = (given: Signed & { body: string }) => send(headersFor(given), given.body);
let number = 0;
const aPost = () => JSON.stringify({ payload: { text: `Новость ${number++}` } });
const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000);

async function messages(): Promise<number> {
  const [row] = await database.sql<[{ count: number }]>`
    select count(*)::int as count from delivery.messages where workspace_id = ${workspaceId}`;
  return row.count;
}

describe("a signed post", () => {
  it("is taken when the convention's own package has signed it", async () => {
    expect(await signed({ body: aPost() })).toMatchObject({ status: 200, body: { ok: true, queued: 1 } });
    expect(await messages()).toBe(1);
  });

  it("is taken with the HMAC that the convention describes, by hand", async () => {
    const [id, body, seconds] = ["msg_1", aPost(), Math.floor(clock.now().getTime() / 1000)];
    const key = Buffer.from((endpoint.signing_secret ?? "").slice("whsec_".length), "base64");
    const hmac = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": `${seconds}`,
      "webhook-signature": `v1,${hmac}`,
    };
    expect((await send(headers, body)).status).toBe(200);
  });

  it("may bring several signatures, of which one has to fit", async () => {
    const body = aPost();
    const headers = headersFor({ body });
    const wrong = `v1,${Buffer.alloc(32).toString("base64")}`;
    const all = `v1a,something ${wrong} ${headers["webhook-signature"]}`;
    expect((await send({ ...headers, "webhook-signature": all }, body)).status).toBe(200);
    expect(await send({ ...headers, "webhook-signature": wrong }, body)).toMatchObject(refused);
    const many = `${`${wrong} `.repeat(20)}${headers["webhook-signature"]}`;
    expect(await send({ ...headers, "webhook-signature": many }, body)).toMatchObject(refused);
  });

  it("that comes again is answered with success and enqueued once", async () => {
    const [id, body] = [randomUUID(), aPost()];
    expect((await signed({ id, body })).body).toMatchObject({ ok: true, queued: 1 });
    const replay = headersFor({ id, body });
    for (const headers of [replay, replay, headersFor({ id, body, at: minutes(1) })])
      expect(await send(headers, body)).toMatchObject({
        status: 200,
        body: { ok: true, dropped: true, reason: "ingress_dedup_dropped" },
      });
    expect(await messages()).toBe(1);
  });

  it("cannot be sent again under another Idempotency-Key, which the signature does not cover", async () => {
    const channel = await aChannel(database.sql, workspaceId);
    const body = JSON.stringify({ payload: { text: `Новость ${number++}` }, channel_ids: [channel] });
    const headers = headersFor({ body });
    expect((await send(headers, body)).body).toMatchObject({ ok: true, queued: 1 });
    for (const key of ["x1", "x2"])
      expect((await send({ ...headers, "idempotency-key": key }, body)).body).toMatchObject({
        dropped: true,
      });
    expect(await messages()).toBe(1);
  });

  it("is still the same post after its endpoint's secrets were rotated", async () => {
    const [id, body] = [randomUUID(), aPost()];
    await signed({ id, body });
    const renewed = await rotateEndpoint(deps(), workspaceId, endpoint.endpoint_id, {}, by);
    expect(renewed.address).toBe(endpoint.address);
    const again = await signed({ id, body, secret: renewed.signing_secret ?? "" });
    expect(again.body).toMatchObject({ ok: true, dropped: true });
  });

  it("keeps the sender's own reference, and takes the id of the webhook where there is none", async () => {
    const own = JSON.stringify({ source_ref: "заказ-7", payload: { text: `С номером ${number++}` } });
    await signed({ body: own });
    await signed({ id: "msg_named", body: aPost() });
    const rows = await database.sql`
      select source_ref from delivery.messages where workspace_id = ${workspaceId}`;
    expect(new Set(rows.map(({ source_ref }) => source_ref))).toEqual(new Set(["заказ-7", "msg_named"]));
  });
});

const refused = { status: 403, body: { code: "webhook_signature_refused" } };

describe("is refused, and nothing of it is written:", () => {
  it.each<[string, (headers: Record<string, string>, body: string) => [Record<string, string>, string]]>([
    ["another body", (headers, body) => [headers, body.replace("Новость", "Подмена")]],
    ["a body with one more space", (headers, body) => [headers, `${body} `]],
    ["another id", (headers, body) => [{ ...headers, "webhook-id": "msg_other" }, body]],
    [
      "another time",
      (headers, body) => [
        { ...headers, "webhook-timestamp": `${Number(headers["webhook-timestamp"]) + 1}` },
        body,
      ],
    ],
    ["a time that is none", (headers, body) => [{ ...headers, "webhook-timestamp": "12e3" }, body]],
    ["half a signature", (headers, body) => [{ ...headers, "webhook-signature": "v1," }, body]],
    [
      "a signature of another version",
      (headers, body) => [
        { ...headers, "webhook-signature": `v2${headers["webhook-signature"]?.slice(2)}` },
        body,
      ],
    ],
  ])("%s", async (_name, altered) => {
    const body = aPost();
    const [headers, sent] = altered(headersFor({ body }), body);
    expect(await send(headers, sent)).toMatchObject(refused);
    await nothingWritten();
  });

  it("a secret that is not the endpoint's", async () => {
    const other = await newEndpoint("either");
    const body = aPost();
    expect(await signed({ body, secret: other.signing_secret ?? "" })).toMatchObject(refused);
    await nothingWritten();
  });

  it("an address that leads nowhere, in the same words", async () => {
    const body = aPost();
    for (const address of [randomUUID(), "nowhere"])
      expect(await send(headersFor({ body }), body, address)).toMatchObject(refused);
  });

  it("what was signed more than five minutes ago or ahead, and nothing nearer", async () => {
    const late = { status: 403, body: { code: "webhook_timestamp_refused" } };
    const cases = [
      [-5.1, late],
      [5.1, late],
      [-4.9, { status: 200 }],
      [4.9, { status: 200 }],
    ] as const;
    for (const [away, expected] of cases)
      expect(await signed({ body: aPost(), at: minutes(away) })).toMatchObject(expected);
  });

  it("a request without one of the headers, however good its secret", async () => {
    const body = aPost();
    for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
      const headers = { ...headersFor({ body }), [name]: "", "x-molva-secret": endpoint.secret ?? "" };
      expect(await send(headers, body)).toMatchObject({
        status: 401,
        body: { code: "webhook_signature_missing" },
      });
    }
    await nothingWritten();
  });

  it("a body larger than the endpoint takes, which is recorded only if it was signed", async () => {
    await database.sql`
      update delivery.workspace_endpoints set max_payload_bytes = 10 where endpoint_id = ${endpoint.endpoint_id}`;
    const body = aPost();
    expect(await send({ ...headersFor({ body }), "webhook-id": "msg_other" }, body)).toMatchObject(refused);
    await nothingWritten();
    expect((await signed({ body })).status).toBe(413);
  });

  async function nothingWritten(): Promise<void> {
    expect(await messages()).toBe(0);
    const runs = await database.sql`select from delivery.ingest_runs where workspace_id = ${workspaceId}`;
    expect(runs).toHaveLength(0);
  }
});

describe("the mode of an endpoint", () => {
  async function withSecret(secret: string): Promise<number> {
    const answer = await fetch(`${server.url()}/api/v1/ingest`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-molva-secret": secret },
      body: aPost(),
    });
    return answer.status;
  }

  it("says whether its secret, a signature or either opens it", async () => {
    const { sql } = database;
    const opens = async (mode: string) => {
      await sql`update delivery.workspace_endpoints set mode = ${mode} where endpoint_id = ${endpoint.endpoint_id}`;
      return [await withSecret(endpoint.secret ?? ""), (await signed({ body: aPost() })).status];
    };
    expect(await opens("either")).toEqual([200, 200]);
    expect(await opens("signature")).toEqual([403, 200]);
    expect(await opens("secret")).toEqual([200, 403]);
  });

  it("lets old secrets of both kinds in until the overlap ends, and says when they were last used", async () => {
    const old = endpoint;
    const renewed = await rotateEndpoint(deps(), workspaceId, old.endpoint_id, { overlap_seconds: 3600 }, by);
    const used = () => database.sql<{ last_used_at: Date | null }[]>`
      select last_used_at from delivery.workspace_endpoints where endpoint_id = ${old.endpoint_id}`;
    const bySecrets = async ({ secret, signing_secret }: EndpointWithSecret) => [
      await withSecret(secret ?? ""),
      (await signed({ body: aPost(), secret: signing_secret ?? "" })).status,
    ];
    expect(await bySecrets(renewed)).toEqual([200, 200]);
    expect((await used())[0]?.last_used_at).toBeNull();
    expect(await withSecret(old.secret ?? "")).toBe(200);
    expect((await used())[0]?.last_used_at).toEqual(clock.now());
    clock.advance(120_000);
    expect((await signed({ body: aPost(), secret: old.signing_secret ?? "" })).status).toBe(200);
    expect((await used())[0]?.last_used_at).toEqual(clock.now());
    clock.advance(3_600_000);
    expect(await bySecrets(old)).toEqual([403, 403]);
    expect(await bySecrets(renewed)).toEqual([200, 200]);
    await database.sql`select delivery.end_overlaps(null, ${clock.now()})`;
    const [row] = await database.sql`
      select enabled, signing_ref from delivery.workspace_endpoints where endpoint_id = ${old.endpoint_id}`;
    expect(row).toEqual({ enabled: false, signing_ref: null });
    const [kept] = await database.sql`
      select count(*)::int as count from workspaces.secrets where workspace_id = ${workspaceId}`;
    expect(kept?.count).toBe(1);
  });

  it("lets no earlier secret outlive the overlap of the last rotation, so none of them opens anything after a leak", async () => {
    const rotate = ({ endpoint_id }: EndpointWithSecret, overlap_seconds: number) =>
      rotateEndpoint(deps(), workspaceId, endpoint_id, { overlap_seconds }, by);
    const opens = async ({ secret, signing_secret }: EndpointWithSecret) => [
      await withSecret(secret ?? ""),
      (await signed({ body: aPost(), secret: signing_secret ?? "" })).status,
    ];
    const leaked = endpoint;
    const second = await rotate(leaked, 86_400);
    const third = await rotate(second, 3600);
    expect([await opens(leaked), await opens(second)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    clock.advance(3_600_000);
    expect([await opens(leaked), await opens(second)]).toEqual([
      [403, 403],
      [403, 403],
    ]);
    const fourth = await rotate(third, 86_400);
    const last = await rotate(fourth, 0);
    for (const earlier of [leaked, second, third, fourth]) expect(await opens(earlier)).toEqual([403, 403]);
    expect(await opens(last)).toEqual([200, 200]);
    const [kept] = await database.sql`
      select count(*)::int as count from workspaces.secrets where workspace_id = ${workspaceId}`;
    expect(kept?.count).toBe(1);
  });
});
