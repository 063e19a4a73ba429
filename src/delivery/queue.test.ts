import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "./testing/builders.ts";

let database: TestDatabase;
let workspace: string;
const start = new Date("2026-11-15T12:00:00Z");
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
});

const post = (text: string, now = start) => enqueue(database.sql, workspace, text, { now });

const claim = (now = start, limit = 100) => database.sql<{ channel_id: string; not_before: Date }[]>`
  select * from delivery.claim_deliveries(${workspace}, 'run', ${limit}, ${now}) order by not_before`;

const startSending = (now = start, limit = 100) => database.sql<
  { delivery_id: string; claim_token: string; channel_id: string; attempt: number }[]
>`
  select * from delivery.start_sending(${workspace}, 'run', ${limit}, ${now})`;

const settle = (outcomes: object[], now = start) => database.sql<
  { applied: boolean; status: string; next_retry_at: Date | null }[]
>`
  select * from delivery.settle_deliveries(${workspace}, ${database.sql.json(JSON.parse(JSON.stringify(outcomes)))}, ${now})`;

const deliveries = () => database.sql`
  select * from delivery.deliveries where workspace_id = ${workspace} order by created_at, delivery_id`;

const actions = async () =>
  (
    await database.sql`select action from workspaces.events where workspace_id = ${workspace} order by ts, id`
  ).map(({ action }) => action);

/** Brings the only delivery into `sending` and returns what settling it needs. */
async function sending(now = start) {
  await claim(now);
  const [started] = await startSending(now);
  if (!started) throw new Error("nothing could be started");
  return { delivery_id: started.delivery_id, token: started.claim_token };
}

const refusal = (scope: string, category = "PERMANENT") => ({
  category,
  scope,
  code: "test",
  message: "нет",
});

