import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DoorHarness, monday, startDoorHarness } from "../../../tests/support/account-doors.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { defaultSettings, workspacePaceShape } from "../governor/pace-settings.ts";

let harness: DoorHarness;
let call: DoorHarness["call"];

beforeAll(async () => {
  harness = await startDoorHarness(await testDatabase());
  call = harness.call;
});
afterAll(() => harness.stop());
beforeEach(() => harness.clock.set(monday));

const { stringify } = JSON;
const minutes = (count: number) => count * 60_000;
const at = (time: string) => harness.clock.set(new Date(time));

/** An account with chats that it is linked with, all in our own books. */
async function anAccountWith(chats: number, given: Record<string, unknown> = {}) {
  const { records, clock } = harness;
  const id = await records.anAccount({ connected_at: clock.now(), ...given });
  const chatIds: string[] = [];
  for (let index = 0; index < chats; index += 1) {
    const chat = await records.aChat();
    await records.link(id, chat);
    chatIds.push(chat);
  }
  return { id, chatIds, entry: { account_id: id, chat_ids: chatIds } };
}

const save = (objectId: string, body: unknown) => call("PUT", `/objects/${objectId}/autopublish`, body);
/** Whether a change with this in its record was noted. */
const noted = async (meta: Record<string, unknown>) => {
  const events = await harness.sql`
    select from workspaces.events where action = 'config_changed' and meta @> ${stringify(meta)}::text::jsonb`;
  return events.length > 0;
};

describe("accounts", () => {
  // covers accounts: 17. Diagnostics match the database
  it("are seen and touched by their owner and by admins only", async () => {
    const mine = await harness.records.anAccount({ owner: "anna" });
    const theirs = await harness.records.anAccount({ owner: "boris" });
    const ids = async (as: "anna" | "admin", query = "") =>
      (await call("GET", query, undefined, as)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids("anna")).toContain(mine);
    expect(await ids("anna")).not.toContain(theirs);
    expect(await ids("admin")).toEqual(expect.arrayContaining([mine, theirs]));
    expect(await ids("admin", "?owner=boris")).toEqual([theirs]);
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { mode: "safe" }],
      ["DELETE", ""],
      ["GET", "/timeline"],
      ["GET", "/rate"],
      ["POST", "/reactivate", {}],
      ["POST", "/chats/load"],
      ["POST", "/test", { chat_id: theirs }],
    ] as const) {
      const refused = await call(method, `/${theirs}${path}`, body);
      expect([method, path, refused.status, refused.body?.code]).toEqual([method, path, 403, "not_yours"]);
    }
    expect((await call("PATCH", `/${mine}`, { mode: "safe" }, "reader")).body.code).toBe("scope_missing");
    expect((await call("PATCH", `/${theirs}`, { mode: "safe" }, "admin")).status).toBe(200);
    expect((await call("GET", `/${crypto.randomUUID()}`)).status).toBe(404);
  });

  it("tell today's quota, the next task and the last error", async () => {
    const { records, sql, clock } = harness;
    const { id, chatIds } = await anAccountWith(2, { daily_limit: 10, mode: "fix", last_error: "Нет связи" });
    const object = await records.anObject();
    const [first = "", second = ""] = chatIds;
    const tomorrow = new Date(clock.now().getTime() + 86_400_000);
    const next = await records.aTask(
      { object_id: object, chat_id: first, account_id: id },
      { scheduled_time: clock.now() },
    );
    await records.aTask({ object_id: object, chat_id: second, account_id: id }, { scheduled_time: tomorrow });
    // Yesterday in Moscow, though less than a day ago; and one that was taken away.
    for (const [time, deleted] of [
      ["2026-11-15T20:59:00Z", false],
      ["2026-11-15T21:01:00Z", false],
      ["2026-11-16T08:00:00Z", true],
    ] as const)
      await sql`insert into accounts.history ${sql({
        ...{
          workspace_id: harness.workspaceId,
          object_id: object,
          chat_id: first,
          account_id: id,
          message_id: "1",
        },
        ...{ published_at: new Date(time), deleted, deleted_at: deleted ? monday : null },
      })}`;
    expect((await call("GET", `/${id}`)).body).toMatchObject({
      ...{ interval_minutes: 5, connected: true, chats: 2, waiting: 2, last_error: "Нет связи" },
      today: { published: 1, planned: 1, remaining: 8 },
      next_task: { id: next },
    });
  });

  it("are changed within bounds, and every change is on record", async () => {
    const id = await harness.records.anAccount({ connected_at: monday });
    const changes = {
      ...{ mode: "fix", fix_interval_minutes: 30, daily_limit: 50 },
      ...{ timezone: "Asia/Yekaterinburg", window_from: "09:30", window_to: "24:00" },
    };
    const changed = await call("PATCH", `/${id}`, { ...changes, reason: "осенний план" });
    expect(changed.body).toMatchObject({ ...changes, interval_minutes: 30 });
    expect(await noted({ object: "account", id, reason: "осенний план", changes })).toBe(true);
    for (const [bad, pointer] of [
      [{ fix_interval_minutes: 0 }, "/fix_interval_minutes"],
      [{ fix_interval_minutes: 1441 }, "/fix_interval_minutes"],
      [{ mode: "fast" }, "/mode"],
      [{ window_from: "8" }, "/window_from"],
      [{ window_to: "09:00" }, "/window_to"],
      [{ timezone: "Moscow" }, "/timezone"],
      [{ owner: "boris" }, "/owner"],
      [{ speed: 1 }, "/speed"],
    ] as const) {
      const { status, body } = await call("PATCH", `/${id}`, bad);
      expect([bad, status >= 400 && status < 500, body.errors[0].pointer]).toEqual([bad, true, pointer]);
    }
    expect((await call("PATCH", `/${id}`, { is_active: false })).body).toMatchObject({
      is_active: false,
      stopped_code: "switched_off",
    });
    expect((await call("PATCH", `/${id}`, { is_active: true })).body).toMatchObject({
      is_active: true,
      stopped_code: null,
    });
  });

  it("that Telegram told to wait are switched on only after that, unless forced", async () => {
    const flooded = {
      is_active: false,
      stopped_code: "flood_wait",
      flood_until: new Date(monday.getTime() + minutes(10)),
    };
    const id = await harness.records.anAccount({ ...flooded, connected_at: monday });
    const early = await call("POST", `/${id}/reactivate`, {});
    expect(early).toMatchObject({ status: 409, body: { code: "account_flood_wait" } });
    expect(early.headers.get("retry-after")).toBe("600");
    expect((await call("PATCH", `/${id}`, { is_active: true })).body.code).toBe("account_flood_wait");
    expect((await call("POST", `/${id}/reactivate`, { force: true })).body).toMatchObject({
      account: { is_active: true, flood_until: null },
    });
  });

  it("show the ends of their phone; the whole of it needs the scope for people, and its reading is on record", async () => {
    const { sql, records } = harness;
    const phone = "+79015550123";
    const id = await records.anAccount({ phone });
    const masked = `${phone.slice(0, 2)}…${phone.slice(-4)}`;
    expect((await call("GET", `/${id}`)).body.phone).toBe(masked);
    const { items } = (await call("GET", "")).body;
    expect(JSON.stringify(items)).not.toContain(phone);
    expect(await call("GET", `/${id}/phone`, undefined, "reader")).toMatchObject({
      status: 403,
      body: { code: "scope_missing" },
    });
    expect((await call("GET", `/${id}/phone`, undefined, "admin")).body).toEqual({ account_id: id, phone });
    const read = await sql`
      select meta from workspaces.events where workspace_id = ${records.workspaceId} and action = 'people_read'`;
    expect(read).toMatchObject([
      { meta: { object: "account_phone", account_id: id, operator: expect.stringMatching(/^token:/) } },
    ]);
    expect(JSON.stringify(read)).not.toContain(phone);
  });

  it("are deleted with everything that is theirs", async () => {
    const { sql, records } = harness;
    const { id, phone } = await harness.aConnected();
    const chat = await records.aChat();
    await records.link(id, chat);
    const object = await records.anObject();
    const other = await anAccountWith(1);
    await records.aConfig(object, [{ account_id: id, chat_ids: [chat] }, other.entry]);
    await records.aTask({ object_id: object, chat_id: chat, account_id: id });
    const counts = { tasks: 1, history: 0, chats: 1, objects: 1 };
    expect((await call("DELETE", `/${id}?dry_run=true`)).body).toEqual({
      dry_run: true,
      deleted: id,
      ...counts,
    });
    expect((await call("GET", `/${id}`)).body.phone).not.toBe(phone);
    expect((await call("DELETE", `/${id}?reason=продали`)).body).toEqual({
      dry_run: false,
      deleted: id,
      ...counts,
    });
    for (const table of ["accounts", "account_chats", "queue", "session_values", "session_leases"])
      expect(
        await sql`select from accounts.${sql(table)} where ${table === "accounts" ? sql`id` : sql`account_id`} = ${id}`,
      ).toHaveLength(0);
    expect((await call("GET", `/objects/${object}/autopublish`)).body.accounts).toEqual([other.entry]);
    expect((await call("GET", `/chats/${chat}`)).status).toBe(404);
  });
});

