import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { isReason } from "./reasons.ts";
import { type Status, statuses } from "./statuses.ts";
import { aDelivery, allowAnyBirth, type DeliveryBuilder } from "./testing/a-delivery.ts";
import { why } from "./why.ts";

/** A Sunday at noon, Moscow 15:00. */
const now = new Date("2026-11-15T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let database: TestDatabase;
let workspace: string;
let channel: string;

beforeAll(async () => {
  database = await testDatabase();
  await allowAnyBirth(database.sql);
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(database.sql);
  channel = await aChannel(database.sql, workspace);
  await setWorkspace({ updated_at: at(-3600) });
  await setChannel({ updated_at: at(-3600) });
});

const setWorkspace = (change: object) => database.sql`
  update workspaces.workspaces set ${database.sql(change)} where workspace_id = ${workspace}`;

const setChannel = (change: object) => database.sql`
  update delivery.channels set ${database.sql(change)} where channel_id = ${channel}`;

const setGroup = (change: object) => database.sql`
  insert into delivery.platform_limits ${database.sql({
    workspace_id: workspace,
    platform: "telegram",
    rate_group: "bot",
    updated_at: at(-60),
    ...change,
  })}`;

const deliver = (given: DeliveryBuilder = {}) =>
  aDelivery(database.sql, workspace, channel, { now, ...given });

const whyOf = async (id: string, moment = now) => why(database.sql, workspace, id, moment);

const refused = { category: "PERMANENT", scope: "channel", code: "channel_unavailable", message: "нет прав" };

describe("why a delivery is not sent", () => {
  it("is unknown for one of another workspace", async () => {
    const id = await deliver();
    expect(await why(database.sql, await aWorkspace(database.sql), id, now)).toBeUndefined();
  });

  it.each<[Status, DeliveryBuilder, Record<string, unknown>]>([
    ["sent", { attempt: 1, sent_at: at(-5) }, { since: at(-5) }],
    ["deduped", {}, {}],
    ["failed_permanent", { last_error: refused }, { details: { error: refused, can_requeue: false } }],
    [
      "dead",
      { attempt: 5, last_error: { ...refused, scope: "delivery" } },
      { details: { can_requeue: true } },
    ],
  ])("tells how one that is %s ended", async (status, given, told) => {
    expect(await whyOf(await deliver({ status, ...given }))).toMatchObject({
      reason: status,
      expected_at: null,
      ...told,
    });
  });

  it("names who sends it and until when, and later that they fell silent", async () => {
    const id = await deliver({ status: "sending", attempt: 2, claim_token: `run-7:x:1` });
    expect(await whyOf(id, at(10))).toMatchObject({
      reason: "sending",
      since: now,
      expected_at: at(300),
      details: { run_id: "run-7", attempt: 2, max_attempts: 5 },
    });
    expect(await whyOf(id, at(400))).toMatchObject({
      reason: "lease_expired",
      since: at(300),
      expected_at: at(400),
    });
  });

  it("says who keeps it back before anything else", async () => {
    await setChannel({ enabled: false });
    const id = await deliver({ held_at: at(-9), hold_reason: "stale" });
    expect(await whyOf(id)).toMatchObject({
      reason: "held",
      since: at(-9),
      expected_at: null,
      details: { hold_reason: "stale" },
    });
  });

  it.each(["paused", "disabled"])(
    "says that the workspace is %s, even when a pause that ends shows first",
    async (status) => {
      await setWorkspace({ status });
      await setChannel({ paused_until: at(60) });
      expect(await whyOf(await deliver())).toMatchObject({
        reason: `workspace_${status}`,
        expected_at: null,
      });
    },
  );

  it("tells the streak and the last refusal of a channel in quarantine", async () => {
    await setChannel({ paused_until: at(3600), error_streak: 2 });
    await database.sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result, error)
      values (${workspace}, ${channel}, ${at(-30)}, 'channel_paused', 'error', ${database.sql.json(refused)})`;
    expect(await whyOf(await deliver())).toMatchObject({
      reason: "channel_paused",
      since: at(-30),
      expected_at: at(3600),
      details: { error_streak: 2, error: refused },
    });
  });

  it.each([
    ["refusals", "unauthorized", "set_credential"],
    ["refusals", "channel_unavailable", "mend_channel"],
    ["operator", null, "resume"],
    [undefined, null, "resume"],
  ])("names who stopped a channel, here %s by %s, and what would help", async (by, code, help) => {
    const until = at(3600);
    await setChannel({ paused_until: until, error_streak: 1 });
    const meta = {
      paused_until: (by ? until : at(60)).toISOString(),
      ...(by === "operator" && { manual: true, operator: "anna", reason: "переезд" }),
    };
    await database.sql`
      insert into workspaces.events (workspace_id, channel_id, ts, action, result, error, meta)
      values (${workspace}, ${channel}, ${at(-30)}, 'channel_paused', 'error',
        ${code && database.sql.json({ ...refused, code })}, ${database.sql.json(meta)})`;
    const { details } = (await whyOf(await deliver())) ?? {};
    expect(details).toMatchObject({ help, ...(by && { stopped_by: by }) });
    expect(details?.operator).toBe(by === "operator" ? "anna" : undefined);
    if (by) expect(details?.stop_reason).toBe(by === "operator" ? "переезд" : refused.message);
  });

  it("tells a disabled channel from a paused one", async () => {
    await setChannel({ enabled: false, paused_until: at(60) });
    expect(await whyOf(await deliver())).toMatchObject({ reason: "channel_disabled", expected_at: null });
  });

  it("names the group that cools down", async () => {
    await setGroup({ cooldown_until: at(20) });
    expect(await whyOf(await deliver())).toMatchObject({
      reason: "group_cooldown",
      expected_at: at(20),
      details: { rate_group: "bot" },
    });
  });

  it("tells when the window opens, and leaves an exact time alone", async () => {
    await setChannel({
      window_mode: "windowed",
      posting_window: database.sql.json({ mon: [["09:00", "12:00"]] }),
    });
    const opens = new Date("2026-11-16T06:00:00Z");
    expect(await whyOf(await deliver())).toMatchObject({ reason: "window_closed", expected_at: opens });
    expect(await whyOf(await deliver({ not_before: opens }))).toMatchObject({
      reason: "window_closed",
      expected_at: opens,
    });
    expect(await whyOf(await deliver({ not_before: at(60), scheduled_for: at(60) }))).toMatchObject({
      reason: "scheduled",
      expected_at: at(60),
    });
  });

  it("adds a window that closes during a pause to the expected time", async () => {
    await setChannel({
      window_mode: "windowed",
      posting_window: database.sql.json({ sun: [["15:00", "15:30"]], mon: [["09:00", "12:00"]] }),
      paused_until: at(3600),
    });
    expect(await whyOf(await deliver())).toMatchObject({
      reason: "channel_paused",
      expected_at: new Date("2026-11-16T06:00:00Z"),
    });
  });

  it("lets its own time speak when it is later than what blocks the channel", async () => {
    await setChannel({ paused_until: at(60) });
    const retry = { status: "retry", attempt: 2, next_retry_at: at(90), last_error: refused } as const;
    expect(await whyOf(await deliver(retry))).toMatchObject({
      reason: "retry_wait",
      expected_at: at(90),
      details: { attempt: 2, max_attempts: 5, error: { code: "channel_unavailable" } },
    });
    expect(
      await whyOf(await deliver({ ...retry, last_error: { ...refused, code: "outcome_unknown" } })),
    ).toMatchObject({ reason: "outcome_unknown", expected_at: at(90) });
  });

  it("counts the place in the channel's queue and the time its pace gives", async () => {
    await setChannel({ rate_rps: 2, next_allowed_at: at(1) });
    for (let index = 0; index < 3; index++) await deliver({ not_before: at(-10 + index) });
    expect(await whyOf(await deliver())).toMatchObject({
      reason: "rate_gate",
      expected_at: at(2.5),
      details: { ahead: 3 },
    });
  });

  it("counts the newest first where the channel catches up so", async () => {
    await setChannel({ rate_rps: 1, catchup: "newest_first" });
    const oldest = await deliver({ not_before: at(-10) });
    for (let index = 0; index < 2; index++) await deliver({ not_before: at(-5 + index) });
    expect(await whyOf(oldest)).toMatchObject({ expected_at: at(2.02), details: { ahead: 2 } });
  });

  it("counts the other channels of the group, one turn each in a round", async () => {
    await setGroup({ rate_rps: 1 });
    for (let index = 0; index < 3; index++) {
      const other = await aChannel(database.sql, workspace);
      for (let more = 0; more < 4; more++) await aDelivery(database.sql, workspace, other, { now: at(-9) });
    }
    expect(await whyOf(await deliver())).toMatchObject({
      reason: "rate_gate",
      expected_at: at(3),
      details: { ahead: 0, group_ahead: 3 },
    });
  });

  it("tells a slot from a full channel and from a channel that just sent", async () => {
    const claimed = { status: "claimed" } as const;
    expect(await whyOf(await deliver({ ...claimed, not_before: at(1.5) }))).toMatchObject({
      reason: "waiting_for_slot",
      expected_at: at(1.5),
    });
    const due = await deliver(claimed);
    expect(await whyOf(due)).toMatchObject({ reason: "ready", expected_at: now });
    await setChannel({ rate_rps: 1, last_started_at: at(-0.5) });
    expect(await whyOf(due)).toMatchObject({ reason: "rate_gate", expected_at: at(0.51) });
    await setChannel({ rate_rps: null });
    await deliver({ status: "sending", attempt: 1 });
    expect(await whyOf(due)).toMatchObject({
      reason: "max_parallel",
      details: { sending: 1, max_parallel: 1 },
    });
  });

  it("says when a claim was forgotten", async () => {
    const id = await deliver({ status: "claimed" });
    expect(await whyOf(id, at(301))).toMatchObject({ reason: "lease_expired", since: at(300) });
  });

  it("says that no dispatcher runs when nobody took it for half a minute", async () => {
    const id = await deliver();
    expect(await whyOf(id, at(29))).toMatchObject({ reason: "ready" });
    expect(await whyOf(id, at(31))).toMatchObject({ reason: "dispatcher_not_running", expected_at: null });
    const elsewhere = await aChannel(database.sql, workspace);
    await aDelivery(database.sql, workspace, elsewhere, { now: at(20), status: "sending", attempt: 1 });
    expect(await whyOf(id, at(31))).toMatchObject({ reason: "ready" });
  });

  it("says so too for the last of a long queue at a slow pace", async () => {
    await setChannel({ rate_rps: 0.1 });
    for (let index = 0; index < 5; index++) await deliver();
    expect(await whyOf(await deliver(), at(31))).toMatchObject({ reason: "dispatcher_not_running" });
    await setChannel({ next_allowed_at: at(35) });
    expect(await whyOf(await deliver(), at(31))).toMatchObject({ reason: "rate_gate" });
  });
});

describe("whatever the state", () => {
  const moment = fc.integer({ min: -4000, max: 4000 }).map(at);
  const past = fc.integer({ min: -4000, max: 0 }).map(at);
  const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const rate = perhaps(fc.constantFrom(0, 0.01, 1, 30));
  const window = fc.constantFrom(
    { sat: [["03:00", "03:01"]] },
    { mon: [["09:00", "12:00"]] },
    { sun: [["14:00", "16:00"]], mon: [["23:00", "02:00"]] },
  );
  const errors = fc.constantFrom(
    { ...refused, code: "outcome_unknown" },
    { ...refused, retry_after_ms: 9 },
    null,
  );

  /** Reasons that must keep the dispatcher from sending. */
  const keptBack = new Set([
    ...["held", "scheduled", "retry_wait", "outcome_unknown", "waiting_for_slot"],
    ...["workspace_paused", "workspace_disabled", "channel_disabled"],
    ...["channel_paused", "group_cooldown", "window_closed"],
  ]);
  const isStale = (row: { hold_reason?: string; last_error?: { code?: string } } | undefined) =>
    row?.hold_reason === "stale" || row?.last_error?.code === "stale_dropped";

  const states = fc.record({
    workspace: fc.constantFrom("active", "active", "active", "paused", "disabled"),
    channel: fc.record({
      enabled: fc.constantFrom(true, true, true, false),
      paused_until: perhaps(moment),
      rate_rps: rate,
      next_allowed_at: perhaps(moment),
      last_started_at: perhaps(past),
      max_parallel: fc.integer({ min: 1, max: 2 }),
      window_mode: fc.constantFrom("immediate", "windowed"),
      catchup: fc.constantFrom("paced", "newest_first"),
      max_age_seconds: perhaps(fc.integer({ min: 1, max: 5000 })),
    }),
    window,
    group: perhaps(
      fc.record({ rate_rps: rate, next_allowed_at: perhaps(moment), cooldown_until: perhaps(moment) }),
    ),
    delivery: fc.record({
      status: fc.constantFrom(...statuses),
      not_before: moment,
      scheduled_for: perhaps(moment),
      claimed_at: past,
      sending_started_at: past,
      retry_at: moment,
      held: fc.constantFrom(false, false, false, true),
      attempt: fc.integer({ min: 0, max: 6 }),
      last_error: errors,
    }),
    others: fc.array(fc.constantFrom<Status>("queued", "retry", "claimed", "sending"), { maxLength: 3 }),
  });

  it("there is exactly one known reason, no expected time in the past, and the dispatcher acts accordingly", async () => {
    await fc.assert(
      fc.asyncProperty(states, async (state) => {
        workspace = await aWorkspace(database.sql, { status: state.workspace });
        channel = await aChannel(database.sql, workspace);
        await setWorkspace({ updated_at: at(-5000) });
        await setChannel({
          ...state.channel,
          posting_window: database.sql.json(state.window),
          updated_at: at(-5000),
        });
        if (state.group) await setGroup(state.group);
        for (const status of state.others) await deliver({ status, not_before: at(-20) });
        const { held, retry_at, claimed_at, sending_started_at, status, ...given } = state.delivery;
        const taken = status === "claimed" || status === "sending";
        const waits = status === "queued" || status === "retry";
        const id = await deliver({
          ...given,
          status,
          ...(status === "retry" ? { next_retry_at: retry_at } : {}),
          ...(taken ? { claimed_at } : {}),
          ...(status === "sending" ? { sending_started_at } : {}),
          ...(held && waits ? { held_at: at(-60), hold_reason: "operator: ждём" } : {}),
          created_at: at(-4000),
          updated_at: at(-4000),
        });

        const rows = await database.sql`select * from delivery.why(${workspace}, ${id}, ${now})`;
        expect(rows).toHaveLength(1);
        const [told] = rows;
        expect(isReason(told?.reason)).toBe(true);
        expect(told?.since).toBeInstanceOf(Date);
        expect(told?.details).toBeInstanceOf(Object);
        if (told?.expected_at) expect(told.expected_at.getTime()).toBeGreaterThanOrEqual(now.getTime());
        if (!waits && !taken) expect(told?.reason).toBe(status);

        await database.sql`select delivery.claim_deliveries(${workspace}, 'run', 100, ${now})`;
        await database.sql`select delivery.start_sending(${workspace}, 'run', 100, ${now})`;
        const [after] = await database.sql`select * from delivery.deliveries where delivery_id = ${id}`;
        if (keptBack.has(told?.reason)) expect(after?.status).not.toBe("sending");
        if (told?.reason === "ready" && !isStale(after))
          expect(["claimed", "sending"]).toContain(after?.status);
      }),
      { numRuns: 300 },
    );
  });
});
