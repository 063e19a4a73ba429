import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { aChannel, enqueue } from "../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

describe("what happens at a channel", () => {
  it("is told to those who ask for it: what waits, the last post, who stopped it and why", async () => {
    const { sql, workspaceId } = harness;
    const channelId = await aChannel(sql, workspaceId);
    await enqueue(sql, workspaceId, "waits");
    await harness.call("POST", `/channels/${channelId}/pause`, { seconds: 3600, reason: "moving house" });

    const { body } = await harness.call("GET", `/channels/${channelId}?activity=true`);
    expect(body.activity).toMatchObject({
      waiting: 1,
      held: 0,
      block: "channel_paused",
      last_sent_at: null,
      stop: { by: "operator", reason: "moving house", help: "resume" },
    });
    expect((await harness.call("GET", "/channels?activity=true")).body.items[0].activity.waiting).toBe(1);
    expect((await harness.call("GET", `/channels/${channelId}`)).body).not.toHaveProperty("activity");
  });

  it("is nothing yet at a channel that works and has posted nothing", async () => {
    const channelId = await aChannel(harness.sql, harness.workspaceId);
    const { body } = await harness.call("GET", `/channels/${channelId}?activity=true`);
    expect(body.activity).toEqual({
      ...{ waiting: 0, held: 0, next_due_at: null, block: null, last_sent_at: null, stop: null },
    });
  });
});

describe("a channel that is added switched off", () => {
  it("takes no post until it is resumed", async () => {
    const { sql, workspaceId } = harness;
    const target = { platform: "telegram", target_id: "-100777", auth_ref: "news-bot" };
    const { status, body } = await harness.call("POST", "/channels", { ...target, enabled: false });
    expect([status, body.state]).toEqual([201, "disabled"]);
    await enqueue(sql, workspaceId, "not for it");
    const waiting = async () =>
      (await harness.call("GET", `/channels/${body.channel_id}?activity=true`)).body.activity.waiting;
    expect(await waiting()).toBe(0);
    await harness.call("POST", `/channels/${body.channel_id}/resume`, {});
    await enqueue(sql, workspaceId, "for it");
    expect(await waiting()).toBe(1);
  });
});