it("the governor's pace is shown with its reasons, and adjusted within bounds", async () => {
  const id = await harness.records.anAccount({ connected_at: monday });
  const pace = (await call("GET", `/${id}/pace`)).body;
  expect(pace).toMatchObject({ enabled: true, sent_today: 0, breaker: { state: "closed" }, warnings: [] });
  expect(pace.reasons[0]).toMatchObject({ ru: expect.any(String), en: expect.any(String) });
  expect((await call("PATCH", `/${id}/pace`, { start_per_day: 50 })).body.settings.start_per_day).toBe(50);
  expect(await noted({ object: "account_pace", account_id: id, changes: { start_per_day: 50 } })).toBe(true);
  expect((await call("PATCH", `/${id}/pace`, { start_per_day: null })).body.settings).toEqual(pace.settings);
  expect((await call("PATCH", `/${id}/pace`, { start_per_day: 0 })).body.errors[0].pointer).toBe(
    "/start_per_day",
  );
  expect((await call("GET", `/${id}/pace`, undefined, "boris")).body.code).toBe("not_yours");
});

it("the answer to a plan says what today has room for, when to expect the rest, why, and until when", async () => {
  const { entry, id } = await anAccountWith(10);
  const object = await harness.records.anObject();
  const saved = (await call("PUT", `/objects/${object}/autopublish`, { accounts: [entry] })).body;
  expect([saved.planned.length, saved.left, saved.later.length]).toEqual([4, 6, 6]);
  const days = saved.later.map(({ expected_at }: { expected_at: string }) => expected_at.slice(0, 10));
  expect(new Set(days)).toEqual(new Set(["2026-11-17", "2026-11-18"]));
  expect(saved.pace).toMatchObject([
    {
      account_id: id,
      reasons: [
        {
          code: "warm_up",
          ru: "Аккаунт разогревается: сегодня до 14 сообщений, один текст — до 4 чатов в сутки. В полную силу (200 в день) — не раньше 24 ноября, если публиковать каждый день и Telegram не предупредит",
          en: expect.stringContaining(
            "up to 14 messages today, one text to 4 chats a day. Full pace (200 a day)",
          ),
          until: "2026-11-23T21:00:00.000Z",
        },
      ],
    },
  ]);
  const other = await harness.records.anObject({ texts: { default: "Гараж у вокзала, сухой, с ямой" } });
  const wanted = { object_id: other, account_id: id, chat_ids: entry.chat_ids };
  const published = (await call("POST", "/publish", wanted)).body;
  expect(published).toMatchObject({ pace: [{ code: "warm_up" }] });
  expect(published.last_time.slice(0, 10)).toBe("2026-11-18");
});

