import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { aDelivery, allowAnyBirth, type DeliveryBuilder } from "../deliveries/testing/a-delivery.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";

const began = new Date("2026-11-15T12:00:00Z").getTime();
const at = (seconds: number) => new Date(began + seconds * 1_000);

let database: TestDatabase;
let sql: Sql;
let workspace: string;
let channel: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ sql } = database);
  await allowAnyBirth(sql);
});
afterAll(() => database.drop());
beforeEach(async () => {
  workspace = await aWorkspace(sql);
  channel = await aChannel(sql, workspace);
});

const sent = (given: DeliveryBuilder = {}) =>
  aDelivery(sql, workspace, channel, { status: "sent", now: at(-60), ...given });

interface Answer {
  readonly action: string;
  readonly code: string | null;
  readonly correction_id: string;
}

async function order(kind: "edit" | "remove", delivery: string, text = "Стало", now = at(0), item = {}) {
  const post = { text, meta: { compiled: { text } } };
  const items = [{ delivery_id: delivery, ...(kind === "edit" && post), ...item }];
  const [row] = await sql<[Answer]>`
    select action, code, correction_id from delivery.enqueue_corrections(
      ${workspace}, ${kind}, ${sql.json({ text })}, ${sql.json(items)}, 'анна', 'ошибка', ${now})`;
  return row;
}
const edit = (delivery: string, text?: string, now?: Date, item?: object) =>
  order("edit", delivery, text, now, item);
const remove = (delivery: string, now?: Date) => order("remove", delivery, "", now);

interface Started {
  readonly correction_id: string;
  readonly token: string;
  readonly text: string | null;
  readonly departs_at: Date;
  readonly posted: { readonly text: string; readonly may_differ: boolean };
}

const start = (now = at(0), limit = 10) => sql<Started[]>`
  select correction_id, claim_token as token, rendered_text as text, departs_at, posted
  from delivery.start_corrections(${workspace}, 'run', ${limit}, ${now})`;

const outcomes = {
  sent: { kind: "sent", meta: {}, message_ids: ["1"] },
  unknown: {
    kind: "unknown",
    error: { category: "TRANSIENT", scope: "delivery", code: "timeout", message: "?" },
  },
  transient: {
    kind: "failed",
    error: { category: "TRANSIENT", scope: "delivery", code: "test", message: "?" },
  },
  refused: {
    kind: "failed",
    error: { category: "PERMANENT", scope: "channel", code: "gone", message: "нет" },
  },
  waits: {
    kind: "failed",
    error: {
      category: "TRANSIENT",
      scope: "platform",
      code: "rate_limited",
      message: "?",
      retry_after_ms: 40_000,
    },
  },
} as const;

async function settle(one: Started | undefined, outcome: keyof typeof outcomes, now = at(1)) {
  const given = [{ correction_id: one?.correction_id, token: one?.token, ...outcomes[outcome] }];
  const [row] = await sql<[{ applied: boolean; status: string; next_retry_at: Date | null }]>`
    select applied, status, next_retry_at from delivery.settle_corrections(${workspace}, ${sql.json(given)}, ${now})`;
  return row;
}

const corrections = async (delivery: string) =>
  (
    await sql<{ said: string }[]>`
      select concat_ws(' ', kind, number, status, rendered_text) as said from delivery.corrections
      where delivery_id = ${delivery} order by number`
  ).map(({ said }) => said);

const why = async (correction: string, now: Date) => {
  const [row] = await sql<[{ reason: string; expected_at: Date | null }]>`
    select w.reason, w.expected_at from delivery.corrections c
    cross join lateral delivery.why_correction(c, ${now}) w where c.correction_id = ${correction}`;
  return row;
};

const actions = async (delivery: string) =>
  (
    await sql<
      { action: string }[]
    >`select action from workspaces.events where delivery_id = ${delivery} order by ts, id`
  ).map(({ action }) => action);