describe("enqueue", () => {
  // covers autoposting: Key guarantees; Routing rules / segmentation; Point 11; Point 12
  it("makes one message and a delivery for every matching channel", async () => {
    await aChannel(database.sql, workspace, { route_filter: { include_any: ["Спорт"] } });
    await aChannel(database.sql, workspace, { route_filter: { include_all: ["спорт", "москва"] } });
    await aChannel(database.sql, workspace, { route_filter: { exclude: ["спорт"] } });
    await aChannel(database.sql, workspace);
    await aChannel(database.sql, workspace, { enabled: false });
    await aChannel(database.sql, workspace, { paused_until: later(3600) });
    expect(await post("Матч #спорт")).toMatchObject({ queued: 3, failed_permanent: 0 });
    expect(await post("Без тегов")).toMatchObject({ queued: 3 });
  });

  it.each<[string, Record<string, string[]> | null, { tagged: boolean; untagged: boolean }]>([
    ["any of several, in mixed case", { include_any: ["СПОРТ", "театр"] }, { tagged: true, untagged: false }],
    ["any, none of which it has", { include_any: ["театр"] }, { tagged: false, untagged: false }],
    ["all, which it has", { include_all: ["Москва", "спорт"] }, { tagged: true, untagged: false }],
    ["all, one of which it lacks", { include_all: ["спорт", "театр"] }, { tagged: false, untagged: false }],
    ["excluding what it has", { exclude: ["Спорт"] }, { tagged: false, untagged: true }],
    [
      "any it has, excluding another it has",
      { include_any: ["спорт"], exclude: ["москва"] },
      { tagged: false, untagged: false },
    ],
    ["no filter", null, { tagged: true, untagged: true }],
    ["an empty filter", {}, { tagged: true, untagged: true }],
  ])(
    "a channel with %s takes a post with tags, and one without, as the rule says",
    async (_, filter, takes) => {
      await aChannel(database.sql, workspace, { route_filter: filter });
      expect(await post("Матч #Спорт #москва")).toMatchObject({ queued: takes.tagged ? 1 : 0 });
      expect(await post("Без тегов")).toMatchObject({ queued: takes.untagged ? 1 : 0 });
    },
  );

  it("takes a post for its tags alone to channels that ask for one of them", async () => {
    const sport = await aChannel(database.sql, workspace, { route_filter: { include_any: ["спорт"] } });
    await aChannel(database.sql, workspace, { route_filter: { exclude: ["театр"] } });
    await aChannel(database.sql, workspace);
    const raw = { payload: { text: "Матч" }, tags: ["спорт"], tagged_only: true };
    const [row] = await database.sql`
      select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'webhook_push', ${database.sql.json(raw)}, ${start}) as counts`;
    expect(row?.counts).toMatchObject({ queued: 1 });
    expect(
      await database.sql`select channel_id from delivery.deliveries where workspace_id = ${workspace}`,
    ).toMatchObject([{ channel_id: sport }]);
    const [prepared] = await database.sql`
      select jsonb_array_length(profiles) as profiles from delivery.prepare_post(${workspace}, ${database.sql.json(raw)})`;
    expect(prepared?.profiles).toBe(1);
  });

  it("suppresses a repeat while the first is on its way and for the channel's window after it was sent", async () => {
    await aChannel(database.sql, workspace, { dedup_ttl_hours: 1 });
    await post("Раз");
    expect(await post("Раз", later(1))).toMatchObject({ queued: 0, skipped_inflight: 1 });
    await settle([{ ...(await sending(later(2))), kind: "sent", provider_message_id: "1" }], later(3));
    expect(await post("Раз", later(3603))).toMatchObject({ queued: 0, deduped: 1 });
    expect(await post("Раз", later(3604))).toMatchObject({ queued: 1 });
    expect((await actions()).filter((action) => action === "dedup_suppressed")).toHaveLength(2);
  });

  // covers autoposting: Table: messages; Dedup requirements; Point 9; Point 10
  it("keeps the first payload and tags, counts what it saw again, and notes other tags", async () => {
    // The same content spelled differently, so that a replaced payload would be noticed.
    const first = "Два https://example.com/news?utm_source=mail";
    await enqueue(database.sql, workspace, first, { now: start, tags: ["новости"] });
    const messages = () => database.sql`select * from delivery.messages where workspace_id = ${workspace}`;
    const [before] = await messages();
    const again = "Два  https://example.com/news";
    await enqueue(database.sql, workspace, again, { now: later(5), tags: ["спорт"] });
    const [message, ...others] = await messages();
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      tags: ["новости"],
      payload: before?.payload,
      first_ingest_run_id: before?.first_ingest_run_id,
      first_seen_trace_id: before?.first_seen_trace_id,
      seen_count: 2,
      last_seen_at: later(5),
      created_at: start,
    });
    expect(JSON.stringify(message?.payload)).toContain("utm_source=mail");
    expect(await actions()).toEqual(["message_tag_mismatch"]);
  });

  // covers autoposting: Preflight validation; Point 16
  it("ends a post the channel cannot take at once, without an attempt and without blame on the channel", async () => {
    await aChannel(database.sql, workspace);
    await aChannel(database.sql, workspace, { platform: "max" });
    await post("я".repeat(4050));
    const rows = await deliveries();
    expect(rows.map(({ status }) => status).sort()).toEqual(["failed_permanent", "queued"]);
    const failed = rows.find(({ status }) => status === "failed_permanent");
    expect(failed).toMatchObject({
      attempt: 0,
      last_error: { code: "validation_failed", scope: "delivery" },
    });
    expect(await actions()).toContain("validation_failed");
    const channels = await database.sql`
      select enabled, paused_until, error_streak from delivery.channels where workspace_id = ${workspace}`;
    expect(channels).toEqual([1, 2].map(() => ({ enabled: true, paused_until: null, error_streak: 0 })));
  });

  // covers autoposting: Dedup requirements
  it("judges the same post sent many times at once one after the other", async () => {
    await aChannel(database.sql, workspace);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post("Сразу")));
    expect(answers.reduce((sum, { queued }) => sum + queued, 0)).toBe(1);
  });
});