it("an owner who calls an account seasoned gets its mode's own pace, and the warning is on record", async () => {
  const { entry, id } = await anAccountWith(10, { mode: "aggressive" });
  const object = await harness.records.anObject();
  await save(object, { accounts: [entry] });
  const seasoned = (await call("PATCH", `/${id}/pace`, { seasoned: true, reason: "ему пять лет" })).body;
  expect(seasoned).toMatchObject({ todays_ceiling: null, copies_per_text: null, gap_seconds: 0 });
  expect(seasoned.reasons).toMatchObject([{ code: "seasoned", ru: expect.stringContaining("блокирует") }]);
  expect(
    await noted({ account_id: id, reason: "ему пять лет", warning: { en: seasoned.reasons[0].en } }),
  ).toBe(true);
  const waiting = (await call("GET", `/queue?account_id=${id}&status=pending`)).body.items;
  const last = Math.max(
    ...waiting.map((task: { scheduled_time: string }) => Date.parse(task.scheduled_time)),
  );
  // Four tasks of today, at most 2 minutes and 99 seconds apart.
  expect(last - monday.getTime()).toBeLessThanOrEqual(3 * 219_000);
  expect(await save(object, { accounts: [entry] })).toMatchObject({ body: { left: 0 } });
  expect((await call("PATCH", "/settings", { account_pace: { seasoned: true } }, "admin")).status).toBe(400);
});

it("ids are taken in the short form that lists print: in paths, queries and bodies", async () => {
  const { entry, id, chatIds } = await anAccountWith(1);
  const object = await harness.records.anObject();
  const short = async (table: string, whole: string) => {
    const rows = await harness.sql<{ id: string }[]>`select id from ${harness.sql(`accounts.${table}`)}`;
    const others = rows.map((row) => row.id).filter((other) => other !== whole);
    for (let length = 13; ; length += 1)
      if (!others.some((other) => other.startsWith(whole.slice(0, length)))) return whole.slice(0, length);
  };
  const account = await short("accounts", id);
  const chat = await short("chats", chatIds[0] ?? "");
  expect((await call("GET", `/${account}`)).body.id).toBe(id);
  const saved = await save(await short("objects", object), {
    accounts: [{ account_id: account, chat_ids: [chat] }],
  });
  expect(saved.body.config.accounts).toEqual([entry]);
  const [task] = (await call("GET", `/queue?account_id=${account}&chat_id=${chat}`)).body.items;
  const cancelled = await call("POST", "/queue/cancel", { ids: [await short("queue", task.id)] });
  expect(cancelled.body).toEqual({ cancelled: 1 });
  expect(await call("GET", "/ffffffff-ffff")).toMatchObject({ status: 404 });
  expect(await call("GET", "/queue?account_id=%27%3B--")).toMatchObject({ status: 400 });
  expect((await call("POST", "/queue/cancel", { ids: ["не номер"] })).body.errors[0].pointer).toBe("/ids/0");
});

it("a change of mode, limit, zone or window gives what waits new times at once", async () => {
  const { entry, id } = await anAccountWith(3);
  await call("PATCH", `/${id}/pace`, { seasoned: true });
  const object = await harness.records.anObject();
  await save(object, { accounts: [entry] });
  const times = async (): Promise<string[]> =>
    (await call("GET", `/queue?account_id=${id}&status=pending`)).body.items
      .map(({ scheduled_time }: { scheduled_time: string }) => scheduled_time)
      .sort();
  const first = async (change: object) => {
    expect((await call("PATCH", `/${id}`, change)).status).toBe(200);
    return times();
  };
  expect((await times())[0]).toBe(monday.toISOString());
  const slow = await first({ mode: "fix", fix_interval_minutes: 60 });
  expect(Date.parse(slow[1] ?? "") - Date.parse(slow[0] ?? "")).toBeGreaterThanOrEqual(minutes(60));
  expect((await first({ window_from: "18:00" }))[0]).toBe("2026-11-16T15:00:00.000Z");
  expect((await first({ timezone: "Asia/Yekaterinburg" }))[0]).toBe("2026-11-16T13:00:00.000Z");
  expect((await first({ daily_limit: 1 })).map((time) => time.slice(0, 10))).toEqual([
    "2026-11-16",
    "2026-11-17",
    "2026-11-18",
  ]);
  const before = await times();
  expect(await first({ title: "Новое имя" })).toEqual(before);
  await call("PATCH", "/settings", { account_rate_limit: { seconds: 7200 } }, "admin");
  await first({ daily_limit: 200, window_from: "08:00", mode: "aggressive" });
  const rare = await times();
  expect(Date.parse(rare[1] ?? "") - Date.parse(rare[0] ?? "")).toBeGreaterThanOrEqual(minutes(120));
  await call("PATCH", "/settings", { account_rate_limit: { seconds: 60 } }, "admin");
  const usual = await times();
  expect(Date.parse(usual[1] ?? "") - Date.parse(usual[0] ?? "")).toBeLessThan(minutes(5));
});

