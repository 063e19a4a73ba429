import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { type Operation, operate, operations, releaseStuck } from "./operations.ts";
import { type Status, statuses } from "./statuses.ts";
import { aDelivery, allowAnyBirth, type DeliveryBuilder } from "./testing/a-delivery.ts";

const now = new Date("2026-11-15T12:00:00Z");
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const act = { operator: "anna", reason: "проверка", now };

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
});

const deliver = (given: DeliveryBuilder = {}) =>
  aDelivery(database.sql, workspace, channel, { now, ...given });

const row = async (id: string) => {
  const [found] = await database.sql`select * from delivery.deliveries where delivery_id = ${id}`;
  return found;
};

const events = (id: string) => database.sql`
  select action, attempt, result, meta from workspaces.events where delivery_id = ${id} order by ts, id`;

const failure = (scope: string, code = "test") => ({ category: "PERMANENT", scope, code, message: "нет" });

const perform = async (
  operation: Operation,
  id: string,
  change: Partial<typeof act> & { dryRun?: boolean } = {},
) => {
  const [answer] = await operate(database.sql, workspace, operation, [id], { ...act, ...change });
  if (!answer) throw new Error("no answer");
  return answer;
};

describe("requeue", () => {
  // covers autoposting: Status semantics / alerting; 3) Safe requeue for dead; 4) Requeue failed_permanent; Point 20; Point 32
  it.each<[Status, DeliveryBuilder]>([
    ["dead", { attempt: 5, last_error: failure("platform") }],
    ["failed_permanent", { attempt: 1, last_error: failure("delivery") }],
    ["failed_permanent", { attempt: 1 }],
  ])("sends %s again, grants one more attempt and tells who did it", async (status, given) => {
    const id = await deliver({ status, ...given });
    expect(await perform("requeue", id)).toEqual({
      delivery_id: id,
      was: status,
      status: "retry",
      refusal: null,
    });
    expect(await row(id)).toMatchObject({
      status: "retry",
      attempt: given.attempt,
      requeues: 1,
      next_retry_at: now,
    });
    expect(await events(id)).toEqual([
      {
        action: "manual_requeue",
        attempt: given.attempt,
        result: "ok",
        meta: expect.objectContaining({ operator: "anna", reason: "проверка", from_status: status }),
      },
    ]);
  });

  // covers autoposting: 4) Requeue failed_permanent; Point 32
  it.each<[Status, string, DeliveryBuilder]>([
    ["failed_permanent", "its channel refused it", { last_error: failure("channel") }],
    ["failed_permanent", "the platform refused it", { last_error: failure("platform") }],
    ["sent", "it was sent already", {}],
    ["deduped", "the channel has the same post", {}],
    ["queued", "it is on its way", {}],
    ["claimed", "it is on its way", {}],
    ["sending", "it is on its way", { attempt: 1 }],
    ["retry", "it is on its way", {}],
  ])("leaves one that is %s alone: %s", async (status, refusal, given) => {
    const id = await deliver({ status, ...given });
    expect(await perform("requeue", id)).toMatchObject({
      was: status,
      status,
      refusal: expect.stringContaining(refusal),
    });
    expect(await row(id)).toMatchObject({ status, requeues: 0 });
    expect(await events(id)).toEqual([]);
  });

  it("leaves one alone whose post came to the channel by another delivery meanwhile", async () => {
    const dead = { status: "dead", attempt: 5 } as const;
    const id = await deliver(dead);
    const { message_id } = (await row(id)) ?? {};
    const later = await deliver({ status: "queued", message_id });
    expect((await perform("requeue", id)).refusal).toContain(`on its way to this channel: ${later}`);
    await database.sql`
      update delivery.deliveries set status = 'claimed', claim_token = 'run' where delivery_id = ${later}`;
    await database.sql`update delivery.deliveries set status = 'sending' where delivery_id = ${later}`;
    await database.sql`
      update delivery.deliveries set status = 'sent', sent_at = ${now}, claim_token = null where delivery_id = ${later}`;
    expect((await perform("requeue", id)).refusal).toContain(`got the same post since: ${later}`);
    expect(await row(id)).toMatchObject({ status: "dead", requeues: 0 });
    expect((await perform("requeue", id, { now: at(169 * 3_600) })).refusal).toBeNull();
  });

  it("sends one of several that carry the same post to the same channel", async () => {
    const first = await deliver({ status: "dead", attempt: 5 });
    const { message_id } = (await row(first)) ?? {};
    const second = await deliver({ status: "dead", attempt: 5, message_id });
    const answers = await operate(database.sql, workspace, "requeue", [first, second], act);
    expect(answers.map(({ status }) => status).sort()).toEqual(["dead", "retry"]);
    expect(answers.find(({ status }) => status === "dead")?.refusal).toContain(
      "another delivery of this request",
    );
  });

  it("decides an outcome that was left to a person, and lets a post that was dropped for its age be new", async () => {
    const unknown = await deliver({
      status: "failed_permanent",
      last_error: failure("delivery", "outcome_unknown"),
    });
    await perform("requeue", unknown);
    expect(await row(unknown)).toMatchObject({ status: "retry", last_error: null });
    const stale = await deliver({
      status: "failed_permanent",
      last_error: failure("delivery", "stale_dropped"),
    });
    await perform("requeue", stale);
    expect(await row(stale)).toMatchObject({ scheduled_for: now });
  });

  it("wakes the dispatcher", async () => {
    const id = await deliver({ status: "dead" });
    const woken = new Promise<string>((resolve) => {
      void database.sql.listen(
        "molva_deliveries",
        (payload) => payload === workspace && resolve(payload),
        () => {
          void perform("requeue", id);
        },
      );
    });
    expect(await woken).toBe(workspace);
  });
});