describe("claiming", () => {
  // covers autoposting: Core loop; Rate limiting; Point 17
  it("spaces a channel's deliveries by its rate and moves its gate", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 2 });
    for (const text of ["а", "б", "в"]) await post(text);
    expect((await claim()).map(({ not_before }) => not_before)).toEqual([start, later(0.5), later(1)]);
    const [channel] =
      await database.sql`select next_allowed_at from delivery.channels where workspace_id = ${workspace}`;
    expect(channel?.next_allowed_at).toEqual(later(1.5));
  });

  // covers autoposting: Table: platform_limits; Rate limiting; Point 17
  it("holds a group to its ceiling by the later of both slots", async () => {
    await database.sql`insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps)
      values (${workspace}, 'telegram', 'bot', 4)`;
    await aChannel(database.sql, workspace, { rate_rps: 1 });
    await aChannel(database.sql, workspace, { rate_rps: 1 });
    for (const text of ["а", "б"]) await post(text);
    expect((await claim()).map(({ not_before }) => not_before)).toEqual([
      start,
      later(0.25),
      later(1),
      later(1),
    ]);
  });

  // covers autoposting: Rate limiting; Point 17
  it("leaves the gates of a channel without a rate alone", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 0 });
    await post("а");
    await claim();
    const [channel] =
      await database.sql`select next_allowed_at from delivery.channels where workspace_id = ${workspace}`;
    expect(channel?.next_allowed_at).toBeNull();
  });

  it("keeps the order of a channel without a rate, in which they were due", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 0, max_parallel: 4 });
    for (const text of ["а", "б", "в", "г"]) await post(text);
    const ids = (await deliveries()).map(({ delivery_id }) => delivery_id).reverse();
    for (const [place, id] of ids.entries())
      await database.sql`update delivery.deliveries set not_before = ${later(-10 + place)} where delivery_id = ${id}`;
    await claim();
    expect((await startSending()).map(({ delivery_id }) => delivery_id)).toEqual(ids);
  });

  // covers autoposting: Table: workspaces; Point 12
  it("passes over paused channels and stopped workspaces", async () => {
    await aChannel(database.sql, workspace, { paused_until: later(60) });
    await post("а");
    expect(await claim()).toHaveLength(0);
    expect(await claim(later(61))).toHaveLength(1);
    await database.sql`update workspaces.workspaces set status = 'paused' where workspace_id = ${workspace}`;
    expect(await startSending(later(62))).toHaveLength(0);
  });

  // covers autoposting: Point 18
  it("never gives one delivery to two claimers", async () => {
    for (let channel = 0; channel < 5; channel++)
      await aChannel(database.sql, workspace, { max_parallel: 10 });
    for (let text = 0; text < 20; text++) await post(`пост ${text}`);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claim(start, 30)));
    const ids = claims.flat().map((row) => JSON.stringify(row));
    expect(ids).toHaveLength(100);
    expect(await startSending(start)).toHaveLength(50);
  });
});

describe("starting", () => {
  // covers autoposting: Table: deliveries; Core loop; Rate limiting; Point 19; Point 20
  it("holds max_parallel, counts the attempt and writes its event first", async () => {
    await aChannel(database.sql, workspace, { max_parallel: 2 });
    for (const text of ["а", "б", "в"]) await post(text);
    await claim();
    const rounds = await Promise.all(Array.from({ length: 4 }, () => startSending()));
    expect(rounds.flat()).toHaveLength(2);
    expect(rounds.flat().map(({ attempt }) => attempt)).toEqual([1, 1]);
    expect((await actions()).filter((action) => action === "send_attempt")).toHaveLength(2);
  });
});