it("nothing promises a time while the account is off", async () => {
  const { entry, id } = await anAccountWith(2);
  const object = await harness.records.anObject();
  await save(object, { accounts: [entry] });
  const until = new Date(monday.getTime() + minutes(600));
  await harness.sql`
    update accounts.accounts set is_active = false, stopped_code = 'flood_wait', flood_until = ${until} where id = ${id}`;
  expect((await call("GET", `/objects/${object}/life`)).body.verdict).toMatchObject({
    ...{ code: "account_off", at: null },
    ru: "Ждёт: аккаунт отключён, после включения задачи получат новое время",
  });
  const [status] = (await call("GET", "/status")).body.items.filter(
    (account: { id: string }) => account.id === id,
  );
  expect(status).toMatchObject({
    ...{ next: null, free_until: null, due_now: 0, counts: { pending: 2 } },
    waits: {
      code: "flood_wait",
      until: until.toISOString(),
      ru: expect.stringContaining("Аккаунт отключён"),
    },
  });
  expect((await call("GET", `/${id}`)).body).toMatchObject({ next_task: null, waiting: 2 });
  expect((await call("GET", `/objects/${object}`)).body.next_at).toBeNull();
  for (const path of [`/queue?account_id=${id}`, `/queue?object_id=${object}`])
    expect((await call("GET", path)).body.items).toMatchObject([{ held: true }, { held: true }]);
  expect((await call("GET", `/${id}/timeline`)).body.entries).toMatchObject([{ held: true }, { held: true }]);
  await call("POST", `/${id}/reactivate`, { force: true });
  expect((await call("GET", `/objects/${object}/life`)).body.verdict.code).toBe("planned");
});

describe("a test message", () => {
  it("goes at once, and the next one has to wait for the limiter", async () => {
    const { id, phone } = await harness.aConnected();
    const telegramId = await harness.twin.aChat([phone]);
    expect((await call("POST", `/${id}/chats/load`)).body).toEqual({ found: 1, added: 1, lost: 0 });
    const chat = (await call("GET", `/chats?account_id=${id}`)).body.items[0].id;
    expect((await call("GET", `/${id}/rate`)).body).toMatchObject({
      can_send: true,
      enabled: true,
      messages_in_hour: 0,
    });
    expect((await call("POST", `/${id}/test`, { chat_id: chat, text: "Проверка" })).body.message_id).toMatch(
      /\d/,
    );
    expect(await harness.twin.said(telegramId)).toMatchObject([{ text: "Проверка" }]);
    const soon = await call("POST", `/${id}/test`, { chat_id: chat });
    expect(soon).toMatchObject({ status: 429, body: { code: "account_rate_limited" } });
    expect(soon.headers.get("retry-after")).toBe("60");
    expect((await call("GET", `/${id}/rate`)).body).toMatchObject({
      can_send: false,
      wait_seconds: 60,
      messages_remaining: 59,
    });

    harness.clock.advance(minutes(1));
    await harness.twin.trouble(phone, { kind: "flood", seconds: 900 });
    expect(await call("POST", `/${id}/test`, { chat_id: chat })).toMatchObject({
      status: 502,
      body: { code: "account_refused" },
    });
    expect((await call("GET", `/${id}`)).body).toMatchObject({
      is_active: false,
      stopped_code: "flood_wait",
    });
    expect((await call("POST", `/${id}/test`, { chat_id: chat })).body.code).toBe("account_inactive");
  });

  it("goes into chats of the account only", async () => {
    const { id } = await anAccountWith(0);
    const chat = await harness.records.aChat();
    expect((await call("POST", `/${id}/test`, { chat_id: chat })).status).toBe(404);
  });
});

describe("chats", () => {
  it("are loaded from the account; one that it has left is no longer written to", async () => {
    const { id, phone } = await harness.aConnected();
    await harness.twin.aChat([phone], { title: "Аренда Центр", slow_mode_seconds: 30 });
    const left = await harness.twin.aChat([phone], { title: "Аренда Север", type: "group" });
    expect((await call("POST", `/${id}/chats/load`)).body).toEqual({ found: 2, added: 2, lost: 0 });
    await harness.twin.twins.control("PATCH", `/telegram-account/chats/${left}`, {
      members: [{ phone, role: "left" }],
    });
    expect((await call("POST", `/${id}/chats/load`)).body).toEqual({ found: 1, added: 0, lost: 1 });
    const found = (await call("GET", `/chats?account_id=${id}&text=аренда`)).body.items;
    // Loaded at the same instant, they come in any order.
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.objectContaining({
        title: "Аренда Центр",
        accounts: [expect.objectContaining({ can_write: true, slow_mode_seconds: 30 })],
      }),
    );
    expect(found).toContainEqual(
      expect.objectContaining({
        title: "Аренда Север",
        accounts: [expect.objectContaining({ can_write: false })],
      }),
    );
    expect((await call("GET", `/chats?account_id=${id}&type=group`)).body.items).toHaveLength(1);
    await harness.twin.trouble(phone, { kind: "revoke" });
    expect((await call("POST", `/${id}/chats/load`)).body.code).toBe("account_refused");
  });

  it("are switched, linked and unlinked by whoever has an account in them", async () => {
    const { id, chatIds } = await anAccountWith(1);
    const [mine = ""] = chatIds;
    const foreign = await harness.records.aChat();
    expect((await call("PATCH", `/chats/${mine}`, { is_active: false })).body.is_active).toBe(false);
    expect((await call("GET", `/chats?account_id=${id}&active=true`)).body.items).toEqual([]);
    expect((await call("PATCH", `/chats/${foreign}`, { is_active: false })).body.code).toBe("not_yours");
    expect((await call("GET", `/chats/${foreign}`)).body.code).toBe("not_yours");
    expect((await call("PUT", `/${id}/chats/${foreign}`)).body.accounts).toMatchObject([{ account_id: id }]);
    expect((await call("DELETE", `/${id}/chats/${foreign}`)).status).toBe(204);
    expect((await call("DELETE", `/${id}/chats/${foreign}`)).status).toBe(404);
    expect(
      (await call("PATCH", `/chats/${mine}`, { filters: { common: true } })).body.errors[0].pointer,
    ).toBe("/filters");
  });

  it("come in pages", async () => {
    const { id, chatIds } = await anAccountWith(3);
    const first = (await call("GET", `/chats?account_id=${id}&limit=2`)).body;
    const rest = (await call("GET", `/chats?account_id=${id}&limit=2&after=${first.next}`)).body;
    expect([...first.items, ...rest.items].map((chat) => chat.id)).toEqual(chatIds);
    expect(rest.next).toBeNull();
  });
});