describe("on what waits", () => {
  it.each<Status>(["queued", "retry", "claimed"])(
    "cancel ends one that is %s without an attempt",
    async (status) => {
      const id = await deliver({ status, attempt: status === "retry" ? 2 : 0 });
      expect(await perform("cancel", id)).toMatchObject({ status: "failed_permanent", refusal: null });
      expect(await row(id)).toMatchObject({
        status: "failed_permanent",
        attempt: status === "retry" ? 2 : 0,
        claim_token: null,
        last_error: { code: "cancelled", scope: "delivery" },
      });
      expect(await events(id)).toMatchObject([
        { action: "cancelled", meta: { operator: "anna", from_status: status } },
      ]);
    },
  );

  it.each<[Status, Status]>([
    ["queued", "queued"],
    ["retry", "retry"],
    ["claimed", "queued"],
  ])("hold keeps back one that is %s, and release lets it go on", async (status, kept) => {
    const id = await deliver({ status });
    expect(await perform("hold", id)).toMatchObject({ status: kept, refusal: null });
    expect(await row(id)).toMatchObject({
      held_at: now,
      hold_reason: "operator: проверка",
      claim_token: null,
    });
    expect(await perform("hold", id)).toMatchObject({ refusal: "it is held already" });
    const claimed =
      await database.sql`select * from delivery.claim_deliveries(${workspace}, 'run', 10, ${at(1)})`;
    expect(claimed).toEqual([]);

    expect(await perform("release", id, { now: at(2) })).toMatchObject({ status: kept, refusal: null });
    expect(await row(id)).toMatchObject({ held_at: null, hold_reason: null });
    expect(await perform("release", id)).toMatchObject({ refusal: "it is not held" });
    expect((await events(id)).map(({ action }) => action)).toEqual(["held", "released"]);
  });

  it("release lets a post that was held for its age be new, so that it is not held again", async () => {
    await database.sql`update delivery.channels set max_age_seconds = 60, on_stale = 'hold' where channel_id = ${channel}`;
    const id = await deliver({ created_at: at(-3600), held_at: at(-60), hold_reason: "stale" });
    await perform("release", id);
    await database.sql`select * from delivery.claim_deliveries(${workspace}, 'run', 10, ${at(1)})`;
    expect(await row(id)).toMatchObject({ status: "claimed", held_at: null });
  });

  it("send-now makes now the exact time", async () => {
    const scheduled = await deliver({ not_before: at(7200), scheduled_for: at(7200) });
    expect(await perform("send_now", scheduled)).toMatchObject({ status: "queued", refusal: null });
    expect(await row(scheduled)).toMatchObject({ not_before: now, scheduled_for: now, due_at: now });
    const retry = await deliver({ status: "retry", next_retry_at: at(300) });
    await perform("send_now", retry);
    expect(await row(retry)).toMatchObject({ status: "retry", next_retry_at: now, due_at: now });
    expect(await events(retry)).toMatchObject([
      { action: "released", meta: { was_due_at: expect.any(String) } },
    ]);
  });

  it.each<[string, DeliveryBuilder]>([
    [
      "the provider asked to wait",
      { status: "retry", next_retry_at: at(30), last_error: { retry_after_ms: 30_000 } },
    ],
    ["it is due already", {}],
    ["it is held", { not_before: at(60), held_at: now, hold_reason: "stale" }],
    ["it has its slot", { status: "claimed", not_before: at(1) }],
  ])("send-now does not hurry when %s", async (refusal, given) => {
    const id = await deliver(given);
    expect(await perform("send_now", id)).toMatchObject({ refusal: expect.stringContaining(refusal) });
  });

  it.each(
    operations
      .filter((operation) => operation !== "requeue")
      .flatMap((operation) =>
        statuses
          .filter((status) => !["queued", "retry", "claimed"].includes(status))
          .map((status): [Operation, Status] => [operation, status]),
      ),
  )("%s leaves one that is %s alone", async (operation, status) => {
    const id = await deliver({ status, attempt: 1 });
    const before = await row(id);
    expect(await perform(operation, id)).toMatchObject({ was: status, status, refusal: expect.any(String) });
    expect(await row(id)).toEqual(before);
    expect(await events(id)).toEqual([]);
  });
});

