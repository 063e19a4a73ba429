import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { until } from "../../../tests/support/until.ts";
import { projectRoot } from "../../kernel/paths/index.ts";
import { setWorkspaceStatus } from "../../workspaces/index.ts";
import { aChannel, enqueue } from "../testing/builders.ts";
import { addWebhook, changeWebhook, removeWebhook, rotateWebhook } from "./change-webhooks.ts";
import { messagePage, readMessage, readWebhook } from "./read-webhooks.ts";
import { replayMessages, testWebhook } from "./replay.ts";
import { by, startWebhookHarness, type WebhookHarness } from "./testing/webhook-harness.ts";
import { webhookEvent, webhookTypeNames } from "./webhook-event.ts";
import { webhookLimits } from "./webhook-limits.ts";

let harness: WebhookHarness;

beforeAll(async () => {
  harness = await startWebhookHarness(await testDatabase());
});
afterAll(() => harness?.stop());
afterEach(async () => {
  for (const { received, answerWith, release } of [harness.receiver, harness.other]) {
    release();
    answerWith({ status: 204 });
    received.length = 0;
  }
  harness.clock.set(new Date());
  await harness.sql`delete from delivery.webhooks`;
});

const refusal = {
  kind: "failed",
  error: { category: "PERMANENT", scope: "channel", code: "kicked", message: "bot was kicked" },
};
const ids = (received: readonly { headers: Record<string, string> }[]) =>
  received.map(({ headers }) => headers["webhook-id"]);

