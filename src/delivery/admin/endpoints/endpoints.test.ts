import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { sha256Hex } from "../../../kernel/crypto/index.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

async function opens(secret: string): Promise<string | null> {
  const [row] = await harness.sql`
    select endpoint_id from delivery.find_endpoint('webhook_push', ${sha256Hex(secret)})`;
  return row?.endpoint_id ?? null;
}

describe("endpoints", () => {
  it("show their secret once, when they are made, and nowhere again", async () => {
    const made = await harness.call("POST", "/endpoints", { name: "Наш сайт", ingress_rps: 7 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      kind: "webhook_push",
      name: "Наш сайт",
      ingress_rps: 7,
      enabled: true,
    });
    expect(await opens(made.body.secret)).toBe(made.body.endpoint_id);
    for (const path of ["/endpoints", `/endpoints/${made.body.endpoint_id}`]) {
      const text = JSON.stringify((await harness.call("GET", path)).body);
      expect(text).toContain(made.body.endpoint_id);
      expect(text).not.toContain(made.body.secret);
      expect(text).not.toContain(sha256Hex(made.body.secret));
    }
    const trail = JSON.stringify(await harness.events());
    expect(trail).toContain(made.body.endpoint_id);
    expect(trail).not.toContain(made.body.secret);
  });

  it("take a secret of one's own, if nobody else has it", async () => {
    const secret = "a-secret-of-my-own-1234567890";
    expect((await harness.call("POST", "/endpoints", { name: "А", secret })).status).toBe(201);
    expect(await harness.call("POST", "/endpoints", { name: "Б", secret })).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: "/secret" }], detail: expect.stringContaining("Another enabled endpoint") },
    });
    expect((await harness.call("POST", "/endpoints", { name: "В", secret: "short" })).status).toBe(400);
  });

  it("take no secret that anybody can read in the documents", async () => {
    const secret = "molva-demo-shop-webhook-secret";
    const refused = { status: 422, body: { errors: [{ pointer: "/secret" }] } };
    expect(await harness.call("POST", "/endpoints", { name: "Г", secret })).toMatchObject(refused);
    const { body } = await harness.call("POST", "/endpoints", { name: "Д" });
    const path = `/endpoints/${body.endpoint_id}/rotate`;
    expect(await harness.call("POST", path, { secret, reason: "проба" })).toMatchObject(refused);
  });

  it("tell what came through them, what was dropped and why, also through the secret before a rotation", async () => {
    const { body: old } = await harness.call("POST", "/endpoints", { name: "Сайт" });
    const { body: other } = await harness.call("POST", "/endpoints", { name: "Чужая" });
    const drop = (endpointId: string, run: string, counter: string, minute: number) => harness.sql`
      select delivery.record_ingress_drop(
        ${harness.workspaceId}, ${endpointId}, ${run}, ${counter}, null, '{}', null, ${`2026-08-01 10:0${minute}Z`})`;
    await harness.sql`
      select delivery.add_to_push_run(${harness.workspaceId}, ${old.endpoint_id}, 'first',
        '{"processed": 1, "accepted": 1, "dropped": 0, "queued": 2, "deduped": 1, "trace_id": "заказ-7"}', '2026-08-01 10:00Z')`;
    await drop(old.endpoint_id, "second", "dedup_dropped", 1);
    await drop(old.endpoint_id, "second", "rate_limited", 2);
    await drop(other.endpoint_id, "elsewhere", "malformed", 3);
    const { body: renewed } = await harness.call("POST", `/endpoints/${old.endpoint_id}/rotate`, {
      reason: "плановая смена",
    });
    await drop(renewed.endpoint_id, "third", "payload_rejected", 4);
    const none = { repeated: 0, too_large: 0, too_fast: 0, malformed: 0 };
    const path = `/endpoints/${renewed.endpoint_id}/runs`;
    const [newest, ...rest] = await harness.pages(path);
    expect(newest).toMatchObject([
      { run_id: "third", endpoint_id: renewed.endpoint_id, accepted: 0, dropped: { ...none, too_large: 1 } },
      { run_id: "second", processed: 2, dropped: { ...none, repeated: 1, too_fast: 1 } },
    ]);
    expect(rest).toMatchObject([
      [{ run_id: "first", accepted: 1, queued: 2, deduped: 1, trace_id: "заказ-7", dropped: none }],
    ]);
    expect((await harness.call("GET", "/endpoints/00000000-0000-4000-8000-000000000000/runs")).status).toBe(
      404,
    );
  });

  it("have allowed networks, which stay when the secret is rotated", async () => {
    const networks = ["203.0.113.0/24", "2001:db8::1"];
    const { body } = await harness.call("POST", "/endpoints", { name: "Сеть", networks });
    expect(body).toMatchObject({ networks });
    const path = `/endpoints/${body.endpoint_id}`;
    const renewed = await harness.call("POST", `${path}/rotate`, { reason: "плановая смена" });
    expect(renewed.body).toMatchObject({ networks });
    const opened = `/endpoints/${renewed.body.endpoint_id}`;
    expect(await harness.call("PATCH", opened, { networks: ["10.0.0.0/99"] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/networks/0" }] },
    });
    expect((await harness.call("PATCH", opened, { networks: [] })).body).toMatchObject({ networks: [] });
  });

  // covers autoposting: Table: workspace_endpoints; Point 3
  it("are rotated in one step: the new secret opens, the old one does not, its row stays as history", async () => {
    const { body: old } = await harness.call("POST", "/endpoints", { name: "Касса", ingress_rps: 3 });
    const { status, body: renewed } = await harness.call("POST", `/endpoints/${old.endpoint_id}/rotate`, {
      reason: "плановая смена",
      overlap_seconds: 0,
    });
    expect(status).toBe(200);
    expect(renewed).toMatchObject({ name: "Касса", ingress_rps: 3, enabled: true });
    expect(renewed.endpoint_id).not.toBe(old.endpoint_id);
    expect(await opens(renewed.secret)).toBe(renewed.endpoint_id);
    expect(await opens(old.secret)).toBeNull();
    expect((await harness.call("GET", `/endpoints/${old.endpoint_id}`)).body).toMatchObject({
      enabled: false,
    });
    expect((await harness.events()).at(-1)).toMatchObject({
      action: "endpoint_rotated",
      meta: {
        old_endpoint_id: old.endpoint_id,
        new_endpoint_id: renewed.endpoint_id,
        reason: "плановая смена",
      },
    });
    const again = await harness.call("POST", `/endpoints/${old.endpoint_id}/rotate`, { reason: "ещё раз" });
    expect(again).toMatchObject({ status: 409, body: { detail: expect.stringContaining("disabled") } });
  });

  it("let the old secret open the new row for a day, say when it was last used, and end it early", async () => {
    const { body: old } = await harness.call("POST", "/endpoints", { name: "Сайт" });
    const { body: renewed } = await harness.call("POST", `/endpoints/${old.endpoint_id}/rotate`, {
      reason: "плановая смена",
    });
    expect(await opens(renewed.secret)).toBe(renewed.endpoint_id);
    expect(await opens(old.secret)).toBe(renewed.endpoint_id);
    const path = `/endpoints/${old.endpoint_id}`;
    const { body: shown } = await harness.call("GET", path);
    expect(shown).toMatchObject({
      enabled: true,
      replaced_by: renewed.endpoint_id,
      last_used_at: null,
      address: renewed.address,
    });
    const hours = (Date.parse(shown.ends_at) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    await harness.call("POST", `${path}/disable`, { reason: "все перешли" });
    expect(await opens(old.secret)).toBeNull();
    expect(await opens(renewed.secret)).toBe(renewed.endpoint_id);
    expect(await harness.call("POST", `${path}/enable`, { reason: "передумали" })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(renewed.endpoint_id) },
    });
  });

  it("get a signing secret of their own, shown once, and a mode that needs it", async () => {
    const { body: made } = await harness.call("POST", "/endpoints", { name: "Магазин" });
    expect(made).toMatchObject({ mode: "secret", signing_secret: null, has_signing_secret: false });
    const path = `/endpoints/${made.endpoint_id}`;
    expect(await harness.call("PATCH", path, { mode: "either" })).toMatchObject({
      status: 409,
      body: { errors: [{ pointer: "/mode" }] },
    });
    const signing = await harness.call("POST", `${path}/signing`, { reason: "подписи" });
    expect(signing.body).toMatchObject({ mode: "either", secret: null, has_signing_secret: true });
    expect(signing.body.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await harness.call("POST", `${path}/signing`, { reason: "ещё" })).status).toBe(409);
    expect(await opens(made.secret)).toBe(made.endpoint_id);
    expect((await harness.call("PATCH", path, { mode: "signature" })).body.mode).toBe("signature");
    expect(await opens(made.secret)).toBeNull();
    const texts = [await harness.call("GET", path), await harness.events()].map((part) =>
      JSON.stringify(part),
    );
    for (const text of texts) expect(text).not.toContain(signing.body.signing_secret);
    const bot = { name: "Бот", kind: "bot_webhook", mode: "signature" };
    expect((await harness.call("POST", "/endpoints", bot)).status).toBe(422);
    const weak = { name: "Слабый", mode: "signature", signing_secret: "whsec_c2hvcnQ=" };
    expect((await harness.call("POST", "/endpoints", weak)).status).toBe(400);
  });

  it("keep both rows as they were when the new secret is refused", async () => {
    const { body: one } = await harness.call("POST", "/endpoints", { name: "Один" });
    const { body: other } = await harness.call("POST", "/endpoints", { name: "Другой" });
    const refused = await harness.call("POST", `/endpoints/${one.endpoint_id}/rotate`, {
      secret: other.secret,
      reason: "тот же секрет",
    });
    expect(refused.status).toBe(409);
    expect(await opens(one.secret)).toBe(one.endpoint_id);
  });

  it("are closed and opened with a reason", async () => {
    const { body: made } = await harness.call("POST", "/endpoints", { name: "Дверь" });
    const path = `/endpoints/${made.endpoint_id}`;
    expect((await harness.call("POST", `${path}/disable`, {})).status).toBe(400);
    await harness.call("POST", `${path}/disable`, { reason: "подозрение" });
    expect(await opens(made.secret)).toBeNull();
    await harness.call("POST", `${path}/enable`, { reason: "проверили" });
    expect(await opens(made.secret)).toBe(made.endpoint_id);
    expect((await harness.events()).slice(-2)).toMatchObject([
      {
        action: "config_changed",
        meta: { object: "endpoint", changes: { enabled: { from: true, to: false } } },
      },
      {
        action: "config_changed",
        meta: { object: "endpoint", changes: { enabled: { from: false, to: true } } },
      },
    ]);
  });

  it("change their name and limits only", async () => {
    const { body: made } = await harness.call("POST", "/endpoints", {
      name: "Было",
      description: "пояснение",
    });
    const path = `/endpoints/${made.endpoint_id}`;
    const { body } = await harness.call("PATCH", path, {
      name: "Стало",
      description: null,
      max_payload_bytes: 1000,
    });
    expect(body).toMatchObject({
      name: "Стало",
      description: null,
      max_payload_bytes: 1000,
      hash_drop_window_sec: 10,
    });
    expect(await harness.call("PATCH", path, { secret_hash: "0".repeat(64) })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/secret_hash", detail: "Unknown field" }] },
    });
  });

  it("of pull sources cannot be made by hand, nor rotated", async () => {
    expect((await harness.call("POST", "/endpoints", { name: "Лента", kind: "pull_source" })).status).toBe(
      400,
    );
    const config = { url: "https://example.com/feed.xml" };
    const { body } = await harness.call("POST", "/sources", { source_id: "feed", kind: "rss", config });
    const rotated = await harness.call("POST", `/endpoints/${body.endpoint_id}/rotate`, { reason: "проба" });
    expect(rotated.status).toBe(409);
    expect((await harness.call("GET", "/endpoints?kind=pull_source")).body.items).toHaveLength(1);
  });
});