describe("objects", () => {
  const flat = {
    title: "Двушка в Хамовниках",
    external_ref: "flat-1",
    fields: { room_type: "2-комнатная", districts: ["Хамовники"], price: 95_000, floor: 4 },
    texts: { default: "<b>2-комнатная</b>\nХамовники, 95 000 ₽" },
    photos: [{ url: "https://example.com/1.jpg" }],
  };

  it("are added, changed and found; a broken text is refused with its place", async () => {
    const made = await call("POST", "/objects", flat);
    expect(made).toMatchObject({
      status: 201,
      body: { ...flat, owner: "anna", photo_mode: "first", autopublish: "none" },
    });
    const { id } = made.body;
    const patch = { fields: { floor: null, price: 90_000 }, texts: { compact: "2к, 90 000 ₽" } };
    expect((await call("PATCH", `/objects/${id}`, patch)).body).toMatchObject({
      fields: { room_type: "2-комнатная", districts: ["Хамовники"], price: 90_000 },
      texts: { default: flat.texts.default, compact: "2к, 90 000 ₽" },
    });
    expect((await call("GET", "/objects?text=хамовн")).body.items).toHaveLength(1);
    expect((await call("POST", "/objects", flat)).body.errors[0].pointer).toBe("/external_ref");
    for (const [bad, pointer] of [
      [{ ...flat, texts: { default: "<b>нет конца" } }, "/texts/default"],
      [{ ...flat, texts: { default: "<b> </b>" } }, "/texts/default"],
      [{ ...flat, texts: { default: "я".repeat(4097) } }, "/texts/default"],
      [{ ...flat, photos: [{ url: "ftp://example.com/1.jpg" }] }, "/photos/0/url"],
      [{ ...flat, fields: { price: "дорого" } }, "/fields/price"],
    ] as const)
      expect((await call("POST", "/objects", bad)).body.errors[0]).toMatchObject({ pointer });
    expect((await call("PATCH", `/objects/${id}`, { fields: { price: -1 } })).body.errors[0].pointer).toBe(
      "/fields/price",
    );
    expect((await call("GET", `/objects/${id}`, undefined, "boris")).body.code).toBe("not_yours");
    expect((await call("GET", "/objects", undefined, "boris")).body.items).toEqual([]);
  });

  it("are imported by their references: all of them, or none", async () => {
    const two = [1, 2].map((n) => ({ ...flat, external_ref: `import-${n}`, title: `Квартира ${n}` }));
    expect((await call("POST", "/objects/import", { objects: two })).body).toMatchObject({
      created: 2,
      updated: 0,
      unchanged: 0,
    });
    const [first, second] = two;
    const again = await call("POST", "/objects/import", {
      objects: [first, { ...second, title: "Квартира 2а" }],
    });
    expect(again.body).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const refused = await call("POST", "/objects/import", {
      objects: [
        { ...first, title: "Другая" },
        { ...second, texts: {} },
      ],
    });
    expect(refused.body.errors[0].pointer).toBe("/objects/1/texts/default");
    const foreign = await call(
      "POST",
      "/objects/import",
      { objects: [{ ...first, title: "Чужая" }] },
      "boris",
    );
    expect(foreign.body.code).toBe("not_yours");
    expect((await call("GET", `/objects/${again.body.ids[0]}`)).body.title).toBe("Квартира 1");
    expect((await call("POST", "/objects/import", { objects: [first, first] })).status).toBe(400);
  });

  it("that are archived wait for nothing any more", async () => {
    const object = await harness.records.anObject();
    const { entry } = await anAccountWith(2);
    await save(object, { accounts: [entry] });
    expect((await call("POST", `/objects/${object}/archive`)).body.archived_at).toBe(monday.toISOString());
    const tasks = (await call("GET", `/queue?object_id=${object}`)).body.items;
    expect(tasks).toMatchObject([{ status: "failed", reason: "object_archived" }, { status: "failed" }]);
    expect((await call("GET", "/objects?archived=true")).body.items).toMatchObject([{ id: object }]);
    expect((await call("POST", `/objects/${object}/restore`)).body.archived_at).toBeNull();
  });
});

