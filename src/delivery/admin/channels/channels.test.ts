import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "../../testing/builders.ts";
import { type AdminHarness, asked, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;
let nextTarget = 5_000;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

const aBody = (given: Record<string, unknown> = {}) => ({
  platform: "telegram",
  target_id: `-200${nextTarget++}`,
  auth_ref: "news-bot",
  ...given,
});

async function added(given: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await harness.call("POST", "/channels", aBody(given));
  expect(status).toBe(201);
  return body.channel_id;
}

describe("adding a channel", () => {
  // covers autoposting: Table: channels
  it("gives what was not said the document's defaults", async () => {
    const { status, body } = await harness.call("POST", "/channels", aBody({ title: " Новости " }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: "Новости",
      state: "active",
      rate_group: "news-bot",
      rate_rps: 1,
      max_parallel: 1,
      dedup_ttl_hours: 168,
      send_mode: "mixed",
      window_mode: "immediate",
      has_credential: false,
      route_filter: null,
    });
    expect((await harness.call("GET", `/channels/${body.channel_id}`)).body).toEqual(body);
  });

  // covers autoposting: Routing rules / segmentation; Point 11
  it("keeps tags and filters in small letters, each once", async () => {
    const route_filter = { include_any: ["Крипто", "крипто", "RU"], exclude: ["NSFW"] };
    const { body } = await harness.call("POST", "/channels", aBody({ tags: ["Ru", "ru"], route_filter }));
    expect(body.tags).toEqual(["ru"]);
    expect(body.route_filter).toEqual({ include_any: ["крипто", "ru"], exclude: ["nsfw"] });
  });

  it("brings a rate group the pace that its platform allows an account, and leaves an operator's alone", async () => {
    const limits = async () => {
      const { body } = await harness.call("GET", "/limits?limit=200");
      return Object.fromEntries(
        body.items.map(({ rate_group, rate_rps }: { rate_group: string; rate_rps: number }) => [
          rate_group,
          rate_rps,
        ]),
      );
    };
    await harness.call("PUT", "/limits/vk/chosen", { rate_rps: null });
    for (const [number, group] of ["own", "own", "chosen"].entries())
      await harness.call("POST", "/channels", {
        ...{ platform: "vk", target_id: `-${7_000 + number}`, auth_ref: "key", rate_group: group },
      });
    expect(await limits()).toMatchObject({ own: 3, chosen: null });
    const told = (await harness.events()).filter(({ meta }) => meta.rate_group === "own" && meta.created);
    expect(told.map(({ action }) => action).toSorted()).toEqual([
      "channel_changed",
      "channel_changed",
      "config_changed",
    ]);
  });

  it("leaves an event with the operator, the reason and what the channel is", async () => {
    const id = await added({ title: "С причиной", reason: "новый раздел" });
    const event = (await harness.events()).find(({ channel_id }) => channel_id === id);
    expect(event).toMatchObject({
      action: "channel_changed",
      attempt: 0,
      result: "ok",
      meta: {
        created: true,
        title: "С причиной",
        reason: "новый раздел",
        operator: expect.stringMatching(/^token:[0-9a-f-]{36}$/),
      },
    });
  });

  // covers autoposting: Table: channels
  it("refuses the same target twice, in words", async () => {
    const body = aBody();
    await harness.call("POST", "/channels", body);
    expect(await harness.call("POST", "/channels", body)).toMatchObject({
      status: 409,
      body: {
        code: "conflict",
        errors: [{ pointer: "/target_id" }],
        detail: expect.stringContaining("already has a channel"),
      },
    });
    const elsewhere = await aWorkspace(harness.sql);
    await aChannel(harness.sql, elsewhere, { target_id: "-2001" });
    expect((await harness.call("POST", "/channels", aBody({ target_id: "-2001" }))).status).toBe(201);
  });

  it.each([
    ["an unknown field", { wings: 2 }, 400, "/wings"],
    ["a text for a number", { rate_rps: "2" }, 400, "/rate_rps"],
    ["an unknown platform", { platform: "pigeon" }, 400, "/platform"],
    ["a filter of another shape", { route_filter: { include: ["a"] } }, 400, "/route_filter/include"],
    ["a secret among the settings", { settings: { bot_token: "1:a" } }, 400, "/settings/bot_token"],
    ["a setting of an unknown value", { settings: { too_long: "cut" } }, 400, "/settings/too_long"],
    [
      "a preview of an unknown size",
      { settings: { link_preview: { size: "xl" } } },
      400,
      "/settings/link_preview/size",
    ],
    ["a zone that is none", { timezone: "Moscow" }, 422, "/timezone"],
    ["a windowed channel without a window", { window_mode: "windowed" }, 422, "/posting_window"],
    ["a window that never opens", { posting_window: { mon: [], holidays: {} } }, 422, "/posting_window"],
    [
      "a tag that is only a sign",
      { route_filter: { include_any: ["#"] } },
      400,
      "/route_filter/include_any/0",
    ],
    ["a window nobody can keep", { posting_window: { mon: [["9", "18:00"]] } }, 422, "/posting_window"],
    ["repeats remembered longer than deliveries", { dedup_ttl_hours: 2161 }, 422, "/dedup_ttl_hours"],
    ["a template that is not there", { template_ref: "none" }, 422, "/template_ref"],
  ])("refuses %s and says where", async (_, given, status, pointer) => {
    const answer = await harness.call("POST", "/channels", aBody(given));
    expect(answer).toMatchObject({ status, body: { errors: [{ pointer }] } });
    expect(answer.body.detail).not.toMatch(/constraint|relation/);
  });
});

describe("changing a channel", () => {
  it("changes what was given and nothing else, and says from what to what", async () => {
    const id = await added({ title: "Было", rate_rps: 1, tags: ["а"] });
    const { status, body } = await harness.call("PATCH", `/channels/${id}`, {
      title: "Стало",
      rate_rps: null,
      posting_window: { mon: [["09:00", "18:00"]] },
      window_mode: "windowed",
      settings: { silent: true },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ title: "Стало", rate_rps: null, window_mode: "windowed", tags: ["а"] });
    const event = (await harness.events()).findLast(({ channel_id }) => channel_id === id);
    expect(event?.meta.changes).toEqual({
      title: { from: "Было", to: "Стало" },
      rate_rps: { from: 1, to: null },
      window_mode: { from: "immediate", to: "windowed" },
      posting_window: { from: null, to: { mon: [["09:00", "18:00"]] } },
      settings: { from: {}, to: { silent: true } },
    });
  });

  describe("of hours", () => {
    const soonOpen = { sun: [["12:00", "13:00"]] };
    const later = { mon: [["10:00", "11:00"]] };
    // A Sunday, before and after the hour in which the channel is open.
    const now = new Date("2026-11-15T10:00:00Z");
    const opening = new Date("2026-11-15T12:00:00Z");
    const monday = new Date("2026-11-16T10:00:00Z");

    /** A channel that is closed, with a waiting post, one with an exact time and one that is to be retried. */
    async function waiting(window: object, timezone: string | null = "UTC") {
      const workspaceId = await aWorkspace(harness.sql);
      const id = await aChannel(harness.sql, workspaceId);
      await harness.sql`
        update delivery.channels set window_mode = 'windowed', posting_window = ${JSON.stringify(window)}::text::jsonb,
          timezone = ${timezone} where channel_id = ${id}`;
      await harness.sql`update workspaces.workspaces set timezone = 'UTC' where workspace_id = ${workspaceId}`;
      await enqueue(harness.sql, workspaceId, "Ждёт открытия", { now });
      return { workspaceId, id };
    }

    const facts = async (workspaceId: string) => {
      const [row] = await harness.sql<[{ not_before: Date; reason: string; expected_at: Date | null }]>`
        select d.not_before, w.reason, w.expected_at from delivery.deliveries d
        cross join lateral delivery.why(d.workspace_id, d.delivery_id, ${now}) w
        where d.workspace_id = ${workspaceId}`;
      return row;
    };

    /** With plain SQL, at the time of the test. */
    const change = (id: string, fields: Record<string, string | null>) => harness.sql`
      update delivery.channels set ${harness.sql({ ...fields, updated_at: now })} where channel_id = ${id}`;

    it("moves what waits to the new window at once, and back", async () => {
      const { workspaceId, id } = await waiting(later);
      expect(await facts(workspaceId)).toEqual({
        not_before: monday,
        reason: "window_closed",
        expected_at: monday,
      });
      await harness.sql`
        update delivery.channels set posting_window = ${JSON.stringify(soonOpen)}::text::jsonb, updated_at = ${now} where channel_id = ${id}`;
      expect(await facts(workspaceId)).toEqual({
        not_before: opening,
        reason: "window_closed",
        expected_at: opening,
      });
    });

    it("makes what waits due when the channel is open now, in the order in which it came", async () => {
      const { workspaceId, id } = await waiting(later);
      await change(id, { window_mode: "immediate" });
      expect(await facts(workspaceId)).toMatchObject({ not_before: now, reason: "ready" });
    });

    it("follows the channel's zone and, without one, that of the workspace", async () => {
      const own = await waiting(later);
      await change(own.id, { timezone: "Asia/Tokyo" });
      const tokyo = new Date("2026-11-16T01:00:00Z");
      expect(await facts(own.workspaceId)).toMatchObject({ not_before: tokyo, expected_at: tokyo });

      const shared = await waiting(later, null);
      await harness.sql`
        update workspaces.workspaces set timezone = 'Asia/Tokyo', updated_at = ${now} where workspace_id = ${shared.workspaceId}`;
      expect(await facts(shared.workspaceId)).toMatchObject({ not_before: tokyo, expected_at: tokyo });
      expect(await facts(own.workspaceId)).toMatchObject({ not_before: tokyo });
    });

    it("leaves a post with an exact time where it is", async () => {
      const { workspaceId, id } = await waiting(later);
      const exact = new Date("2026-11-15T20:00:00Z");
      await harness.sql`
        update delivery.deliveries set scheduled_for = ${exact}, not_before = ${exact} where workspace_id = ${workspaceId}`;
      await change(id, { window_mode: "immediate" });
      expect(await facts(workspaceId)).toMatchObject({ not_before: exact, reason: "scheduled" });
    });

    it("is the same over HTTP, and by a hand that leaves no time of the change", async () => {
      const id = await added({ window_mode: "windowed", posting_window: later, timezone: "UTC" });
      // A window of one minute two days from now, so that the channel is closed.
      const day = new Date(Date.now() + 2 * 86_400_000);
      const name = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][day.getUTCDay()] ?? "";
      const closed = { [name]: [["10:00", "10:01"]] };
      await harness.call("PATCH", `/channels/${id}`, { posting_window: closed });
      await enqueue(harness.sql, harness.workspaceId, "По новому окну");
      const due = async () => {
        const [row] = await harness.sql`
          select not_before <= now() as due from delivery.deliveries where channel_id = ${id} and status = 'queued'`;
        return row?.due;
      };
      expect(await due()).toBe(false);
      await harness.call("PATCH", `/channels/${id}`, { window_mode: "immediate", posting_window: null });
      expect(await due()).toBe(true);
      await harness.sql`
        update delivery.channels set window_mode = 'windowed', posting_window = ${JSON.stringify(closed)}::text::jsonb
        where channel_id = ${id}`;
      expect(await due()).toBe(false);
    });
  });

  it("leaves no event when nothing changes", async () => {
    const id = await added({ title: "Тот же" });
    const before = (await harness.events()).length;
    expect((await harness.call("PATCH", `/channels/${id}`, { title: "Тот же" })).status).toBe(200);
    expect(await harness.events()).toHaveLength(before);
  });

  it.each([
    ["nothing at all", {}],
    ["a reason alone", { reason: "просто так" }],
    ["the credential", { auth_ref: "other" }],
    ["the switch", { enabled: false }],
    ["the platform", { platform: "max" }],
  ])("refuses to change %s", async (_, given) => {
    const id = await added();
    expect((await harness.call("PATCH", `/channels/${id}`, given)).status).toBe(400);
  });

  it("refuses to move onto another channel's target", async () => {
    const taken = aBody();
    await harness.call("POST", "/channels", taken);
    const id = await added();
    const answer = await harness.call("PATCH", `/channels/${id}`, { target_id: taken.target_id });
    expect(answer).toMatchObject({ status: 409, body: { errors: [{ pointer: "/target_id" }] } });
  });
});