describe("deleting", () => {
  it("an endpoint takes a closed one, and a rehearsal takes nothing", async () => {
    const { body } = await harness.call("POST", "/endpoints", { name: "Старый сайт" });
    const path = `/endpoints/${body.endpoint_id}`;
    expect(await harness.call("DELETE", path)).toMatchObject({ status: 409, body: { code: "conflict" } });
    await harness.call("POST", `${path}/disable`, { reason: "сайт закрыт" });
    expect((await harness.call("DELETE", `${path}?dry_run=true`)).status).toBe(204);
    expect((await harness.call("GET", path)).status).toBe(200);
    expect((await harness.call("DELETE", `${path}?reason=gone`)).status).toBe(204);
    expect((await harness.call("GET", path)).status).toBe(404);
    expect((await harness.events()).at(-1)?.meta).toMatchObject({
      object: "endpoint",
      deleted: true,
      reason: "gone",
    });
  });

  it.each([
    ["/limits/telegram/spare", "PUT", { rate_rps: 1 }],
    ["/credentials/telegram/spare", "PUT", { token: "a-good-token" }],
  ])("%s can be rehearsed", async (path, method, body) => {
    await harness.call(method, path, body);
    const before = (await harness.events()).length;
    expect((await harness.call("DELETE", `${path}?dry_run=true`)).status).toBe(204);
    expect(await harness.events()).toHaveLength(before);
    expect((await harness.call("DELETE", path)).status).toBe(204);
    expect((await harness.call("DELETE", path)).status).toBe(404);
  });

  it("a channel can be rehearsed", async () => {
    const channel = await aChannel(harness.sql, harness.workspaceId);
    expect((await harness.call("DELETE", `/channels/${channel}?reason=try&dry_run=true`)).status).toBe(204);
    expect((await harness.call("GET", `/channels/${channel}`)).status).toBe(200);
  });
});