describe("a correction", () => {
  // covers corrections: Its own attempts and outcome
  it("has its own attempts and outcome, and its delivery stays sent", async () => {
    const delivery = await sent();
    expect(await edit(delivery)).toMatchObject({ action: "edit", code: null });
    const [one] = await start();
    expect(one).toMatchObject({ text: "Стало", posted: { text: "Пост", may_differ: false } });
    expect(await settle(one, "transient")).toMatchObject({ applied: true, status: "retry" });
    const [again] = await start(at(60));
    expect(again?.posted.may_differ).toBe(true);
    expect(await settle(again, "sent", at(61))).toMatchObject({ status: "done" });
    const [row] = await sql`
      select status, attempt, rendered_text, withdrawn_at from delivery.deliveries where delivery_id = ${delivery}`;
    expect(row).toEqual({ status: "sent", attempt: 0, rendered_text: "Пост", withdrawn_at: null });
    expect(await actions(delivery)).toEqual([
      ...["correction_queued", "correction_attempt", "correction_retry", "correction_attempt", "corrected"],
    ]);
  });

  // covers corrections: The newest wins
  it("is superseded by a newer one while it waits, and the newest is what readers see", async () => {
    const delivery = await sent();
    await edit(delivery, "Раз");
    await edit(delivery, "Два");
    await edit(delivery, "Три");
    const started = await start();
    expect(started.map(({ text }) => text)).toEqual(["Три"]);
    await settle(started[0], "sent");
    expect(await corrections(delivery)).toEqual([
      "edit 1 superseded Раз",
      "edit 2 superseded Два",
      "edit 3 done Три",
    ]);
  });

  // covers corrections: The newest wins
  it("that comes while an older one is under way waits for its end, and as long as the older might still arrive", async () => {
    const delivery = await sent();
    await edit(delivery, "Раз");
    const [older] = await start();
    await edit(delivery, "Два");
    expect(await start()).toEqual([]);
    await settle(older, "unknown", at(1));
    expect(await corrections(delivery)).toEqual(["edit 1 superseded Раз", "edit 2 queued Два"]);
    expect(await start(at(2))).toEqual([]);
    const [newer] = await start(at(30));
    expect(newer).toMatchObject({ text: "Два", posted: { text: "Пост", may_differ: true } });
  });

  it("begins with what the last one left", async () => {
    const delivery = await sent();
    await edit(delivery, "Раз");
    await settle((await start())[0], "sent");
    await edit(delivery, "Два", at(2));
    expect((await start(at(2)))[0]?.posted).toMatchObject({ text: "Раз", may_differ: false });
  });

  // covers corrections: Attempts end
  it("is dead when its attempts are used up", async () => {
    const delivery = await sent();
    await edit(delivery);
    for (let attempt = 1; attempt <= 5; attempt++) {
      const [one] = await start(at(attempt * 1_000));
      const { status } = await settle(one, "transient", at(attempt * 1_000 + 1));
      expect(status).toBe(attempt < 5 ? "retry" : "dead");
    }
    expect(await start(at(10_000))).toEqual([]);
  });

  // covers corrections: The provider's wait is kept
  it("that the provider asks to wait waits as long, and its group with it", async () => {
    channel = await aChannel(sql, workspace, { max_parallel: 2 });
    const delivery = await sent();
    await edit(delivery);
    const { next_retry_at } = await settle((await start())[0], "waits");
    expect(next_retry_at?.getTime()).toBeGreaterThanOrEqual(at(41).getTime());
    const other = await sent();
    const { correction_id } = await edit(other, "Иначе", at(2));
    expect(await start(at(40.9))).toEqual([]);
    expect(await why(correction_id, at(2))).toEqual({ reason: "group_cooldown", expected_at: at(41) });
    expect(await start(at(46))).toHaveLength(2);
    const held = await sql`select from delivery.claim_deliveries(${workspace}, 'run', 10, ${at(5)})`;
    expect(held).toHaveLength(0);
  });

  it("that is refused pauses no channel: new posts may well be taken", async () => {
    const delivery = await sent();
    await edit(delivery);
    expect(await settle((await start())[0], "refused")).toMatchObject({ status: "failed_permanent" });
    const [row] =
      await sql`select enabled, paused_until, error_streak from delivery.channels where channel_id = ${channel}`;
    expect(row).toEqual({ enabled: true, paused_until: null, error_streak: 0 });
  });

  it("is settled by nobody but whoever started it", async () => {
    const delivery = await sent();
    await edit(delivery);
    const [one] = await start();
    expect(await settle(one && { ...one, token: "чужой" }, "sent")).toMatchObject({ applied: false });
    expect(await settle(one, "sent")).toMatchObject({ applied: true });
    expect(await settle(one, "sent")).toMatchObject({ applied: false });
  });

  it("that its platform cannot make is on record with the reason, and is never started", async () => {
    const delivery = await sent();
    const error = { code: "album_size", message: "нельзя" };
    expect(await edit(delivery, "а", at(0), { error })).toMatchObject({
      action: "refused",
      code: "album_size",
    });
    expect(await corrections(delivery)).toEqual(["edit 1 failed_permanent а"]);
    expect(await start()).toEqual([]);
  });
});