describe("a configuration that is saved", () => {
  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it.each([
    ["at 15:00", "2026-11-16T12:00:00Z", "2026-11-16T12:00:00.000Z"],
    ["at 23:00", "2026-11-16T20:00:00Z", "2026-11-17T05:00:00.000Z"],
    ["at 06:00", "2026-11-16T03:00:00Z", "2026-11-16T05:00:00.000Z"],
  ])("%s in Moscow begins at once, or when the account's window opens next", async (_, now, first) => {
    at(now);
    const { entry, id } = await anAccountWith(2);
    await call("PATCH", `/${id}/pace`, { seasoned: true });
    const object = await harness.records.anObject();
    const saved = await save(object, { accounts: [entry] });
    const [one, two] = saved.body.planned;
    expect(one.scheduled_time).toBe(first);
    const gap = Date.parse(two.scheduled_time) - Date.parse(first);
    expect(gap).toBeGreaterThanOrEqual(minutes(5) + 1_000);
    expect(gap).toBeLessThanOrEqual(minutes(5) + 99_000);
  });

  // covers accounts: 5. What cannot be is skipped with a reason
  it("skips what cannot publish and says why of each", async () => {
    const { records } = harness;
    const good = await anAccountWith(1);
    const off = await anAccountWith(1, { is_active: false });
    const unlinked = await records.aChat();
    const inactive = await records.aChat({ is_active: false });
    const ofBot = await records.aChat({ owner_type: "bot" });
    for (const chat of [inactive, ofBot]) await records.link(good.id, chat);
    const older = await records.aChat({ owner_account_id: good.id });
    const object = await records.anObject();
    const entry = { account_id: good.id, chat_ids: [...good.chatIds, unlinked, inactive, ofBot, older] };
    const saved = (await save(object, { accounts: [entry, off.entry] })).body;
    expect(saved.planned.map(({ chat_id }: { chat_id: string }) => chat_id)).toEqual([
      ...good.chatIds,
      older,
    ]);
    const skipped = [
      { code: "chat_not_linked", chat_id: unlinked },
      { code: "chat_inactive", chat_id: inactive },
      { code: "chat_of_bot", chat_id: ofBot },
      { code: "account_inactive", account_id: off.id },
    ];
    expect(saved.skipped).toMatchObject(skipped);
    expect((await call("GET", `/objects/${object}/readiness`)).body).toMatchObject({
      ...{ ready: true, usable: 2, hindered: 4 },
      reasons: skipped.map(({ code }) => ({ code, ru: expect.any(String), en: expect.any(String) })),
    });
  });

  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it("keeps the stored accounts for later when the list comes empty, and drops accounts without chats", async () => {
    const one = await anAccountWith(1);
    const two = await anAccountWith(0);
    const object = await harness.records.anObject();
    const kept = (await save(object, { accounts: [one.entry, two.entry], format: "compact" })).body.config;
    expect(kept).toMatchObject({ accounts: [one.entry], format: "compact", accounts_enabled: true });
    const empty = (await save(object, { accounts: [] })).body;
    expect(empty).toMatchObject({
      config: { accounts: [one.entry], accounts_enabled: false, format: "compact" },
      cancelled: 1,
    });
    expect((await save(object, { accounts_enabled: true })).body.planned).toHaveLength(1);
  });

  // covers accounts: 6. A configuration saved at 15:00, 23:00 and 06:00
  it("switched off or taken away calls off what waits at once", async () => {
    const { entry } = await anAccountWith(2);
    const object = await harness.records.anObject();
    await save(object, { accounts: [entry] });
    expect((await save(object, { enabled: false })).body.cancelled).toBe(2);
    expect((await call("GET", `/queue?object_id=${object}&status=pending`)).body.items).toEqual([]);
    await save(object, { enabled: true });
    expect((await call("DELETE", `/objects/${object}/autopublish`)).body).toEqual({ cancelled: 2 });
    expect((await call("GET", `/objects/${object}/autopublish`)).status).toBe(404);
  });

  it("names accounts and objects of one's own only", async () => {
    const mine = await harness.records.anObject();
    const theirs = await harness.records.anObject({ owner: "boris" });
    const foreign = await anAccountWith(1, { owner: "boris" });
    expect((await save(mine, { accounts: [foreign.entry] })).body.code).toBe("not_yours");
    expect((await save(theirs, { enabled: true })).body.code).toBe("not_yours");
    const nobody = { account_id: crypto.randomUUID(), chat_ids: [foreign.id] };
    expect((await save(mine, { accounts: [nobody] })).status).toBe(422);
  });
});

describe("readiness", () => {
  // covers accounts: 5. What cannot be is skipped with a reason
  it("names the first ten reasons", async () => {
    const { id } = await anAccountWith(0);
    const chats: string[] = [];
    for (let index = 0; index < 12; index += 1) chats.push(await harness.records.aChat());
    const object = await harness.records.anObject();
    await save(object, { accounts: [{ account_id: id, chat_ids: chats }] });
    const { body } = await call("GET", `/objects/${object}/readiness`);
    expect(body).toMatchObject({ ready: false, usable: 0, hindered: 12 });
    expect(body.reasons).toHaveLength(10);
    expect((await call("GET", "/readiness")).body.objects).toContainEqual(body);
  });

  // covers accounts: 5. What cannot be is skipped with a reason
  it.each([
    ["an object without a configuration", {}, undefined, "no_config"],
    ["one that is switched off", {}, { enabled: false }, "autopublish_off"],
    ["one whose accounts are switched off", {}, { accounts_enabled: false }, "accounts_off"],
    ["one without accounts", {}, {}, "no_accounts"],
    ["one without a text", { texts: {} }, {}, "no_text"],
    ["an archived one", { archived_at: monday }, {}, "object_archived"],
  ])("says what is in the way of %s", async (_, given, config, code) => {
    const object = await harness.records.anObject(given);
    if (config) await harness.records.aConfig(object, [], config);
    expect((await call("GET", `/objects/${object}/readiness`)).body).toMatchObject({
      ready: false,
      reasons: [{ code }],
    });
    expect((await call("GET", `/objects/${object}/life`)).body.verdict.code).toBe("hindered");
  });
});