describe("the list of channels", () => {
  it("comes in pages, each where the last one ended", async () => {
    const workspaceId = await aWorkspace(harness.sql);
    const ids = [];
    for (let count = 0; count < 5; count++) ids.push(await aChannel(harness.sql, workspaceId));
    const headers = await harness.server.bearer(["read"], workspaceId);
    const seen: string[] = [];
    let after = "";
    for (let page = 0; page < 3; page++) {
      const { body } = await asked(harness.server, headers, "GET", `/channels?limit=2${after}`);
      const { items, next } = body;
      seen.push(...items.map(({ channel_id }: { channel_id: string }) => channel_id));
      after = next ? `&after=${next}` : "";
    }
    expect(after).toBe("");
    expect(seen).toEqual(ids.toSorted());
  });

  it("is narrowed by platform, switch, pause, tag, group and a part of the name", async () => {
    const workspaceId = await aWorkspace(harness.sql);
    const names: Record<string, Parameters<typeof aChannel>[2]> = {
      active: { title: "Спорт Москва", tags: ["спорт"], rate_group: "a" },
      max: { title: "Новости", platform: "max", target_id: "70007770077" },
      off: { title: "Выключен", enabled: false },
      paused: { title: "Отдыхает", paused_until: new Date(Date.now() + 60_000) },
    };
    const ids = new Map<string, string>();
    for (const [name, given] of Object.entries(names))
      ids.set(await aChannel(harness.sql, workspaceId, given), name);
    const headers = await harness.server.bearer(["read"], workspaceId);
    const found = async (query: string) => {
      const { body } = await asked(harness.server, headers, "GET", `/channels?${query}`);
      return body.items.map(({ channel_id }: { channel_id: string }) => ids.get(channel_id)).sort();
    };
    expect(await found("platform=max")).toEqual(["max"]);
    expect(await found("enabled=false")).toEqual(["off"]);
    expect(await found("paused=true")).toEqual(["paused"]);
    expect(await found("paused=false")).toEqual(["active", "max", "off"]);
    expect(await found(`tag=${encodeURIComponent("СПОРТ")}`)).toEqual(["active"]);
    expect(await found("rate_group=a")).toEqual(["active"]);
    expect(await found(`text=${encodeURIComponent("москва")}`)).toEqual(["active"]);
    expect(await found("text=0777007")).toEqual(["max"]);
    expect((await harness.call("GET", "/channels?paused=maybe")).status).toBe(400);
  });
});