describe("settling", () => {
  // covers autoposting: Point 22
  it("takes a success with the right token, once", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    const taken = await sending();
    expect(
      await settle([{ ...taken, token: "чужой", kind: "sent", provider_message_id: "7" }]),
    ).toMatchObject([{ applied: false }]);
    expect(await settle([{ ...taken, kind: "sent", provider_message_id: "7" }])).toMatchObject([
      { applied: true, status: "sent" },
    ]);
    expect(await settle([{ ...taken, kind: "failed", error: refusal("channel") }])).toMatchObject([
      { applied: false },
    ]);
    expect(await deliveries()).toMatchObject([
      { status: "sent", provider_message_id: "7", claim_token: null, attempt: 1 },
    ]);
  });

  // covers autoposting: Retry policy; Point 23
  it("never retries earlier than the provider asked", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    const error = { ...refusal("platform", "TRANSIENT"), code: "rate_limited", retry_after_ms: 9_000 };
    const [row] = await settle([{ ...(await sending()), kind: "failed", error }]);
    expect(row?.status).toBe("retry");
    expect(row?.next_retry_at?.getTime()).toBeGreaterThanOrEqual(later(9).getTime());
    expect(await claim(later(8.9))).toHaveLength(0);
  });

  // covers autoposting: Retry policy; Point 24
  it("gives up after five attempts", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    for (let attempt = 1; attempt <= 5; attempt++) {
      const now = later(attempt * 1000);
      const [row] = await settle(
        [{ ...(await sending(now)), kind: "failed", error: refusal("delivery", "TRANSIENT") }],
        now,
      );
      expect(row?.status).toBe(attempt < 5 ? "retry" : "dead");
    }
    expect((await actions()).at(-1)).toBe("dead_letter");
  });

  // covers autoposting: Permanent failures; Point 25
  it("pauses a channel that refuses and disables it at the third refusal in a row", async () => {
    const channel = await aChannel(database.sql, workspace);
    for (let refusals = 1; refusals <= 3; refusals++) {
      const now = later(refusals * 10_000);
      await post(`отказ ${refusals}`, now);
      await settle([{ ...(await sending(now)), kind: "failed", error: refusal("channel") }], now);
      const [row] = await database.sql`select * from delivery.channels where channel_id = ${channel}`;
      expect(row).toMatchObject({
        error_streak: refusals,
        enabled: refusals < 3,
        paused_until: new Date(now.getTime() + 3_600_000),
      });
    }
    expect((await actions()).filter((action) => action.startsWith("channel_"))).toEqual([
      "channel_paused",
      "channel_paused",
      "channel_paused",
      "channel_disabled",
    ]);
  });

  // covers autoposting: error_streak policy; Point 25
  it("forgets the streak with a success and leaves the channel alone for an error of the post", async () => {
    const channel = await aChannel(database.sql, workspace);
    await database.sql`update delivery.channels set error_streak = 2 where channel_id = ${channel}`;
    await post("плохой");
    await settle([{ ...(await sending()), kind: "failed", error: refusal("delivery") }]);
    await post("хороший");
    await settle([{ ...(await sending(later(1))), kind: "sent", provider_message_id: "1" }], later(1));
    const [row] = await database.sql`select * from delivery.channels where channel_id = ${channel}`;
    expect(row).toMatchObject({ error_streak: 0, enabled: true, paused_until: null });
  });

  // covers autoposting: Permanent failures; Point 26
  it("cools the whole group down for an error of the platform, even when the group has no rate", async () => {
    await aChannel(database.sql, workspace);
    await aChannel(database.sql, workspace);
    await post("а");
    await claim();
    const [first] = await startSending();
    await settle([
      {
        delivery_id: first?.delivery_id,
        token: first?.claim_token,
        kind: "failed",
        error: refusal("platform"),
      },
    ]);
    await post("б", later(1));
    await claim(later(1));
    expect(await startSending(later(29))).toHaveLength(0);
    await claim(later(31));
    expect((await startSending(later(31))).length).toBeGreaterThan(0);
  });

  it("cools the group down for the longest of the waits that came together", async () => {
    await aChannel(database.sql, workspace, { max_parallel: 2 });
    await post("Раз");
    await post("Два");
    await claim();
    const [one, two] = (await startSending()).map(({ delivery_id, claim_token: token }) => ({
      delivery_id,
      token,
    }));
    const short = { ...refusal("platform", "TRANSIENT"), retry_after_ms: 5_000 };
    await settle([
      { ...one, kind: "failed", error: short },
      { ...two, kind: "failed", error: refusal("platform") },
    ]);
    const [group] =
      await database.sql`select cooldown_until from delivery.platform_limits where workspace_id = ${workspace}`;
    expect(group?.cooldown_until).toEqual(later(30));
  });

  // covers autoposting: Outgoing idempotency
  it("keeps an unknown outcome as a retry that says so", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    await settle([
      {
        ...(await sending()),
        kind: "unknown",
        error: { ...refusal("delivery", "TRANSIENT"), code: "timeout" },
      },
    ]);
    expect(await deliveries()).toMatchObject([
      { status: "retry", last_error: { code: "outcome_unknown", cause: "timeout" } },
    ]);
    expect(await actions()).toContain("outcome_unknown");
  });
});

