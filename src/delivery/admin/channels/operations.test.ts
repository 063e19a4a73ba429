import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { until } from "../../../../tests/support/until.ts";
import { aChannel, aWorkspace, enqueue } from "../../testing/builders.ts";
import { type AdminHarness, type Answer, asked, everyScope, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;
let workspaceId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  workspaceId = await aWorkspace(harness.sql);
  headers = await harness.server.bearer(everyScope, workspaceId);
});

const post = (path: string, body: unknown): Promise<Answer> =>
  asked(harness.server, headers, "POST", path, body);

async function row(channelId: string) {
  const [channel] = await harness.sql`
    select * from delivery.channels where workspace_id = ${workspaceId} and channel_id = ${channelId}`;
  return channel;
}

async function eventsByChannel() {
  const key = ({ channel_id }: { channel_id: string | null }) => channel_id ?? "";
  return (await harness.events(workspaceId)).toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

describe("pausing a channel (runbook 5)", () => {
  // covers autoposting: 5) Pause one channel
  it("keeps it paused for the seconds given, with an event of attempt 0", async () => {
    const id = await aChannel(harness.sql, workspaceId);
    const before = Date.now();
    const { status, body } = await post(`/channels/${id}/pause`, { seconds: 600, reason: "чат на ремонте" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: false, channels: [{ channel_id: id, state: "paused" }] });
    expect((await row(id))?.paused_until.getTime()).toBeGreaterThanOrEqual(before + 600_000);
    expect(await harness.events(workspaceId)).toEqual([
      expect.objectContaining({
        action: "channel_paused",
        attempt: 0,
        result: "ok",
        channel_id: id,
        delivery_id: null,
        meta: expect.objectContaining({
          manual: true,
          reason: "чат на ремонте",
          operator: expect.any(String),
        }),
      }),
    ]);
  });

  it("takes an exact time instead, but not one that has passed, nor both, nor no reason", async () => {
    const id = await aChannel(harness.sql, workspaceId);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect((await post(`/channels/${id}/pause`, { until, reason: "до вечера" })).status).toBe(200);
    const past = await post(`/channels/${id}/pause`, { until: "2020-01-01T00:00:00Z", reason: "поздно" });
    expect(past).toMatchObject({ status: 422, body: { errors: [{ pointer: "/until" }] } });
    expect((await post(`/channels/${id}/pause`, { until, seconds: 5, reason: "оба" })).status).toBe(400);
    expect((await post(`/channels/${id}/pause`, { seconds: 5 })).status).toBe(400);
  });
});

describe("resuming, enabling and disabling a channel (runbook 6)", () => {
  // covers autoposting: 6) Enable/resume one channel
  it.each(["resume", "enable"])("%s switches on, ends the pause and forgets the streak", async (verb) => {
    const paused_until = new Date(Date.now() + 3_600_000);
    const id = await aChannel(harness.sql, workspaceId, { enabled: false, paused_until });
    await harness.sql`update delivery.channels set error_streak = 3 where channel_id = ${id}`;
    const { body } = await post(`/channels/${id}/${verb}`, {});
    expect(body.channels[0].changes).toEqual({
      state: { from: "disabled", to: "active" },
      enabled: { from: false, to: true },
      paused_until: { from: paused_until.toISOString(), to: null },
      error_streak: { from: 3, to: 0 },
    });
    expect(await harness.events(workspaceId)).toMatchObject([
      { action: "channel_enabled", attempt: 0, meta: { manual: true } },
    ]);
  });

  // covers autoposting: 6) Enable/resume one channel
  it("wakes the dispatcher, so that what waits goes on at once", async () => {
    const id = await aChannel(harness.sql, workspaceId, { enabled: false });
    const woken: string[] = [];
    const listening = await harness.sql.listen("molva_deliveries", (payload) => void woken.push(payload));
    await post(`/channels/${id}/resume`, {});
    await until("the dispatcher is told", () => woken.includes(workspaceId));
    await listening.unlisten();
  });

  it("disabling asks for a reason and keeps the pause and the streak as they are", async () => {
    const id = await aChannel(harness.sql, workspaceId);
    expect((await post(`/channels/${id}/disable`, {})).status).toBe(400);
    const { body } = await post(`/channels/${id}/disable`, { reason: "владелец попросил" });
    expect(body.channels[0].changes).toEqual({
      state: { from: "active", to: "disabled" },
      enabled: { from: true, to: false },
    });
    expect(await harness.events(workspaceId)).toMatchObject([{ action: "channel_disabled" }]);
  });
});

describe("a whole rate group (runbook 7 and 8)", () => {
  // covers autoposting: 7) Disable channel group; 8) Enable channel group
  it("is switched off and on together, with an event for each channel, and leaves the others alone", async () => {
    const group = [
      await aChannel(harness.sql, workspaceId, { rate_group: "shared" }),
      await aChannel(harness.sql, workspaceId, { rate_group: "shared", platform: "max" }),
    ].toSorted();
    const other = await aChannel(harness.sql, workspaceId, { rate_group: "own" });

    const off = await post("/rate_groups/shared/disable", { reason: "бот заблокирован" });
    expect(off.body.channels.map(({ channel_id }: { channel_id: string }) => channel_id)).toEqual(group);
    expect(await eventsByChannel()).toMatchObject(
      group.map((channel_id) => ({
        action: "channel_disabled",
        channel_id,
        meta: { rate_group: "shared", manual: true },
      })),
    );
    expect((await row(other))?.enabled).toBe(true);

    const on = await post("/rate_groups/shared/enable", { reason: "бот вернулся" });
    expect(on.body.channels).toHaveLength(2);
    expect((await eventsByChannel()).filter(({ action }) => action === "channel_enabled")).toMatchObject(
      group.map((channel_id) => ({ channel_id, meta: { rate_group: "shared" } })),
    );
  });

  it("is not found when no channel of this workspace belongs to it", async () => {
    await aChannel(harness.sql, await aWorkspace(harness.sql), { rate_group: "theirs" });
    expect((await post("/rate_groups/theirs/disable", { reason: "чужая группа" })).status).toBe(404);
  });
});

describe("rotating a channel's credential (runbook 9)", () => {
  async function bound(name: string): Promise<void> {
    await harness.sql`
      insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${workspaceId}, ${name}, 'telegram', 'env:BOT')`;
  }

  async function beingSent(): Promise<{ finish: () => Promise<void> }> {
    await enqueue(harness.sql, workspaceId, `Пост ${Math.random()}`);
    await harness.sql`select delivery.claim_deliveries(${workspaceId}, 'run', 10)`;
    const [started] = await harness.sql`select * from delivery.start_sending(${workspaceId}, 'run', 10)`;
    return {
      finish: async () =>
        void (await harness.sql`
          select delivery.mark_sent(${workspaceId}, ${started?.delivery_id}, 'm1', ${new Date()}, '{}')`),
    };
  }

  // covers autoposting: Table: channels; 9) Rotate auth_ref safely
  it("switches channel_auth and the channel together, with an event that names both", async () => {
    const id = await aChannel(harness.sql, workspaceId, { auth_ref: "old", rate_group: "old" });
    await bound("new");
    const { status, body } = await post(`/channels/${id}/rotate`, {
      auth_ref: "new",
      rate_group: "new",
      reason: "токен утёк",
    });
    expect(status).toBe(200);
    expect(body.channels[0].changes).toMatchObject({
      auth_ref: { from: "old", to: "new" },
      rate_group: { from: "old", to: "new" },
      has_credential: { from: false, to: true },
    });
    const [auth] = await harness.sql`select auth_ref from delivery.channel_auth where channel_id = ${id}`;
    expect(auth?.auth_ref).toBe("new");
    expect(await harness.events(workspaceId)).toMatchObject([
      {
        action: "auth_rotated",
        attempt: 0,
        meta: { old_auth_ref: "old", new_auth_ref: "new", reason: "токен утёк" },
      },
    ]);
  });

  it("refuses a credential that has no token", async () => {
    const id = await aChannel(harness.sql, workspaceId);
    const answer = await post(`/channels/${id}/rotate`, { auth_ref: "nobody", reason: "проба" });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: "/auth_ref" }] } });
  });

  // covers autoposting: 9) Rotate auth_ref safely
  it("refuses while something is being sent, and changes nothing", async () => {
    const id = await aChannel(harness.sql, workspaceId, { auth_ref: "old" });
    await bound("new");
    await beingSent();
    const answer = await post(`/channels/${id}/rotate`, { auth_ref: "new", reason: "токен утёк" });
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining("being sent") } });
    expect(await row(id)).toMatchObject({ auth_ref: "old", paused_until: null });
  });

  // covers autoposting: 9) Rotate auth_ref safely
  it("waits, when asked to, with the channel paused, and then lets it go on", async () => {
    const id = await aChannel(harness.sql, workspaceId, { auth_ref: "old" });
    await bound("new");
    const { finish } = await beingSent();
    const rotating = post(`/channels/${id}/rotate`, {
      auth_ref: "new",
      wait_seconds: 30,
      reason: "токен утёк",
    });
    await until("the channel is paused for the wait", async () => (await row(id))?.paused_until ?? undefined);
    await finish();
    expect((await rotating).status).toBe(200);
    expect(await row(id)).toMatchObject({ auth_ref: "new", paused_until: null });
    const actions = (await harness.events(workspaceId)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(["channel_paused", "sent", "auth_rotated"]));
  });

  it("gives up when the wait is over, and the pause ends with it", async () => {
    const id = await aChannel(harness.sql, workspaceId, { auth_ref: "old" });
    await bound("new");
    await beingSent();
    const answer = await post(`/channels/${id}/rotate`, {
      auth_ref: "new",
      wait_seconds: 1,
      reason: "токен утёк",
    });
    expect(answer.status).toBe(409);
    expect(await row(id)).toMatchObject({ auth_ref: "old" });
    expect((await row(id))?.paused_until.getTime()).toBeLessThanOrEqual(Date.now());
  });
});

describe("a rehearsal", () => {
  // covers autoposting: Ops runbook
  it.each([
    ["/channels/:id/pause", { seconds: 60 }],
    ["/channels/:id/resume", {}],
    ["/channels/:id/disable", {}],
    ["/channels/:id/rotate", { auth_ref: "next" }],
    ["/rate_groups/bot/disable", {}],
    ["/rate_groups/bot/enable", {}],
  ])("of %s says what would change and changes nothing", async (path, given) => {
    const id = await aChannel(harness.sql, workspaceId, {
      enabled: path.includes("disable") || path.includes("pause"),
    });
    await harness.sql`
      insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
      values (${workspaceId}, 'next', 'telegram', 'env:BOT')`;
    const before = await row(id);
    const { status, body } = await post(path.replace(":id", id), {
      ...given,
      reason: "примерка",
      dry_run: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: true, channels: [{ channel_id: id }] });
    expect(Object.keys(body.channels[0].changes)).not.toEqual([]);
    expect(await row(id)).toEqual(before);
    expect(await harness.events(workspaceId)).toEqual([]);
  });
});