describe("deleting a channel", () => {
  it("asks for a reason, deletes, and leaves an event that says so", async () => {
    const id = await added();
    expect((await harness.call("DELETE", `/channels/${id}`)).status).toBe(400);
    expect((await harness.call("DELETE", `/channels/${id}?reason=closed`)).status).toBe(204);
    expect((await harness.call("GET", `/channels/${id}`)).status).toBe(404);
    const event = (await harness.events()).findLast(({ channel_id }) => channel_id === id);
    expect(event).toMatchObject({ action: "channel_changed", meta: { deleted: true, reason: "closed" } });
  });

  it("is refused while posts wait, and when forced calls off each of them", async () => {
    const workspaceId = await aWorkspace(harness.sql);
    const id = await aChannel(harness.sql, workspaceId);
    await enqueue(harness.sql, workspaceId, "Ждёт");
    const headers = await harness.server.bearer(["write"], workspaceId);
    const path = `/channels/${id}?reason=closed`;
    const refused = await asked(harness.server, headers, "DELETE", path);
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining("1 post waits") } });
    expect((await asked(harness.server, headers, "DELETE", `${path}&force=true`)).status).toBe(204);
    expect(await harness.events(workspaceId)).toContainEqual(
      expect.objectContaining({ action: "cancelled", channel_id: id, delivery_id: expect.any(String) }),
    );
  });

  it("never cuts off a send that is under way", async () => {
    const workspaceId = await aWorkspace(harness.sql);
    const id = await aChannel(harness.sql, workspaceId);
    await enqueue(harness.sql, workspaceId, "В пути");
    await harness.sql`select delivery.claim_deliveries(${workspaceId}, 'run', 10)`;
    await harness.sql`select delivery.start_sending(${workspaceId}, 'run', 10)`;
    const headers = await harness.server.bearer(["write"], workspaceId);
    const answer = await asked(harness.server, headers, "DELETE", `/channels/${id}?reason=closed&force=true`);
    expect(answer).toMatchObject({ status: 409, body: { detail: expect.stringContaining("being sent") } });
  });
});