describe("posting windows and freshness", () => {
  // start is a Sunday, 15:00 in Moscow.
  const windowed = { window_mode: "windowed", timezone: "Europe/Moscow" };
  const openNow = { sun: [["14:00", "16:00"]], mon: [["09:00", "10:00"]] };
  const setWindow = (channel: string, window: object) => database.sql`
    update delivery.channels set window_mode = 'windowed', timezone = ${windowed.timezone}, posting_window = ${database.sql.json(JSON.parse(JSON.stringify(window)))}
    where channel_id = ${channel}`;

  // covers autoposting: Scheduling hooks
  it("moves a post to the nearest opening and leaves one inside a window alone", async () => {
    const open = await aChannel(database.sql, workspace);
    const closed = await aChannel(database.sql, workspace);
    await setWindow(open, openNow);
    await setWindow(closed, { mon: [["09:00", "10:00"]] });
    await post("а");
    const rows = await deliveries();
    expect(rows.find(({ channel_id }) => channel_id === open)?.not_before).toEqual(start);
    expect(rows.find(({ channel_id }) => channel_id === closed)?.not_before).toEqual(
      new Date("2026-11-16T06:00:00Z"),
    );
  });

  // covers autoposting: Scheduling hooks
  it("does not start what was claimed before the window closed, and does at the next opening", async () => {
    await setWindow(await aChannel(database.sql, workspace), openNow);
    await post("а");
    await claim();
    expect(await startSending(later(3601))).toHaveLength(0);
    expect(await deliveries()).toMatchObject([
      { status: "queued", not_before: new Date("2026-11-16T06:00:00Z"), attempt: 0 },
    ]);
    const monday = new Date("2026-11-16T06:00:01Z");
    await claim(monday);
    expect(await startSending(monday)).toHaveLength(1);
  });

  // covers autoposting: Scheduling hooks
  it("sends at an exact time even outside the window", async () => {
    await setWindow(await aChannel(database.sql, workspace), { mon: [["09:00", "10:00"]] });
    const raw = { payload: { text: "точно" }, scheduled_for: later(60).toISOString() };
    await database.sql`select delivery.enqueue_messages_and_deliveries(${workspace}, null, 'webhook_push', ${database.sql.json(raw)}, ${start})`;
    expect(await claim(later(59))).toHaveLength(0);
    await claim(later(60));
    expect(await startSending(later(60))).toHaveLength(1);
  });

  // covers autoposting: Scheduling hooks
  it("drops or holds what is older than the channel takes when its turn comes", async () => {
    const drops = await aChannel(database.sql, workspace);
    const holds = await aChannel(database.sql, workspace);
    await database.sql`update delivery.channels set max_age_seconds = 60 where workspace_id = ${workspace}`;
    await database.sql`update delivery.channels set on_stale = 'hold' where channel_id = ${holds}`;
    await post("вчерашнее");
    expect(await claim(later(61))).toHaveLength(0);
    const rows = await deliveries();
    expect(rows.find(({ channel_id }) => channel_id === drops)).toMatchObject({
      status: "failed_permanent",
      last_error: { code: "stale_dropped" },
    });
    expect(rows.find(({ channel_id }) => channel_id === holds)).toMatchObject({
      status: "queued",
      hold_reason: "stale",
    });
    expect(await actions()).toEqual(expect.arrayContaining(["stale_dropped", "held"]));
  });

  // covers autoposting: Scheduling hooks
  it("catches up with the newest first where the channel wants it", async () => {
    const channel = await aChannel(database.sql, workspace, { rate_rps: 1 });
    await database.sql`update delivery.channels set catchup = 'newest_first' where channel_id = ${channel}`;
    for (const [index, text] of ["старое", "среднее", "новое"].entries()) await post(text, later(index));
    await claim(later(10));
    const texts = await database.sql`
      select rendered_text from delivery.deliveries where workspace_id = ${workspace} and status = 'claimed' order by not_before`;
    expect(texts.map(({ rendered_text }) => rendered_text)).toEqual(["новое", "среднее", "старое"]);
  });
});