describe("publishing by hand", () => {
  const publish = (body: unknown, as?: "boris" | "admin") => call("POST", "/publish", body, as);

  it("is all or nothing: a chat that is missing, or has it already, stops the whole", async () => {
    const { sql, records } = harness;
    const { id, chatIds } = await anAccountWith(2);
    const object = await records.anObject();
    const wanted = { object_id: object, account_id: id, chat_ids: chatIds };
    const missing = await publish({ ...wanted, chat_ids: [...chatIds, crypto.randomUUID()] });
    expect(missing).toMatchObject({ status: 404, body: { errors: [{ pointer: "/chat_ids/2" }] } });
    await sql`insert into accounts.history ${sql({
      ...{
        workspace_id: harness.workspaceId,
        object_id: object,
        chat_id: chatIds[1] ?? "",
        account_id: id,
        message_id: "1",
      },
      published_at: new Date(monday.getTime() - minutes(60)),
    })}`;
    const twice = await publish(wanted);
    expect(twice).toMatchObject({
      status: 409,
      body: { code: "publication_duplicates", errors: [{ pointer: "/chat_ids/1" }] },
    });
    expect((await call("GET", `/queue?object_id=${object}`)).body.items).toEqual([]);

    const done = await publish({ ...wanted, chat_ids: chatIds.slice(0, 1) });
    expect(done).toMatchObject({
      status: 201,
      body: { first_time: monday.toISOString(), rate_limited: false },
    });
    expect((await call("GET", `/queue?object_id=${object}`)).body.items).toMatchObject([
      { id: done.body.queue_ids[0], origin: "manual", status: "pending" },
    ]);
    expect((await publish({ ...wanted, chat_ids: chatIds.slice(0, 1) }, "boris")).body.code).toBe(
      "not_yours",
    );
  });

  it("may repeat when the settings let admins, and is told when the limiter holds it back", async () => {
    const { sql, records } = harness;
    const { id, chatIds } = await anAccountWith(1);
    const object = await records.anObject();
    const wanted = { object_id: object, account_id: id, chat_ids: chatIds, allow_duplicate: true };
    expect((await publish(wanted, "admin")).body.errors[0].pointer).toBe("/allow_duplicate");
    await call("PATCH", "/settings", { allow_duplicates: { admin_bypass: true } }, "admin");
    await sql`select accounts.pass_limiter(${harness.workspaceId}, ${id}, null, ${monday})`;
    expect((await publish(wanted)).status).toBe(422);
    const late = (await publish(wanted, "admin")).body;
    expect(late.rate_limited).toBe(true);
    const wait = Date.parse(late.first_time) - monday.getTime();
    expect(wait).toBeGreaterThanOrEqual(minutes(30) + 1_000);
    expect(wait).toBeLessThanOrEqual(minutes(30) + 99_000);
    await call("PATCH", "/settings", { allow_duplicates: { admin_bypass: false } }, "admin");
  });
});

describe("the queue", () => {
  // covers accounts: 17. Diagnostics match the database
  it("loses no row between its pages, whatever is filtered", async () => {
    const { entry, id } = await anAccountWith(7);
    await call("PATCH", `/${id}/pace`, { seasoned: true });
    const object = await harness.records.anObject();
    await save(object, { accounts: [entry] });
    const pages: { id: string }[] = [];
    let after = "";
    for (;;) {
      const page = (await call("GET", `/queue?account_id=${id}&type=all&limit=3${after}`)).body;
      pages.push(...page.items);
      if (!page.next) break;
      after = `&after=${encodeURIComponent(page.next)}`;
    }
    expect(new Set(pages.map((task) => task.id)).size).toBe(7);
    const [latest] = pages;
    expect((await call("POST", "/queue/cancel", { ids: [latest?.id] })).body).toEqual({ cancelled: 1 });
    const count = async (query: string) =>
      (await call("GET", `/queue?account_id=${id}&${query}`)).body.items.length;
    expect([await count("status=pending"), await count("status=failed"), await count("type=bot")]).toEqual([
      6, 1, 0,
    ]);
    expect((await call("POST", "/queue/cancel", {})).status).toBe(422);
    expect((await call("POST", "/queue/cancel", { account_id: id }, "boris")).body.code).toBe("not_yours");
    expect((await call("POST", "/queue/cancel", { account_id: id })).body).toEqual({ cancelled: 6 });
    expect((await call("GET", `/queue?account_id=${id}`, undefined, "boris")).body.items).toEqual([]);
  });

  it("is followed by a history, in which a message may be marked as gone", async () => {
    const { sql, records } = harness;
    const { id, chatIds } = await anAccountWith(1);
    const object = await records.anObject();
    const row = {
      workspace_id: harness.workspaceId,
      object_id: object,
      chat_id: chatIds[0] ?? "",
      account_id: id,
    };
    await sql`insert into accounts.history ${sql({ ...row, published_at: monday, message_id: "77" })}`;
    const [published] = (await call("GET", `/history?account_id=${id}`)).body.items;
    expect(published).toMatchObject({ message_id: "77", deleted: false });
    expect((await call("PATCH", `/history/${published.id}`, { deleted: true }, "boris")).body.code).toBe(
      "not_yours",
    );
    expect((await call("PATCH", `/history/${published.id}`, { deleted: true })).body).toMatchObject({
      deleted: true,
      deleted_at: monday.toISOString(),
    });
    expect((await call("GET", `/${id}`)).body.today.published).toBe(0);
    const wanted = { object_id: object, account_id: id, chat_ids: chatIds };
    expect((await call("POST", "/publish", wanted)).status).toBe(201);
    expect((await call("GET", `/history?account_id=${id}&until=${monday.toISOString()}`)).body.items).toEqual(
      [],
    );
  });
});

it("settings are changed piece by piece, by admins", async () => {
  const careful = {
    manual_bot: false,
    manual_account: false,
    autopublish_bot: false,
    autopublish_account: false,
    admin_bypass: false,
  };
  expect((await call("GET", "/settings")).body).toMatchObject({
    allow_duplicates: careful,
    account_rate_limit: { enabled: true, seconds: 60, per_hour: 60 },
    admin_bypass_time_limit: { enabled: false },
    account_pace: workspacePaceShape.parse({}),
    districts: {},
  });
  expect((await call("PATCH", "/settings", { account_rate_limit: { enabled: false } })).body.code).toBe(
    "scope_missing",
  );
  const changes = {
    account_rate_limit: { enabled: false },
    account_pace: { start_per_day: 20 },
    districts: { Хамовники: "ЦАО" },
  };
  expect((await call("PATCH", "/settings", changes, "admin")).body).toMatchObject({
    allow_duplicates: careful,
    account_rate_limit: { enabled: false, seconds: 60 },
    account_pace: { start_per_day: 20, start_copies: defaultSettings.start_copies },
    districts: { Хамовники: "ЦАО" },
  });
  const { id } = await anAccountWith(0);
  expect((await call("GET", `/${id}/rate`)).body).toMatchObject({ enabled: false, can_send: true });
  const back = { account_rate_limit: { enabled: true }, account_pace: { start_per_day: null } };
  expect((await call("PATCH", "/settings", back, "admin")).body.account_pace.start_per_day).toBe(
    defaultSettings.start_per_day,
  );
  expect((await call("PATCH", "/settings", { account_rate_limit: { per_hour: 0 } }, "admin")).status).toBe(
    400,
  );
});

