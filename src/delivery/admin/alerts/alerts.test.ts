import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { type RunningTwins, startTwins } from "../../../../twins/index.ts";
import { type MailBox, startMailBox } from "../../monitor/testing/mail-box.ts";
import { aTroubledWorkspace } from "../../monitor/testing/troubled-workspace.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../monitor/testing/webhook-receiver.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminHarness, asked, everyScope, startAdminHarness } from "../testing/harness.ts";

const token = `2002:${"B".repeat(35)}`;
const chat = 88;

let harness: AdminHarness;
let twins: RunningTwins;
let mailBox: MailBox;
let receiver: WebhookReceiver;

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: true, rateLimits: false });
  await control("bots", { token, username: "alert_bot", first_name: "Молва" });
  await control("chats", {
    ...{ id: chat, type: "private", first_name: "Дежурный" },
    members: [{ bot: "alert_bot" }],
  });
  mailBox = await startMailBox();
  receiver = await startWebhookReceiver();
  harness = await startAdminHarness(await testDatabase(), {
    allowHosts: [receiver.host],
    telegramApiRoot: `${twins.url}/telegram`,
    smtpUrl: mailBox.url,
    bindings: [{ name: "MOLVA_ALERT_BOT", workspace: "*" }],
  });
});
afterAll(async () => {
  await harness?.stop();
  await twins?.close();
  await mailBox?.close();
  await receiver?.close();
});
beforeEach(() => receiver.answerWith(200));

async function control(what: string, body: unknown): Promise<void> {
  const init = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  };
  const answer = await fetch(`${twins.url}/_control/telegram/${what}`, init);
  if (!answer.ok) throw new Error(await answer.text());
}

async function added(target: object): Promise<string> {
  const { status, body } = await harness.call("POST", "/alert_targets", target);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.target_id;
}

const test = (id: string) => harness.call("POST", `/alert_targets/${id}/test`, {});