describe("the document's functions for one delivery", () => {
  const error = { code: "test", message: "нет" };

  // covers autoposting: Transactional SQL boundary; Point 22
  it("settle with the token or find it themselves, and refuse a stranger", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    const { delivery_id, token } = await sending();
    await expect(
      database.sql`select delivery.mark_sent(${workspace}, ${delivery_id}, 'чужой'::text, '1'::text, ${start}::timestamptz, '{}'::jsonb)`,
    ).rejects.toThrow("is not being sent under this claim token");
    await expect(
      database.sql`select delivery.mark_sent(${workspace}, ${delivery_id}, null::text, '1'::text, ${start}::timestamptz, '{}'::jsonb)`,
    ).rejects.toThrow("no claim token was given");
    await database.sql`select delivery.schedule_retry(${workspace}, ${delivery_id}, ${token}::text, ${later(30)}::timestamptz, ${database.sql.json(error)}, ${start}::timestamptz)`;
    expect(await deliveries()).toMatchObject([{ status: "retry", next_retry_at: later(30), attempt: 1 }]);
    await sending(later(30));
    await database.sql`select delivery.mark_sent(${workspace}, ${delivery_id}, '7'::text, ${later(31)}::timestamptz, '{"ok":true}'::jsonb)`;
    expect(await deliveries()).toMatchObject([
      { status: "sent", sent_at: later(31), provider_meta: { ok: true } },
    ]);
  });

  // covers autoposting: Transactional SQL boundary
  it("fail for good", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    const { delivery_id } = await sending();
    await database.sql`select delivery.fail_permanent(${workspace}, ${delivery_id}, ${database.sql.json(error)}, ${start}::timestamptz)`;
    expect(await deliveries()).toMatchObject([
      { status: "failed_permanent", last_error: { scope: "delivery", category: "PERMANENT" } },
    ]);
  });

  // covers autoposting: Transactional SQL boundary
  it("leave in doubt what nobody knows, with the token or without", async () => {
    const { sql } = database;
    await aChannel(sql, workspace);
    await post("а");
    const { delivery_id, token } = await sending();
    await sql`select delivery.mark_unknown(${workspace}, ${delivery_id}, ${token}::text, ${sql.json(error)}, ${start}::timestamptz)`;
    const doubt = { scope: "delivery", category: "TRANSIENT", code: "outcome_unknown", cause: "test" };
    expect(await deliveries()).toMatchObject([{ status: "retry", attempt: 1, last_error: doubt }]);
    await sending(later(60));
    await sql`select delivery.mark_unknown(${workspace}, ${delivery_id}, ${sql.json(error)}, ${later(60)}::timestamptz)`;
    expect(await deliveries()).toMatchObject([{ status: "retry", attempt: 2, last_error: doubt }]);
    expect(await actions()).toContain("outcome_unknown");
  });
});

describe("further requests of a delivery", () => {
  const turn = async (
    { delivery_id, token }: { delivery_id: string; token: string },
    now: Date,
  ): Promise<{ granted: boolean; at: Date; cooling: boolean } | undefined> => {
    const [row] = await database.sql<{ granted: boolean; at: Date; cooling: boolean }[]>`
      select * from delivery.take_turn(${workspace}, ${delivery_id}, ${token}, ${now})`;
    return row;
  };

  // covers autoposting: Rate limiting
  it("leave at the channel's distance from the last one, and are told when to ask", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 2 });
    await post("а");
    const taken = await sending();
    const early = await turn(taken, start);
    expect(early).toMatchObject({ granted: false, cooling: false });
    const asked = early?.at ?? start;
    expect(asked.getTime()).toBeGreaterThan(later(0.44).getTime());
    const granted = await turn(taken, asked);
    expect(granted?.granted).toBe(true);
    expect(granted?.at.getTime()).toBeGreaterThanOrEqual(later(0.5).getTime());
    expect(await turn(taken, asked)).toMatchObject({ granted: false });
  });

  it("keep the group's distance and wait for its cooldown", async () => {
    await database.sql`insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps) values (${workspace}, 'telegram', 'bot', 10)`;
    await aChannel(database.sql, workspace);
    await post("а");
    const taken = await sending();
    expect(await turn(taken, start)).toMatchObject({ granted: false });
    expect(await turn(taken, later(0.2))).toMatchObject({ granted: true });
    await database.sql`update delivery.platform_limits set cooldown_until = ${later(90)} where workspace_id = ${workspace}`;
    expect(await turn(taken, later(1))).toEqual({ granted: false, at: later(89.95), cooling: true });
  });

  it("renew the lease, and are refused to whoever has lost the delivery", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 0 });
    await post("а");
    const taken = await sending();
    await turn(taken, later(290));
    const recover = (now: Date) => database.sql`
      select * from delivery.recover_leases(interval '300 seconds', interval '300 seconds', ${now})
      where workspace_id = ${workspace}`;
    expect(await recover(later(310))).toHaveLength(0);
    expect(await recover(later(600))).toHaveLength(1);
    expect(await turn(taken, later(601))).toBeUndefined();
    const [saved] =
      await database.sql`select delivery.save_progress(${workspace}, ${taken.delivery_id}, ${taken.token}, 0, '1') as saved`;
    expect(saved).toEqual({ saved: false });
  });
});