describe("a removal", () => {
  // covers corrections: A withdrawal ends waiting edits
  it("ends edits that wait, and nothing is edited afterwards", async () => {
    const delivery = await sent();
    await edit(delivery, "Раз");
    expect(await remove(delivery)).toMatchObject({ action: "remove" });
    expect(await edit(delivery, "Два")).toMatchObject({ action: "refused", code: "being_withdrawn" });
    expect(await remove(delivery)).toMatchObject({ action: "none", code: "being_withdrawn" });
    await settle((await start())[0], "sent", at(5));
    const [row] =
      await sql`select status, withdrawn_at from delivery.deliveries where delivery_id = ${delivery}`;
    expect(row).toEqual({ status: "sent", withdrawn_at: at(5) });
    expect(await edit(delivery, "Три")).toMatchObject({ action: "refused", code: "withdrawn" });
    expect(await remove(delivery)).toMatchObject({ action: "none", code: "withdrawn" });
    expect((await actions(delivery)).at(-1)).toBe("withdrawn");
  });

  // covers corrections: Withdrawn posts do not count as sent
  it("makes room for the same post", async () => {
    const { message_id } = await enqueue(sql, workspace, "Новость", { now: at(-100) });
    await sql`delete from delivery.deliveries where message_id = ${message_id}`;
    const [message] = await sql`select content_hash from delivery.messages where message_id = ${message_id}`;
    const delivery = await sent({ message_id });
    await sql`update delivery.deliveries set content_hash = ${message?.content_hash} where delivery_id = ${delivery}`;
    expect(await enqueue(sql, workspace, "Новость", { now: at(0) })).toMatchObject({ queued: 0, deduped: 1 });
    await remove(delivery);
    await settle((await start())[0], "sent", at(1));
    expect(await enqueue(sql, workspace, "Новость", { now: at(2) })).toMatchObject({ queued: 1, deduped: 0 });
  });
});

describe("a post that was not sent yet", () => {
  // covers corrections: What waits is recompiled or cancelled
  it.each(["queued", "claimed", "retry"] as const)("and is %s is sent in the new words", async (status) => {
    const delivery = await aDelivery(sql, workspace, channel, { status, now: at(0) });
    expect(await edit(delivery)).toMatchObject({ action: "replaced", correction_id: null });
    const [row] =
      await sql`select status, rendered_text, render_meta from delivery.deliveries where delivery_id = ${delivery}`;
    expect(row).toEqual({ status, rendered_text: "Стало", render_meta: { compiled: { text: "Стало" } } });
    expect(await actions(delivery)).toEqual(["post_replaced"]);
  });

  // covers corrections: What waits is recompiled or cancelled
  it("is called off when it is taken back", async () => {
    const delivery = await aDelivery(sql, workspace, channel, { now: at(0) });
    expect(await remove(delivery)).toMatchObject({ action: "cancelled" });
    const [row] =
      await sql`select status, last_error ->> 'code' as code from delivery.deliveries where delivery_id = ${delivery}`;
    expect(row).toEqual({ status: "failed_permanent", code: "cancelled" });
  });

  it("and is being sent, or may have arrived, is corrected when that is over", async () => {
    const delivery = await aDelivery(sql, workspace, channel, { status: "sending", now: at(0) });
    const { action, correction_id } = await edit(delivery);
    expect(action).toBe("after_sending");
    expect(await start()).toEqual([]);
    expect(await why(correction_id, at(1))).toMatchObject({ reason: "waiting_for_post" });
    await sql`
      update delivery.deliveries set status = 'sent', sent_at = ${at(1)}, claim_token = null, sending_started_at = null,
        claimed_at = null where delivery_id = ${delivery}`;
    expect(await start(at(2))).toHaveLength(1);
    const doubtful = await aDelivery(sql, workspace, channel, {
      ...{ status: "retry", now: at(0), last_error: { code: "outcome_unknown" } },
    });
    expect(await remove(doubtful)).toMatchObject({ action: "after_sending" });
  });

  it("and never is leaves nothing to correct", async () => {
    const delivery = await aDelivery(sql, workspace, channel, { status: "sending", now: at(0) });
    await edit(delivery);
    await sql`
      update delivery.deliveries set status = 'failed_permanent', claim_token = null, sending_started_at = null, claimed_at = null
      where delivery_id = ${delivery}`;
    expect(await start(at(2))).toEqual([]);
    expect(await corrections(delivery)).toEqual(["edit 1 failed_permanent Стало"]);
    expect(await edit(delivery)).toMatchObject({ action: "none", code: "not_sent" });
  });
});