describe("alert targets", () => {
  // covers autoposting: Responsibilities
  it("are added, shown without their secrets, changed and removed, each with an event", async () => {
    const url = `${receiver.url}/T0/B1/very-secret-path`;
    const id = await added({ kind: "webhook", config: { url }, secret: "whsec_c2VjcmV0", language: "en" });
    const shown = await harness.call("GET", `/alert_targets/${id}`);
    expect(shown.body).toMatchObject({
      kind: "webhook",
      config: { url: `http://${receiver.host}/…` },
      has_secret: true,
      language: "en",
      enabled: true,
      last_error: null,
    });
    expect(JSON.stringify(shown.body)).not.toMatch(/whsec|vault|very-secret/);
    const changed = await harness.call("PATCH", `/alert_targets/${id}`, {
      enabled: false,
      config: { headers: { "x-team": "ops" } },
      secret: "another",
    });
    expect(changed.body).toMatchObject({ enabled: false, config: { headers: { "x-team": "ops" } } });
    const [stored] = await harness.sql`select config from delivery.alert_targets where target_id = ${id}`;
    expect(stored?.config).toEqual({ url, headers: { "x-team": "ops" } });
    expect((await harness.call("DELETE", `/alert_targets/${id}?reason=moved`)).status).toBe(204);
    expect((await harness.call("GET", `/alert_targets/${id}`)).status).toBe(404);
    const about = { object: "alert_target", target_id: id };
    const events = await harness.events();
    expect(events).toMatchObject([
      { action: "config_changed", meta: { ...about, created: true } },
      { meta: { ...about, changes: { enabled: { to: false } }, config_changed: true, secret_changed: true } },
      { meta: { ...about, deleted: true, reason: "moved" } },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/whsec|another|very-secret/);
    expect(await harness.sql`select from workspaces.secrets`).toHaveLength(0);
  });

  it("that have a secret ask for it again when the webhook moves to another server", async () => {
    const id = await added({
      kind: "webhook",
      config: { url: "https://e.com/hook" },
      secret: "whsec_c2VjcmV0",
    });
    const patch = (body: object) => harness.call("PATCH", `/alert_targets/${id}`, body);
    expect((await patch({ config: { url: "https://e.com/other" } })).status).toBe(200);
    expect(await patch({ config: { url: "https://thief.example/hook" } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/secret" }] },
    });
    const moved = { config: { url: "https://new.example/hook" }, secret: "whsec_bmV3" };
    expect((await patch(moved)).status).toBe(200);
    await harness.call("DELETE", `/alert_targets/${id}`);
  });

  it("name only variables that the server's operator has bound to their workspace", async () => {
    const target = {
      kind: "webhook",
      config: { url: "https://e.com" },
      secret_variable: "MOLVA_ALERT_OTHERS",
    };
    expect(await harness.call("POST", "/alert_targets", target)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/secret_variable" }] },
    });
  });

  it("keep secrets encrypted, the old one going when a new one comes", async () => {
    const id = await added({ kind: "telegram", config: { chat_id: chat }, secret: token });
    await harness.call("PATCH", `/alert_targets/${id}`, { secret: `3003:${"C".repeat(35)}` });
    const rows =
      await harness.sql`select ciphertext from workspaces.secrets where workspace_id = ${harness.workspaceId}`;
    expect(rows).toHaveLength(1);
    expect(rows[0]?.ciphertext).not.toMatch(/2002|3003/);
    await harness.call("PATCH", `/alert_targets/${id}`, { secret_variable: "MOLVA_ALERT_BOT" });
    expect(
      await harness.sql`select from workspaces.secrets where workspace_id = ${harness.workspaceId}`,
    ).toHaveLength(0);
    expect((await test(id)).body).toMatchObject({
      delivered: false,
      error: expect.stringContaining("MOLVA_ALERT_BOT is not set"),
    });
  });

  it.each([
    ["a chat without a token", { kind: "telegram", config: { chat_id: 1 } }, "/secret"],
    [
      "a chat that is no chat",
      { kind: "telegram", config: { chat_id: "мой чат" }, secret: "t" },
      "/config/chat_id",
    ],
    ["an address that is none", { kind: "webhook", config: { url: "example.com" } }, "/config/url"],
    [
      "a password in the address",
      { kind: "webhook", config: { url: "https://a:b@example.com" } },
      "/config/url",
    ],
    [
      "a key among the headers",
      { kind: "webhook", config: { url: "https://example.com", headers: { Authorization: "x" } } },
      "/config/headers/Authorization",
    ],
    ["a letter to nobody", { kind: "email", config: { to: [] } }, "/config/to"],
    ["a secret for mail", { kind: "email", config: { to: "a@example.com" }, secret: "x" }, "/secret"],
    ["an unknown kind", { kind: "pigeon", config: {} }, "/kind"],
    [
      "an unknown setting",
      { kind: "email", config: { to: "a@example.com", cc: "b@example.com" } },
      "/config/cc",
    ],
    [
      "another variable than its own",
      { kind: "webhook", config: { url: "https://e.com" }, secret_variable: "DATABASE_URL" },
      "/secret_variable",
    ],
  ])("refuse %s and say where", async (_, body, pointer) => {
    const answer = await harness.call("POST", "/alert_targets", body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  it("refuse a change that would break them", async () => {
    const id = await added({ kind: "email", config: { to: "ops@example.com" } });
    expect(await harness.call("PATCH", `/alert_targets/${id}`, { config: { to: null } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/config/to" }] },
    });
    expect(await harness.call("PATCH", `/alert_targets/${id}`, { secret: "x" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/secret" }] },
    });
    expect((await harness.call("PATCH", `/alert_targets/${id}`, {})).status).toBe(400);
  });

  it("come in pages", async () => {
    const ids = [];
    for (const to of ["a@example.com", "b@example.com", "c@example.com"])
      ids.push(await added({ kind: "email", config: { to } }));
    const pages = await harness.pages("/alert_targets");
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
    const listed = pages.flat().map(({ target_id }) => target_id);
    expect(listed).toEqual(
      (await harness.call("GET", "/alert_targets?limit=200")).body.items.map(
        ({ target_id }: { target_id: string }) => target_id,
      ),
    );
    expect(listed.slice(-3)).toEqual(ids);
  });
});

describe("a test of a target", () => {
  it("arrives in a chat", async () => {
    const id = await added({ kind: "telegram", config: { chat_id: chat }, secret: token });
    expect((await test(id)).body).toEqual({ delivered: true, response_status: null, error: null });
    const answer = await fetch(`${twins.url}/_control/chats/telegram/${chat}/messages`);
    expect(await answer.text()).toContain("Оповещения сюда доходят.");
  });

  it("arrives at a webhook, signed or with its key, and is marked as a test", async () => {
    const signed = await added({
      kind: "webhook",
      config: { url: receiver.url },
      secret: "s3cret",
      language: "en",
    });
    expect((await test(signed)).body).toMatchObject({ delivered: true, response_status: 200 });
    expect(receiver.received.at(-1)).toMatchObject({
      body: { type: "alert.test", data: { text: expect.stringContaining("Alerts arrive here.") } },
      headers: { "webhook-signature": expect.stringMatching(/^v1,/) },
    });
    const config = { url: receiver.url, secret_as: "authorization" };
    await test(await added({ kind: "webhook", config, secret: "Bearer key" }));
    expect(receiver.received.at(-1)?.headers).toMatchObject({ authorization: "Bearer key" });
    expect(receiver.received.at(-1)?.headers).not.toHaveProperty("webhook-signature");
  });

  it("arrives by e-mail", async () => {
    const id = await added({ kind: "email", config: { to: "ops@example.com" } });
    expect((await test(id)).body).toMatchObject({ delivered: true });
    expect(mailBox.received.at(-1)?.to).toEqual(["ops@example.com"]);
  });

  it("says what went wrong, and leaves neither an alert nor a count", async () => {
    const id = await added({ kind: "webhook", config: { url: receiver.url } });
    receiver.answerWith(500);
    expect((await test(id)).body).toEqual({
      delivered: false,
      response_status: 500,
      error: "the webhook answered 500",
    });
    const inside = await added({ kind: "webhook", config: { url: "http://127.0.0.1:8080/" } });
    expect((await test(inside)).body).toMatchObject({
      delivered: false,
      error: expect.stringContaining("not a public address"),
    });
    expect((await harness.call("GET", `/alert_targets/${id}`)).body).toMatchObject({
      failed_count: 0,
      last_error: null,
    });
    expect((await harness.call("GET", "/alerts")).body.items).toEqual([]);
  });
});

describe("the monitor over HTTP", () => {
  // covers autoposting: Responsibilities
  it("tells when people are told, and takes other thresholds", async () => {
    expect((await harness.call("GET", "/monitor/settings")).body).toEqual({
      failed_permanent_threshold: 5,
      paused_channels_threshold: 10,
      alert_cooldown_seconds: 300,
    });
    await harness.call("PATCH", "/monitor/settings", {
      paused_channels_threshold: 0,
      alert_cooldown_seconds: 60,
    });
    const back = await harness.call("PATCH", "/monitor/settings", {
      alert_cooldown_seconds: null,
      reason: "как было",
    });
    expect(back.body).toEqual({
      failed_permanent_threshold: 5,
      paused_channels_threshold: 0,
      alert_cooldown_seconds: 300,
    });
    expect((await harness.events()).at(-1)?.meta).toMatchObject({
      object: "monitor_settings",
      reason: "как было",
      changes: { alert_cooldown_seconds: { from: 60, to: 300 } },
    });
    for (const wrong of [{}, { alert_cooldown_seconds: 0 }, { paused_channels_threshold: 1.5 }, { wings: 2 }])
      expect((await harness.call("PATCH", "/monitor/settings", wrong)).status).toBe(400);
  });

  it("makes a round, raises an alert, and shows whom it reached", async () => {
    const troubled = await aTroubledWorkspace(harness.sql);
    const headers = await harness.server.bearer(everyScope, troubled.id);
    const call = (method: string, path: string, body?: unknown) =>
      asked(harness.server, headers, method, path, body);
    await aChannel(harness.sql, troubled.id, {
      title: "Новости",
      paused_until: new Date(Date.now() + 60_000),
    });
    await call("PATCH", "/monitor/settings", { paused_channels_threshold: 0 });
    await call("POST", "/alert_targets", { kind: "webhook", config: { url: receiver.url } });
    const looked = await call("POST", "/monitor/run", { skip_notifications: true });
    expect(looked.body).toMatchObject({
      ok: true,
      snapshot: { paused_channels: 1 },
      alerts: { reasons: ["paused_channels_threshold"] },
      notification: { reason: "notifications_disabled" },
    });
    expect((await call("GET", "/alerts")).body.items).toEqual([]);
    expect((await call("POST", "/monitor/run", {})).body.notification).toMatchObject({ delivered: true });
    expect((await call("GET", "/alerts")).body.items).toMatchObject([
      { reasons: ["paused_channels_threshold"], letters: [{ kind: "webhook", status: "sent", attempts: 1 }] },
    ]);
  });

  it("shows health for a workspace, and for all together to those who may see all", async () => {
    const { body } = await harness.call("GET", "/health");
    expect(body).toMatchObject({ by_status: { queued: 0 }, paused_channels: 0, top_errors: [] });
    expect((await harness.call("GET", "/health?all=true")).status).toBe(403);
    const everywhere = await harness.server.bearer(everyScope);
    expect((await asked(harness.server, everywhere, "GET", "/health?all=true")).body).toMatchObject({
      paused_channels: 1,
    });
  });
});