describe("a group that became a supergroup", () => {
  it("goes on under its new id, with an event, and the delivery is tried again", async () => {
    const channel = await aChannel(database.sql, workspace, { target_id: "-5" });
    await post("а");
    const moved = {
      category: "TRANSIENT",
      scope: "channel",
      code: "chat_migrated",
      message: "moved",
      migrate_to: "-1005",
    };
    await settle([{ ...(await sending()), kind: "failed", error: moved }]);
    const [row] =
      await database.sql`select target_id, error_streak from delivery.channels where channel_id = ${channel}`;
    expect(row).toEqual({ target_id: "-1005", error_streak: 0 });
    expect(await actions()).toContain("channel_migrated");
  });
});

describe("recovering", () => {
  it.each([
    [
      "a process that died",
      () => database.sql`select delivery.recover_leases('1 minute', '1 minute', ${later(100)})`,
    ],
    [
      "a channel that was paused",
      async () => {
        await database.sql`update delivery.channels set paused_until = ${later(90)} where workspace_id = ${workspace}`;
        await startSending(later(80));
      },
    ],
    [
      "an operator's hold",
      async () => {
        const [oldest] = await database.sql`
        select delivery_id from delivery.deliveries where workspace_id = ${workspace} and status = 'claimed'`;
        const only = [oldest?.delivery_id];
        await database.sql`select delivery.hold(${workspace}, ${only}, 'я', 'подожди', ${later(80)})`;
        await database.sql`select delivery.release(${workspace}, ${only}, 'я', 'дальше', ${later(81)})`;
      },
    ],
  ])("what %s gives back keeps its place before younger posts", async (_who, giveBack) => {
    await aChannel(database.sql, workspace, { rate_rps: 1 });
    await post("Старший");
    await claim(later(30));
    await post("Младший", later(10));
    await giveBack();
    await claim(later(120));
    expect((await deliveries()).map(({ status, not_before }) => ({ status, not_before }))).toEqual([
      { status: "claimed", not_before: later(120) },
      { status: "claimed", not_before: later(121) },
    ]);
  });

  it("takes back all claims of a channel together, so that none overtakes another", async () => {
    await aChannel(database.sql, workspace, { rate_rps: 1 });
    await post("Старший");
    await claim();
    await post("Младший", later(59));
    await claim(later(59.5));
    await database.sql`select delivery.recover_leases('1 minute', '1 minute', ${later(61)})`;
    await claim(later(62));
    expect((await deliveries()).map(({ not_before }) => not_before)).toEqual([later(62), later(63)]);
  });

  // covers autoposting: Delivery state machine; Responsibilities; Point 20; Point 30
  it("takes back expired leases without counting an attempt", async () => {
    await aChannel(database.sql, workspace);
    await aChannel(database.sql, workspace, { paused_until: null });
    await post("а");
    await claim();
    await startSending(start, 1);
    const recover = (now: Date) => database.sql`
      select was, status from delivery.recover_leases(p_now => ${now}) where workspace_id = ${workspace} order by was`;
    expect(await recover(later(299))).toHaveLength(0);
    expect(await recover(later(301))).toEqual([
      { was: "claimed", status: "queued" },
      { was: "sending", status: "retry" },
    ]);
    expect((await deliveries()).map(({ attempt }) => attempt).sort()).toEqual([0, 1]);
    expect(await actions()).toEqual(
      expect.arrayContaining(["claimed_lease_expired", "sending_lease_expired"]),
    );
  });
});