describe("release-stuck", () => {
  // covers autoposting: 10) Emergency release of stale claimed/sending
  it("takes back what was taken too long ago, to be looked up when it may have arrived", async () => {
    const sending = await deliver({
      status: "sending",
      attempt: 2,
      claimed_at: at(-700),
      sending_started_at: at(-700),
    });
    const last = await deliver({
      status: "sending",
      attempt: 5,
      claimed_at: at(-700),
      sending_started_at: at(-700),
    });
    const claimed = await deliver({ status: "claimed", claimed_at: at(-700) });
    const fresh = await deliver({
      status: "sending",
      attempt: 1,
      claimed_at: at(-700),
      sending_started_at: at(-5),
    });
    const moved = await releaseStuck(database.sql, workspace, 600, act);
    expect(moved.map(({ delivery_id }) => delivery_id).sort()).toEqual([sending, last, claimed].sort());
    expect(await row(sending)).toMatchObject({
      status: "retry",
      attempt: 2,
      requeues: 0,
      next_retry_at: at(15),
      last_error: { code: "outcome_unknown" },
    });
    expect(await row(last)).toMatchObject({ status: "retry", attempt: 5, requeues: 1 });
    expect(await row(claimed)).toMatchObject({ status: "retry", attempt: 0, last_error: null });
    expect(await row(fresh)).toMatchObject({ status: "sending" });
    expect(await events(sending)).toMatchObject([
      {
        action: "manual_requeue",
        attempt: 2,
        meta: { operator: "anna", reason: "manual_stuck_release", note: "проверка", from_status: "sending" },
      },
    ]);
  });
});

describe("every operation", () => {
  it("answers for ids it does not know, and for those of another workspace as if it did not", async () => {
    const elsewhere = await aWorkspace(database.sql);
    const foreign = await aDelivery(database.sql, elsewhere, await aChannel(database.sql, elsewhere), {
      status: "dead",
    });
    for (const operation of operations) {
      expect(await perform(operation, foreign)).toMatchObject({
        was: null,
        refusal: "there is no such delivery",
      });
    }
    expect(await row(foreign)).toMatchObject({ status: "dead" });
  });

  // covers autoposting: Ops runbook
  it("demands an operator and a reason", async () => {
    const id = await deliver({ status: "dead" });
    await expect(perform("requeue", id, { reason: " " })).rejects.toThrow("needs an operator and a reason");
    await expect(perform("requeue", id, { operator: "" })).rejects.toThrow("needs an operator and a reason");
    expect(await row(id)).toMatchObject({ status: "dead" });
  });

  // covers autoposting: Ops runbook
  it("says in a dry run what it would do, and does nothing", async () => {
    const id = await deliver({ status: "dead", attempt: 5 });
    expect(await perform("requeue", id, { dryRun: true })).toMatchObject({
      was: "dead",
      status: "retry",
      refusal: null,
    });
    expect(await row(id)).toMatchObject({ status: "dead", requeues: 0 });
    expect(await events(id)).toEqual([]);
  });

  it("happens once, however many ask at once", async () => {
    const id = await deliver({ status: "dead" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => perform("requeue", id)));
    expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
    expect(await row(id)).toMatchObject({ requeues: 1 });
    expect(await events(id)).toHaveLength(1);
  });
});

describe("the database", () => {
  // covers autoposting: Delivery state machine; Point 31
  it("refuses every change of status that is not in the table of transitions", async () => {
    for (const status of statuses)
      for (const to of statuses) {
        const id = await deliver({ status, attempt: 1 });
        const allowed = await database.sql`select delivery.transition_allowed(${status}, ${to}) as yes`;
        const moving = database.sql`
          update delivery.deliveries
          set status = ${to}, sent_at = ${now}, next_retry_at = ${now},
              claim_token = case when ${to} in ('claimed', 'sending') then 'run' end
          where delivery_id = ${id}`;
        if (status === to || allowed[0]?.yes) await moving;
        else await expect(moving).rejects.toThrow(`a delivery cannot go from ${status} to ${to}`);
      }
  });
});