describe("the turn of a correction", () => {
  // covers corrections: The same rates
  it("is a slot of its channel: what follows keeps its distance, a post too", async () => {
    await sql`update delivery.channels set enabled = false where channel_id = ${channel}`;
    channel = await aChannel(sql, workspace, { rate_rps: 2, max_parallel: 5 });
    const [one, other] = [await sent(), await sent()];
    await edit(one);
    await edit(other);
    const first = await start();
    expect(first.map(({ departs_at }) => departs_at)).toEqual([at(0)]);
    const [row] = await sql<[{ at: Date }]>`select delivery.next_correction_at(${workspace}, ${at(0)}) as at`;
    expect(row.at).toEqual(at(0.255));
    await enqueue(sql, workspace, "Пост", { now: at(0) });
    await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${at(0)})`;
    expect(await sql`select from delivery.start_sending(${workspace}, 'run', 10, ${at(0.2)})`).toHaveLength(
      0,
    );
    expect((await start(at(0.255))).map(({ departs_at }) => departs_at)).toEqual([at(0.505)]);
    expect(
      await sql`
      select from delivery.start_sending(${workspace}, 'run', 10, ${at(1)}) where channel_id = ${channel}`,
    ).toHaveLength(0);
    expect(
      await sql`
      select from delivery.start_sending(${workspace}, 'run', 10, ${at(1.02)}) where channel_id = ${channel}`,
    ).toHaveLength(1);
  });

  // covers corrections: The same rates
  it("is a slot of its rate group, whichever channels they are of", async () => {
    await sql`
      insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps) values (${workspace}, 'telegram', 'bot', 20)`;
    for (let number = 0; number < 4; number++) {
      channel = await aChannel(sql, workspace);
      await edit(await sent());
    }
    const departures: Date[] = [];
    for (let ms = 0; ms <= 200; ms += 1)
      for (const { departs_at } of await start(at(ms / 1_000))) departures.push(departs_at);
    expect(departures).toEqual([0, 0.0505, 0.101, 0.1515].map((s) => new Date(Math.floor(at(s).getTime()))));
  });

  it("waits for a place in its channel, and takes one", async () => {
    const busy = await aDelivery(sql, workspace, channel, { status: "sending", now: at(0) });
    const { correction_id } = await edit(await sent());
    expect(await start()).toEqual([]);
    expect(await why(correction_id, at(0))).toMatchObject({ reason: "max_parallel" });
    await sql`
      update delivery.deliveries set status = 'sent', sent_at = ${at(1)}, claim_token = null, sending_started_at = null,
        claimed_at = null where delivery_id = ${busy}`;
    expect(await start(at(2))).toHaveLength(1);
    await enqueue(sql, workspace, "Пост", { now: at(2) });
    await sql`select delivery.claim_deliveries(${workspace}, 'run', 10, ${at(2)})`;
    expect(await sql`select from delivery.start_sending(${workspace}, 'run', 10, ${at(2)})`).toHaveLength(0);
  });

  it.each([
    [
      "channel_disabled",
      () => sql`update delivery.channels set enabled = false where channel_id = ${channel}`,
    ],
    [
      "channel_paused",
      () => sql`update delivery.channels set paused_until = ${at(100)} where channel_id = ${channel}`,
    ],
    [
      "workspace_paused",
      () => sql`update workspaces.workspaces set status = 'paused' where workspace_id = ${workspace}`,
    ],
  ] as const)("does not come while its %s", async (reason, stop) => {
    const { correction_id } = await edit(await sent());
    await stop();
    expect(await start()).toEqual([]);
    expect(await why(correction_id, at(0))).toMatchObject({ reason });
  });

  it("comes outside the hours in which the channel takes posts", async () => {
    const monday = { mon: [["09:00", "10:00"]] };
    await sql`
      update delivery.channels set window_mode = 'windowed', timezone = 'UTC', posting_window = ${sql.json(monday)}
      where channel_id = ${channel}`;
    await edit(await sent());
    expect(await start()).toHaveLength(1);
  });
});

describe("a process that is gone", () => {
  // covers corrections: A dead process loses nothing
  it("leaves its correction to another, which makes it again", async () => {
    const delivery = await sent();
    const { correction_id } = await edit(delivery);
    const [one] = await start();
    await sql`select delivery.recover_leases(interval '5 seconds', interval '5 seconds', ${at(4)})`;
    expect(await why(correction_id, at(4))).toMatchObject({ reason: "sending" });
    await sql`select delivery.recover_leases(interval '5 seconds', interval '5 seconds', ${at(6)})`;
    expect(await why(correction_id, at(6))).toMatchObject({ reason: "outcome_unknown" });
    expect(await settle(one, "sent", at(7))).toMatchObject({ applied: false });
    const [again] = await start(at(40));
    expect(await settle(again, "sent", at(41))).toMatchObject({ status: "done" });
  });

  it("holds a newer correction back until its last request has ended", async () => {
    const delivery = await sent();
    await edit(delivery, "Раз");
    await start();
    await edit(delivery, "Два", at(1));
    await sql`select delivery.take_back_corrections(null, array['run'], interval '25 seconds', ${at(2)})`;
    expect(await corrections(delivery)).toEqual(["edit 1 superseded Раз", "edit 2 queued Два"]);
    expect(await start(at(26))).toEqual([]);
    expect(await start(at(60))).toHaveLength(1);
  });
});

describe("plain SQL", () => {
  const statuses = ["queued", "sending", "retry", "done", "failed_permanent", "dead", "superseded"] as const;
  const allowed: Record<string, readonly string[]> = {
    queued: ["sending", "superseded", "failed_permanent"],
    retry: ["sending", "superseded", "failed_permanent"],
    sending: ["done", "retry", "failed_permanent", "dead", "superseded"],
  };
  const ways: Record<(typeof statuses)[number], readonly string[]> = {
    queued: [],
    sending: ["sending"],
    retry: ["sending", "retry"],
    done: ["sending", "done"],
    failed_permanent: ["failed_permanent"],
    dead: ["sending", "dead"],
    superseded: ["superseded"],
  };
  const change = (id: string, status: string) => sql`
    update delivery.corrections set status = ${status},
      claim_token = case when ${status} = 'sending' then 'проба' end,
      sending_started_at = case when ${status} = 'sending' then now() end,
      ended_at = case when ${status} in ('done', 'failed_permanent', 'dead', 'superseded') then now() end
    where correction_id = ${id}`;

  // covers corrections: Only legal steps
  it.each(statuses.flatMap((from) => statuses.filter((to) => to !== from).map((to) => [from, to] as const)))(
    "may go from %s to %s only by the table",
    async (from, to) => {
      const { correction_id } = await edit(await sent());
      for (const step of ways[from]) await change(correction_id, step);
      if (allowed[from]?.includes(to)) await change(correction_id, to);
      else
        await expect(change(correction_id, to)).rejects.toThrow(
          `a correction cannot go from ${from} to ${to}`,
        );
    },
  );

  it("cannot begin a correction with an attempt behind it, or in the middle", async () => {
    const delivery = await sent();
    const insert = (status: string, attempt = 0) => sql`
      insert into delivery.corrections (workspace_id, delivery_id, message_id, channel_id, number, kind, status, attempt, due_at,
        operator, reason, claim_token, sending_started_at, ended_at)
      select workspace_id, delivery_id, message_id, channel_id, 1, 'remove', ${status}, ${attempt}, now(), 'а', 'б',
        case when ${status} = 'sending' then 'x' end, case when ${status} = 'sending' then now() end,
        case when ${status} in ('done', 'dead', 'superseded') then now() end
      from delivery.deliveries where delivery_id = ${delivery}`;
    for (const status of statuses.filter((one) => !["queued", "failed_permanent"].includes(one)))
      await expect(insert(status)).rejects.toThrow(`a correction cannot begin as ${status}`);
    await expect(insert("queued", 1)).rejects.toThrow("a correction cannot begin");
  });
});

it("a delivery that is being corrected outlives its retention, and takes its history with it afterwards", async () => {
  const old = at(-100 * 24 * 3_600);
  const delivery = await sent({ now: old, updated_at: old });
  await edit(delivery);
  const purge = () => sql`select delivery.retention_deliveries(${workspace}, null, 100, ${at(0)})`;
  await purge();
  expect(await corrections(delivery)).toHaveLength(1);
  await settle((await start())[0], "sent");
  await purge();
  expect(await corrections(delivery)).toHaveLength(0);
});

it("files of what posts were to say instead are kept", async () => {
  await edit(await sent());
  await sql`update delivery.revisions set payload = ${sql.json({ media: [{ blob_ref: "b" }] })} where workspace_id = ${workspace}`;
  const [row] = await sql<[{ refs: number }]>`select delivery.media_refs(${workspace}, 'b')::int as refs`;
  expect(row.refs).toBe(1);
});