describe("diagnostics", () => {
  // covers accounts: 17. Diagnostics match the database
  it("say what is in the database: counts, what is due, what is stuck, and a hint", async () => {
    const { records, sql, clock } = harness;
    const { id, chatIds } = await anAccountWith(3, { owner: "boris", daily_limit: 5 });
    const object = await records.anObject({ owner: "boris" });
    const [one = "", two = "", three = ""] = chatIds;
    const task = (chat: string, ago: number) =>
      records.aTask(
        { object_id: object, chat_id: chat, account_id: id },
        { owner: "boris", scheduled_time: new Date(clock.now().getTime() - minutes(ago)) },
      );
    const stuck = await task(one, 30);
    await task(two, 1);
    await task(three, -90);
    await sql`
      update accounts.queue set status = 'processing', claim_token = gen_random_uuid(),
        started_at = ${new Date(clock.now().getTime() - minutes(6))} where id = ${stuck}`;
    const seen = (await call("GET", "/overview", undefined, "boris")).body;
    expect(seen).toMatchObject({
      counts: { pending: 2, processing: 1, completed: 0, failed: 0, flood_wait: 0 },
      due_count: 1,
      due: [{ chat_id: two }],
      stuck: [{ id: stuck }],
      hints: [{ code: "stuck_tasks" }],
    });
    expect((await call("GET", "/overview?threshold_minutes=7", undefined, "boris")).body.stuck).toEqual([]);
    const [status] = (await call("GET", "/status", undefined, "boris")).body.items.filter(
      (account: { id: string }) => account.id === id,
    );
    expect(status).toMatchObject({
      ...{ mode: "normal", interval_minutes: 5, due_now: 1, counts: { pending: 2, processing: 1 } },
      in_work: { id: stuck, seconds: 360 },
      next: {
        utc: new Date(monday.getTime() - minutes(1)).toISOString(),
        local: "2026-11-16 11:59:00",
        seconds: 0,
      },
      free_until: null,
    });

    expect((await call("GET", "/stuck", undefined, "boris")).body.items).toMatchObject([{ id: stuck }]);
    expect((await call("POST", "/stuck/reset", {}, "boris")).body.code).toBe("scope_missing");
    const reset = (await call("POST", "/stuck/reset", { threshold_minutes: 5, max_attempts: 3 }, "admin"))
      .body;
    expect(reset).toMatchObject({
      found: 1,
      reset: 1,
      failed: 0,
      tasks: [{ id: stuck, status: "pending", attempts: 1 }],
    });
    expect(await noted({ object: "stuck_tasks", found: 1, threshold_minutes: 5 })).toBe(true);
    await sql`
      update accounts.queue set status = 'processing', claim_token = gen_random_uuid(),
        started_at = ${new Date(clock.now().getTime() - minutes(6))} where id = ${stuck}`;
    expect((await call("POST", "/stuck/reset", { max_attempts: 2 }, "admin")).body).toMatchObject({
      failed: 1,
    });
    expect((await call("GET", "/overview", undefined, "boris")).body.counts).toMatchObject({
      pending: 2,
      failed: 1,
    });

    const day = (await call("GET", `/${id}/timeline`, undefined, "boris")).body;
    expect(day).toMatchObject({
      day: "2026-11-16",
      window: { from: "2026-11-16T05:00:00.000Z", to: "2026-11-16T19:00:00.000Z" },
    });
    expect(
      day.entries.map(({ status, late, local }: Record<string, unknown>) => [status, late, local]),
    ).toEqual([
      ["pending", true, "2026-11-16 11:59:00"],
      ["failed", false, "2026-11-16 12:00:00"],
      ["pending", false, "2026-11-16 13:30:00"],
    ]);
    expect((await call("GET", `/${id}/timeline?day=2026-11-17`, undefined, "boris")).body.entries).toEqual(
      [],
    );

    await sql`update accounts.accounts set is_active = false where id = ${id}`;
    const hints = (await call("GET", "/overview", undefined, "boris")).body.hints;
    expect(hints.map(({ code }: { code: string }) => code)).toContain("no_active_account");
  });

  // covers accounts: 17. Diagnostics match the database
  it("follow an object's life to a verdict", async () => {
    const { sql } = harness;
    const { entry, chatIds, id } = await anAccountWith(1);
    const object = await harness.records.anObject();
    const life = async () => (await call("GET", `/objects/${object}/life`)).body;
    await save(object, { accounts: [entry] });
    expect((await life()).verdict).toMatchObject({ code: "planned", at: monday.toISOString() });
    const [task] = (await life()).tasks;
    await sql`update accounts.queue set status = 'processing', started_at = ${monday}, claim_token = gen_random_uuid() where id = ${task.id}`;
    expect((await life()).verdict.code).toBe("under_way");
    await sql`
      select accounts.complete_task(${harness.workspaceId}, ${task.id}, claim_token, '12', null, '{}', ${monday})
      from accounts.queue where id = ${task.id}`;
    expect(await life()).toMatchObject({
      verdict: { code: "published", at: monday.toISOString(), ru: expect.stringContaining("Опубликован") },
      history: [{ queue_id: task.id, chat_id: chatIds[0], account_id: id }],
      readiness: { ready: true },
    });
  });
});

it("an address of another workspace's account is not found", async () => {
  const [other] =
    await harness.sql`insert into workspaces.workspaces (name) values ('Чужое') returning workspace_id`;
  const answer = await call("GET", `?workspace_id=${other?.workspace_id}`);
  expect(stringify(answer.body)).toContain("other_workspace");
});