describe("a webhook", () => {
  it("is told of a delivery once, in a form that the convention's own package verifies", async () => {
    const { receiver, deliver, add, send, workspace } = harness;
    const { workspaceId, channelId } = await workspace();
    const { secret } = await add(workspaceId, { types: ["delivery.sent"] });
    const [deliveryId] = await deliver(workspaceId);
    await send();
    await send();
    expect(receiver.received).toHaveLength(1);
    const [message] = receiver.received;
    const event = webhookEvent.parse(message?.verified(secret));
    expect(event).toMatchObject({
      type: "delivery.sent",
      data: {
        workspace_id: workspaceId,
        delivery: { delivery_id: deliveryId, status: "sent", attempt: 1, provider_message_id: "7" },
        channel: { channel_id: channelId, platform: "telegram" },
        error: null,
      },
    });
    expect(message?.headers).toMatchObject({
      "webhook-id": event.data.event_id,
      "content-type": "application/json",
    });
    expect(() => message?.verified("whsec_b3RoZXIgc2VjcmV0IG9mIHNvbWVib2R5IGVsc2U=")).toThrow("No matching");
  });

  it("gets the events of its types and channels only", async () => {
    const { sql, clock, deliver, add, send, workspace, receiver, other } = harness;
    const { workspaceId, channelId } = await workspace();
    const elsewhere = await aChannel(sql, workspaceId);
    await add(workspaceId, { channel_ids: [channelId] });
    await add(workspaceId, { types: ["channel.paused"], url: other.url });
    await deliver(workspaceId, refusal, 2);
    await sql`select delivery.pause_channel(${workspaceId}, ${elsewhere}, ${new Date("2030-01-01")}, 'анна', 'отпуск', ${clock.now()})`;
    await send();
    const told = (received: typeof receiver.received) =>
      received.map(({ text }) => webhookEvent.parse(JSON.parse(text)));
    const first = told(receiver.received);
    expect(new Set(first.map(({ data }) => data.channel?.channel_id))).toEqual(new Set([channelId]));
    expect(new Set(first.map(({ type }) => type))).toEqual(new Set(["delivery.failed", "channel.paused"]));
    expect(first.find(({ type }) => type === "delivery.failed")?.data.error).toMatchObject({
      code: "kicked",
    });
    const second = told(other.received);
    expect(new Set(second.map(({ data }) => data.channel?.channel_id))).toEqual(
      new Set([channelId, elsewhere]),
    );
  });

  it("is told nothing of what was rolled back, and nothing twice", async () => {
    const { sql, add, deliver, messages, workspace } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await sql
      .begin(async (tx) => {
        await tx`
          insert into workspaces.events (workspace_id, action, result) values (${workspaceId}, 'sent', 'ok')`;
        throw new Error("undone");
      })
      .catch(() => {});
    expect(await messages(webhook_id)).toHaveLength(0);
    await deliver(workspaceId, undefined, 30);
    expect(await messages(webhook_id)).toHaveLength(30);
  });

  it("needs https in production", async () => {
    const { deps, workspace, receiver } = harness;
    const { workspaceId } = await workspace();
    const strict = { ...deps, httpsOnly: true };
    await expect(addWebhook(strict, workspaceId, { url: receiver.url }, by)).rejects.toThrow("https");
    const { webhook_id } = await addWebhook(strict, workspaceId, { url: "https://example.com/" }, by);
    await expect(changeWebhook(strict, workspaceId, webhook_id, { url: receiver.url }, by)).rejects.toThrow(
      "https",
    );
  });

  it.each(["webhooks.md", "webhooks.ru.md"])("sends what %s shows", (page) => {
    const text = readFileSync(join(projectRoot, "docs/guide", page), "utf8");
    const example = text.split("```json\n")[1]?.split("```")[0] ?? "";
    expect(webhookEvent.safeParse(JSON.parse(example)).error).toBeUndefined();
    for (const type of webhookTypeNames) expect(text).toContain(`\`${type}\``);
  });

  it("names every type that SQL knows, and no other", async () => {
    const rows = await harness.sql`select distinct type from delivery.webhook_types()`;
    expect(rows.map(({ type }) => type).toSorted()).toEqual(webhookTypeNames.toSorted());
  });

  it("is not told what happens while it is disabled; what waited can be replayed", async () => {
    const { deps, add, deliver, send, messages, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId);
    await changeWebhook(deps, workspaceId, webhook_id, { enabled: false }, by);
    await deliver(workspaceId);
    await send();
    expect(receiver.received).toHaveLength(0);
    expect((await messages(webhook_id)).map(({ status }) => status)).toEqual(["failed"]);
    const since = { failedSince: new Date(clock.now().getTime() - 60_000) };
    await expect(replayMessages(deps, workspaceId, webhook_id, since, by)).rejects.toThrow("disabled");
    await changeWebhook(deps, workspaceId, webhook_id, { enabled: true }, by);
    expect(await replayMessages(deps, workspaceId, webhook_id, since, by)).toBe(1);
    await send();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("of a workspace that is paused", () => {
  it("nothing is sent, whatever waits, until it is resumed", async () => {
    const { sql, clock, deliver, add, send, messages, receiver, workspace } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId);
    await setWorkspaceStatus({ sql, clock }, workspaceId, "paused", by);
    clock.advance(60_000);
    await send();
    expect(receiver.received).toHaveLength(0);
    expect(await messages(webhook_id)).toMatchObject([{ status: "waiting", attempts: 0 }]);
    await setWorkspaceStatus({ sql, clock }, workspaceId, "active", by);
    await send();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a message", () => {
  it("is tried again after each wait of the schedule, under one id, and then failed", async () => {
    const { add, deliver, send, attempts, messages, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id, secret } = await add(workspaceId, { types: ["delivery.sent"] });
    receiver.answerWith({ status: 500, body: "token=abcdefgh12345 oops" });
    await deliver(workspaceId);
    await send();
    for (const [index, waitMs] of webhookLimits.retryAfterMs.entries()) {
      clock.advance(waitMs - 1);
      await send();
      expect(receiver.received).toHaveLength(index + 1);
      clock.advance(1);
      await send();
      expect(receiver.received).toHaveLength(index + 2);
    }
    expect(new Set(ids(receiver.received)).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(receiver.received[0]?.verified(secret)).toBeDefined();
    expect(await messages(webhook_id)).toMatchObject([{ status: "failed", attempts: 8 }]);
    const log = await attempts(webhook_id);
    expect(log.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(log[0]).toMatchObject({ response_status: 500, error: "the receiver answered 500" });
    expect(log[0]?.response_body).not.toContain("abcdefgh12345");
    expect(log[0]?.response_body).toContain("oops");
  });

  it.each([
    [429, { "retry-after": "1200" }, 1_200_000],
    [503, { "retry-after": "1" }, 5_000],
    [429, { "retry-after": "999999999" }, webhookLimits.longestAskedMs],
    [302, { location: "https://example.com/" }, 5_000],
  ])("answered with %i and %j waits %i ms", async (status, headers, expected) => {
    const { add, deliver, send, messages, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    receiver.answerWith({ status, headers });
    await deliver(workspaceId);
    await send();
    const [message] = await messages(webhook_id);
    expect(message?.due_at.getTime() - clock.now().getTime()).toBe(expected);
  });

  it("that was sent and not recorded, because its process died, is sent again under the same id", async () => {
    const { sql, aSender, add, deliver, send, attempts, messages, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId);
    // The process that dies: it has taken the message, and its request may have arrived.
    const dead = "00000000-0000-4000-8000-00000000dead";
    await sql`select delivery.claim_webhook_messages(10, 4, interval '60 seconds', ${dead}, ${clock.now()})`;
    await send(aSender());
    expect(receiver.received).toHaveLength(0);
    clock.advance(webhookLimits.leaseMs);
    await send(aSender());
    expect(ids(receiver.received)).toEqual([(await messages(webhook_id))[0]?.event_id]);
    expect(await attempts(webhook_id)).toMatchObject([
      { number: 1, response_status: null, error: expect.stringContaining("interrupted") },
      { number: 2, response_status: 204, error: null },
    ]);
    expect(await messages(webhook_id)).toMatchObject([{ status: "sent", attempts: 2, taken_by: null }]);
  });

  it("is taken by one of two processes", async () => {
    const { aSender, add, deliver, receiver, send, workspace } = harness;
    const { workspaceId } = await workspace();
    await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId, undefined, 40);
    await Promise.all([send(aSender()), send(aSender())]);
    expect(receiver.received).toHaveLength(40);
    expect(new Set(ids(receiver.received)).size).toBe(40);
  });

  it("of a slow receiver takes few places, in all processes together, and delays nobody else's", async () => {
    const { aSender, add, deliver, receiver, other, workspace } = harness;
    const slow = await workspace();
    const quick = await workspace();
    await add(slow.workspaceId, { types: ["delivery.sent"] });
    await add(quick.workspaceId, { types: ["delivery.sent"], url: other.url });
    receiver.answerWith("hang");
    await deliver(slow.workspaceId, undefined, 50);
    await deliver(quick.workspaceId, undefined, 3);
    const senders = [aSender(), aSender()];
    for (const sender of senders) await sender.round();
    await until("the quick one has all", () => other.received.length === 3);
    await until("the slow one has its share", () => receiver.hanging === webhookLimits.perWebhook);
    for (const sender of senders) await sender.round();
    expect(receiver.received).toHaveLength(webhookLimits.perWebhook);
    receiver.answerWith({ status: 204 });
    receiver.release();
    for (const sender of senders) await sender.drained();
  });

  it("of receivers that fail wait for those that answer, and go one at a time", async () => {
    const { aSender, add, deliver, other, receiver, sql, workspace } = harness;
    const dead = await workspace();
    const sound = await workspace();
    for (let place = 0; place < webhookLimits.atOnce; place++)
      await add(dead.workspaceId, { types: ["delivery.sent"], url: `${receiver.url}?${place}` });
    await sql`update delivery.webhooks set failing_since = now() where workspace_id = ${dead.workspaceId}`;
    await add(sound.workspaceId, { types: ["delivery.sent"], url: other.url });
    receiver.answerWith("hang");
    await deliver(dead.workspaceId, undefined, 2);
    await deliver(sound.workspaceId, undefined, 3);
    const sender = aSender();
    await sender.round();
    await until("the sound one has all", () => other.received.length === 3);
    await until("the dead ones have the other places", () => receiver.hanging === webhookLimits.atOnce - 3);
    const several = sql`
      select from delivery.webhook_messages where workspace_id = ${dead.workspaceId} and taken_by is not null
      group by webhook_id having count(*) > 1`;
    expect(await several).toHaveLength(0);
    receiver.answerWith({ status: 204 });
    receiver.release();
    await sender.drained();
  });

  it("is sent as soon as it is written, by a sender that runs", async () => {
    const { aSender, add, deliver, receiver, workspace } = harness;
    const { workspaceId } = await workspace();
    await add(workspaceId, { types: ["delivery.sent"] });
    const sender = aSender();
    await sender.start();
    try {
      await deliver(workspaceId);
      await until("it arrives", () => receiver.received.length === 1);
    } finally {
      await sender.stop();
    }
  });
});

describe("a receiver that is gone", () => {
  it("says 410 and is told nothing more; others learn of it, and an alert is raised", async () => {
    const { sql, deps, add, deliver, send, receiver, other, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await add(workspaceId, { types: ["webhook.disabled"], url: other.url });
    receiver.answerWith({ status: 410 });
    await deliver(workspaceId, undefined, 1);
    await send();
    await deliver(workspaceId, undefined, 1);
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await readWebhook(sql, workspaceId, webhook_id)).toMatchObject({
      enabled: false,
      disabled_reason: "gone",
      waiting: 0,
      failed: 1,
    });
    expect(other.received.map(({ text }) => webhookEvent.parse(JSON.parse(text)).data)).toMatchObject([
      { webhook_id, error: { code: "webhook_gone" } },
    ]);
    const findings =
      await sql`select reason from delivery.monitor_findings(${workspaceId}, '{}', ${clock.now()})`;
    expect(findings.map(({ reason }) => reason)).toContain("webhook_disabled");
    const again = await changeWebhook(deps, workspaceId, webhook_id, { enabled: true }, by);
    expect(again).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  it("is given up after five days without a success, and not sooner", async () => {
    const { sql, add, deliver, send, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    receiver.answerWith({ status: 500 });
    await deliver(workspaceId);
    await send();
    clock.advance(webhookLimits.givenUpAfterMs - 1_000);
    await deliver(workspaceId);
    await send();
    expect((await readWebhook(sql, workspaceId, webhook_id)).enabled).toBe(true);
    clock.advance(1_000);
    await deliver(workspaceId);
    await send();
    expect(await readWebhook(sql, workspaceId, webhook_id)).toMatchObject({
      enabled: false,
      disabled_reason: "failing",
    });
  });

  it("that answers once in five days is kept", async () => {
    const { sql, add, deliver, send, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    for (const status of [500, 204, 500]) {
      receiver.answerWith({ status });
      await deliver(workspaceId);
      await send();
      clock.advance(webhookLimits.givenUpAfterMs / 1.5);
    }
    expect((await readWebhook(sql, workspaceId, webhook_id)).enabled).toBe(true);
  });
});

describe("the secret of a webhook", () => {
  it("is replaced with an overlap in which both sign", async () => {
    const { sql, deps, add, deliver, send, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id, secret: old } = await add(workspaceId, { types: ["delivery.sent"] });
    const { secret } = await rotateWebhook(deps, workspaceId, webhook_id, { overlap_seconds: 60 }, by);
    await deliver(workspaceId);
    await send();
    expect(receiver.received[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const each of [old, secret]) expect(receiver.received[0]?.verified(each)).toBeDefined();
    clock.advance(60_000);
    await deliver(workspaceId);
    await send();
    expect(receiver.received[1]?.verified(secret)).toBeDefined();
    expect(() => receiver.received[1]?.verified(old)).toThrow("No matching");
    await sql`select delivery.end_overlaps(null, ${clock.now()})`;
    const [kept] = await sql`
      select count(*)::int as count from workspaces.secrets where workspace_id = ${workspaceId}`;
    expect(kept?.count).toBe(1);
    expect((await readWebhook(sql, workspaceId, webhook_id)).previous_ends_at).toBeNull();
  });

  it("ends at once when there is no overlap, and with the webhook", async () => {
    const { sql, deps, add, deliver, send, receiver, workspace } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id, secret: old } = await add(workspaceId, { types: ["delivery.sent"] });
    await rotateWebhook(deps, workspaceId, webhook_id, { overlap_seconds: 0 }, by);
    await deliver(workspaceId);
    await send();
    expect(() => receiver.received[0]?.verified(old)).toThrow("No matching");
    await removeWebhook(deps, workspaceId, webhook_id, by);
    const kept = await sql`select from workspaces.secrets where workspace_id = ${workspaceId}`;
    expect(kept).toHaveLength(0);
    await deliver(workspaceId);
  });
});

describe("the log", () => {
  it("lists messages by status and type, and shows one with every attempt", async () => {
    const { sql, add, deliver, send, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent", "delivery.failed"] });
    await deliver(workspaceId, undefined, 2);
    await send();
    receiver.answerWith({ status: 500, body: "нет места" });
    clock.advance(10);
    await deliver(workspaceId, refusal);
    await send();
    const page = (given = {}) => messagePage(sql, workspaceId, webhook_id, given);
    expect((await page()).items.map(({ type, status }) => [type, status])).toEqual([
      ["delivery.failed", "waiting"],
      ["delivery.sent", "sent"],
      ["delivery.sent", "sent"],
    ]);
    expect((await page({ status: "sent" })).items).toHaveLength(2);
    expect((await page({ type: "delivery.failed" })).items).toMatchObject([
      { attempts: 1, response_status: 500, error: "the receiver answered 500" },
    ]);
    const [waiting] = (await page({ status: "waiting" })).items;
    const whole = await readMessage(sql, workspaceId, webhook_id, waiting?.event_id ?? "");
    expect(whole).toMatchObject({
      payload: { type: "delivery.failed" },
      log: [{ number: 1, response_status: 500, response_body: "нет места" }],
    });
    const { items, next } = await page({ limit: 2 });
    expect([items.length, (await page({ limit: 2, after: next })).items.length]).toEqual([2, 1]);
  });

  it("replays one message under its id, and its schedule begins anew", async () => {
    const { deps, add, deliver, send, messages, receiver, workspace } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId, undefined, 2);
    await send();
    const [first] = await messages(webhook_id);
    expect(await replayMessages(deps, workspaceId, webhook_id, { eventId: first?.event_id }, by)).toBe(1);
    await send();
    expect(ids(receiver.received).filter((id) => id === first?.event_id)).toHaveLength(2);
    expect((await messages(webhook_id))[0]).toMatchObject({ status: "sent", attempts: 2, tries: 1 });
  });

  it("keeps what a test was answered", async () => {
    const { sql, deps, add, receiver, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id, secret } = await add(workspaceId, { enabled: false });
    expect(await testWebhook(deps, workspaceId, webhook_id)).toMatchObject({
      delivered: true,
      response_status: 204,
    });
    expect(webhookEvent.parse(receiver.received[0]?.verified(secret)).type).toBe("webhook.test");
    receiver.answerWith({ status: 500 });
    clock.advance(1);
    expect(await testWebhook(deps, workspaceId, webhook_id)).toMatchObject({
      delivered: false,
      error: "the receiver answered 500",
    });
    const { items } = await messagePage(sql, workspaceId, webhook_id);
    expect(items.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["failed", 1],
      ["sent", 1],
    ]);
  });

  it("is emptied by retention, as old events are", async () => {
    const { sql, add, deliver, send, messages, workspace, clock } = harness;
    const { workspaceId } = await workspace();
    const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"] });
    await deliver(workspaceId);
    await send();
    clock.advance(31 * 86_400_000);
    await deliver(workspaceId);
    await send();
    await sql`select * from delivery.retention_webhook_messages(${workspaceId}, null, 100, ${clock.now()})`;
    expect(await messages(webhook_id)).toHaveLength(1);
  });
});

it("an address inside the house is refused, and the log says so", async () => {
  const { add, deliver, send, attempts, workspace } = harness;
  const { workspaceId } = await workspace();
  const { webhook_id } = await add(workspaceId, { types: ["delivery.sent"], url: "http://127.0.0.1:5432/" });
  await deliver(workspaceId);
  await send();
  expect(await attempts(webhook_id)).toMatchObject([
    { response_status: null, error: expect.stringContaining("refused: 127.0.0.1 is not a public address") },
  ]);
});

it("a post that does not fit its channel is told as failed with its enqueueing", async () => {
  const { sql, add, send, receiver, workspace, clock } = harness;
  const { workspaceId } = await workspace();
  await add(workspaceId, { types: ["delivery.failed"] });
  await enqueue(sql, workspaceId, "а".repeat(10_000), { now: clock.now() });
  await send();
  expect(receiver.received.map(({ text }) => webhookEvent.parse(JSON.parse(text)).type)).toEqual([
    "delivery.failed",
  ]);
});