describe("the state machine", () => {
  const statuses = ["queued", "claimed", "sending", "sent", "retry", "deduped", "failed_permanent", "dead"];
  const allowed = new Set([
    "queued>claimed",
    "queued>failed_permanent",
    "queued>dead",
    "retry>claimed",
    "retry>failed_permanent",
    "retry>dead",
    "claimed>sending",
    "claimed>queued",
    "claimed>retry",
    "claimed>failed_permanent",
    "claimed>dead",
    "sending>sent",
    "sending>retry",
    "sending>failed_permanent",
    "sending>dead",
    "dead>retry",
    "failed_permanent>retry",
  ]);

  // covers autoposting: Delivery state machine; Point 31
  it("lets through the listed changes and refuses every other one", async () => {
    const cells = await database.sql<{ cell: string; ok: boolean }[]>`
      select f || '>' || t as cell, delivery.transition_allowed(f, t) as ok
      from unnest(${statuses}::text[]) f, unnest(${statuses}::text[]) t where f <> t`;
    expect(new Set(cells.filter(({ ok }) => ok).map(({ cell }) => cell))).toEqual(allowed);
  });

  // covers autoposting: Table: deliveries; Transactional SQL boundary; Delivery state machine; Point 31
  it("is kept by the database itself", async () => {
    await aChannel(database.sql, workspace);
    await post("а");
    await expect(
      database.sql`update delivery.deliveries set status = 'sent', sent_at = now() where workspace_id = ${workspace}`,
    ).rejects.toThrow("a delivery cannot go from queued to sent");
  });
});

describe("the workspace's policy", () => {
  const setPolicy = (policy: Record<string, number>) => database.sql`
    update workspaces.workspaces set settings = ${database.sql.json({ policy })} where workspace_id = ${workspace}`;
  const channelRow = async () =>
    (
      await database.sql`select enabled, paused_until, error_streak from delivery.channels where workspace_id = ${workspace}`
    )[0];

  it("says how many attempts there are and how long is waited between them", async () => {
    await setPolicy({ max_attempts: 2, backoff_base_seconds: 100, backoff_max_seconds: 100 });
    await aChannel(database.sql, workspace);
    await post("а");
    const error = refusal("delivery", "TRANSIENT");
    const [first] = await settle([{ ...(await sending()), kind: "failed", error }]);
    expect(first?.status).toBe("retry");
    const waited = (first?.next_retry_at?.getTime() ?? 0) - start.getTime();
    expect(waited).toBeGreaterThanOrEqual(80_000);
    expect(waited).toBeLessThanOrEqual(120_000);
    expect(await settle([{ ...(await sending(later(200))), kind: "failed", error }])).toMatchObject([
      { status: "dead" },
    ]);
  });

  it("says when a delivery whose sender fell silent is dead", async () => {
    await setPolicy({ max_attempts: 1 });
    await aChannel(database.sql, workspace);
    await post("а");
    await sending();
    expect(
      await database.sql`
        select status from delivery.recover_leases(interval '300 seconds', interval '300 seconds', ${later(301)})
        where workspace_id = ${workspace}`,
    ).toEqual([{ status: "dead" }]);
  });

  it("says how long a refusing channel rests and when it is shut, unless the channel says otherwise", async () => {
    await setPolicy({ pause_on_permanent_seconds: 60, disable_after_permanent_streak: 2 });
    const channel = await aChannel(database.sql, workspace);
    for (const text of ["а", "б", "в"]) await post(text);
    const fail = async (now: Date) =>
      settle([{ ...(await sending(now)), kind: "failed", error: refusal("channel") }], now);
    await fail(start);
    expect(await channelRow()).toEqual({ enabled: true, paused_until: later(60), error_streak: 1 });
    await database.sql`
      update delivery.channels set pause_on_permanent_seconds = 120, disable_after_permanent_streak = 3
      where channel_id = ${channel}`;
    await fail(later(61));
    expect(await channelRow()).toEqual({ enabled: true, paused_until: later(181), error_streak: 2 });
    await fail(later(182));
    expect(await channelRow()).toMatchObject({ enabled: false, error_streak: 3 });
  });
});
