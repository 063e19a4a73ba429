import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type QStashHarness, qstashHarness } from "../../tests/support/qstash-harness.ts";
import { until } from "../../tests/support/until.ts";
import type { Json } from "../../twins/qstash/testing.ts";
import { silentLog } from "../kernel/log/index.ts";
import { createHealth } from "./health/health.ts";
import { healthRoute } from "./health/health-route.ts";
import { dateOfSlot, readPublishBody } from "./jobs/due-slot.ts";
import type { SlotPublisher } from "./jobs/index.ts";
import type { DrivenSchedule, Slot } from "./schedules/driver.ts";

const healthToken = "a-token-of-sixteen-and-more";
const minute = 60_000;
const hour = 60 * minute;

/** Stores slots as the publisher of SEO Master does; `isFree` says whether one of ten places is. */
const fired: Slot[] = [];
let isFree = true;
const keyOf = (slot: Slot) => Object.values(slot).join(" ");
const slots: SlotPublisher = {
  async fire(slot) {
    if (!["10:00", "18:00", "23:59", "02:30"].includes(slot.slot)) return "not_scheduled";
    if (fired.some((each) => keyOf(each) === keyOf(slot))) return "repeated";
    fired.push(slot);
    return "fired";
  },
  hasBegun: async () => isFree,
};

let harness: QStashHarness;
let cleanedUp = 0;
let cleanUp = async () => {
  cleanedUp += 1;
  return { status: "done" };
};
const usualCleanUp = cleanUp;
let notified: string[] = [];
const failing = new Set<string>();
const check = (name: string) => async () => {
  if (failing.has(name)) throw new Error(`${name} at 10.0.0.7 is away`);
};
/** Results are reused for a while. */
const moveOn = () => harness.clock.advance(minute);

beforeAll(async () => {
  const health = createHealth({
    clock: { now: () => harness.clock.now() },
    log: silentLog,
    vital: { database: check("database"), redis: check("redis") },
    others: { openrouter: check("openrouter"), qstash: undefined },
  });
  harness = await qstashHarness(
    {
      slots,
      waits: { mostMs: 50, lookEveryMs: 10 },
      cleanUp: () => cleanUp(),
      async notify(type) {
        notified.push(type);
        return { status: "sent" };
      },
    },
    [healthRoute({ health, version: "2.0.0", token: healthToken, uptimeSeconds: () => 86_400.7 })],
  );
});
beforeEach(async () => {
  await harness.reset();
  fired.length = 0;
  isFree = true;
  cleanedUp = 0;
  cleanUp = usualCleanUp;
  notified = [];
  failing.clear();
});
afterAll(() => harness?.close());

/** Messages through the twin, as QStash signs and retries them. */
async function publish(
  path: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await fetch(`${harness.twins.url}/qstash/v2/publish/${harness.server.url()}${path}`, {
    method: "POST",
    headers: {
      authorization: "Bearer molva-demo-qstash-0000000000000000",
      "upstash-retries": "3",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const { messageId }: Json = await answer.json();
  return messageId;
}
const answersOf = async (messageId: string): Promise<Json[]> => {
  const { entries }: Json = await harness.twins.control(
    "GET",
    `/journal?provider=qstash&method=delivery&chat=${messageId}`,
  );
  return entries.map(({ status, response }: Json) => [status, JSON.parse(response)]);
};
const bodyFor = ({ workspaceId, scheduleId }: DrivenSchedule, slot: string) => ({
  ...{ schedule_id: scheduleId, workspace_id: workspaceId, slot },
});

describe("/api/publish", () => {
  // covers seo: F10
  it("stores the slot of a schedule that QStash fires, and answers when its work has begun", async () => {
    harness.clock.set(new Date("2026-11-16T06:59:00Z"));
    const schedule = await harness.schedule();
    await harness.driver.arrange(schedule);
    harness.clock.advance(2 * minute);
    const [sent] = await harness.run();
    expect(await answersOf(sent.message_id)).toEqual([
      [200, { status: "accepted", local_date: "2026-11-16" }],
    ]);
    const { workspaceId, scheduleId } = schedule;
    expect(fired).toEqual([{ workspaceId, scheduleId, localDate: "2026-11-16", slot: "10:00" }]);
  });

  // covers seo: E06
  it("does a message once: copies and repeats are answered with 200, other schedules are not held up", async () => {
    harness.clock.set(new Date("2026-11-16T07:00:30Z"));
    const one = await harness.schedule();
    const other = await harness.schedule();
    await harness.control("PATCH", "/options", { duplicates: 2 });
    const id = await publish("/api/publish", bodyFor(one, "10:00"));
    const second = await publish("/api/publish", bodyFor(one, "10:00"));
    await publish("/api/publish", bodyFor(other, "10:00"));
    await harness.run();
    const accepted = { status: "accepted", local_date: "2026-11-16" };
    const copies = await answersOf(id);
    expect(copies.map(([status]: Json) => status)).toEqual([200, 200, 200]);
    const words = [...copies, ...(await answersOf(second))].map(([, { status }]: Json) => status).toSorted();
    expect(words).toEqual(["accepted", "duplicate", "duplicate", "duplicate", "duplicate", "repeated"]);
    expect(copies.concat(await answersOf(second))).toContainEqual([200, accepted]);
    expect(fired).toHaveLength(2);
  });

  it("is asked to come again in two minutes while all places are taken, and the retry is no duplicate", async () => {
    harness.clock.set(new Date("2026-11-16T20:59:30Z"));
    const schedule = await harness.schedule({ zone: "Europe/Moscow" });
    isFree = false;
    const id = await publish("/api/publish", bodyFor(schedule, "23:59"));
    await harness.run();
    expect(await answersOf(id)).toEqual([[503, { status: "busy" }]]);
    // Stored before the wait: it is published even if QStash gives up.
    expect(fired).toMatchObject([{ localDate: "2026-11-16" }]);
    harness.clock.advance(2 * minute - 1);
    expect(await harness.run()).toEqual([]);
    isFree = true;
    harness.clock.advance(1);
    expect(await harness.run()).toMatchObject([{ message_id: id, retried: 1, status: 200 }]);
    // After midnight it still means the day before.
    expect(fired).toHaveLength(1);
  });

  it("answers 200 to what no retry can mend", async () => {
    harness.clock.set(new Date("2026-11-16T07:00:30Z"));
    const schedule = await harness.schedule();
    const gone = { ...bodyFor(schedule, "10:00"), schedule_id: 999_999 };
    const cases = [bodyFor(schedule, "11:00"), gone, { hello: "world" }, "no json"];
    const ids = [];
    for (const body of cases) ids.push(await publish("/api/publish", body));
    await harness.run();
    const answers = [];
    for (const id of ids) answers.push(...(await answersOf(id)));
    expect(answers.map(([status, { status: word }]: Json) => [status, word])).toEqual([
      [200, "not_scheduled"],
      [200, "unknown"],
      [200, "invalid"],
      [200, "invalid"],
    ]);
  });

  it("publishes a slot of a repeated hour once", async () => {
    harness.clock.set(new Date("2026-10-24T22:00:00Z"));
    const schedule = await harness.schedule({ days: ["sun"], times: ["02:30"], zone: "Europe/Berlin" });
    await harness.driver.arrange(schedule);
    harness.clock.set(new Date("2026-10-25T00:30:30Z"));
    expect(await harness.run()).toMatchObject([{ status: 200 }]);
    harness.clock.set(new Date("2026-10-25T01:30:30Z"));
    expect(await harness.run()).toMatchObject([{ status: 200 }]);
    expect(fired).toMatchObject([{ localDate: "2026-10-25", slot: "02:30" }]);
  });
});

describe("A call", () => {
  it("is signed by the current key or the next one, so that keys can be rotated", async () => {
    const statuses = [];
    for (const step of [
      () => {},
      () => harness.control("POST", "/keys/rotate"),
      () => harness.control("POST", "/keys/rotate"),
    ]) {
      await step();
      await publish("/api/cleanup", { action: "cleanup" }, { "upstash-retries": "0" });
      const [sent] = await harness.run();
      statuses.push(sent.status);
    }
    expect([statuses, cleanedUp]).toEqual([[200, 200, 401], 2]);
  });

  it.each(["forged", "expired", "body", "subject", "missing"])(
    "with a signature that is %s is refused",
    async (flaw) => {
      await harness.control("PATCH", "/options", { flaw });
      await publish("/api/cleanup", {}, { "upstash-retries": "0" });
      expect(await harness.run()).toMatchObject([{ status: 401 }]);
      expect(cleanedUp).toBe(0);
    },
  );

  it("with a signature that was used before is refused", async () => {
    await publish("/api/cleanup", {});
    expect(await harness.run()).toMatchObject([{ status: 200 }]);
    await harness.control("PATCH", "/options", { flaw: "replayed" });
    await publish("/api/cleanup", {}, { "upstash-retries": "0" });
    expect(await harness.run()).toMatchObject([{ status: 401 }]);
    expect(cleanedUp).toBe(1);
  });

  // covers seo: F38
  it("without a signature is heard 100 times a minute, signed ones always", async () => {
    const statuses = new Map<number, number>();
    const call = () => harness.server.call("/api/notify", { body: { type: "low_balance" } });
    for (let count = 0; count < 130; count += 1) {
      const { status } = await call();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].toSorted()).toEqual([401, 429]);
    expect(statuses.get(401)).toBeLessThanOrEqual(100);
    const refused = await call();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    await publish("/api/notify", { type: "low_balance" });
    expect(await harness.run()).toMatchObject([{ status: 200 }]);
    expect(notified).toEqual(["low_balance"]);
  });

  it("to /api/notify names what to send; what failed is done by the retry", async () => {
    for (const type of ["weekly_digest", "reactivation", "spam"])
      await publish("/api/notify", { action: "notify", type });
    await harness.run();
    expect(notified.toSorted()).toEqual(["reactivation", "weekly_digest"]);
    cleanUp = async () => {
      throw new Error("the database was away");
    };
    const id = await publish("/api/cleanup", {});
    expect(await harness.run()).toMatchObject([{ status: 500 }]);
    cleanUp = usualCleanUp;
    harness.clock.advance(12_000);
    expect(await harness.run()).toMatchObject([{ message_id: id, status: 200 }]);
    expect(cleanedUp).toBe(1);
  });
});

describe("/api/health", () => {
  const ask = async (authorization?: string): Promise<[number, Json]> => {
    const answer = await harness.server.call("/api/health", {
      headers: authorization ? { authorization } : {},
    });
    return [answer.status, await answer.json()];
  };

  // covers seo: E29
  it("tells strangers the state and the version, and nothing else", async () => {
    moveOn();
    const short = { status: "ok", version: "2.0.0" };
    expect(await ask()).toEqual([200, short]);
    expect(await ask("Bearer guess")).toEqual([200, short]);
    expect(await ask(healthToken)).toEqual([200, short]);
    expect(await ask("Bearer ")).toEqual([200, short]);
  });

  // covers seo: E29
  it.each([
    ["ok", [], 200],
    ["degraded", ["openrouter"], 200],
    ["down", ["redis"], 503],
    ["down", ["database", "openrouter"], 503],
  ])("is %s while %j fail, with %i, and names them to who has the token", async (status, names, code) => {
    moveOn();
    for (const name of names) failing.add(name);
    const [answered, body] = await ask(`Bearer ${healthToken}`);
    expect([answered, body.status, body.uptime_seconds]).toEqual([code, status, 86_400]);
    const word = (name: string) => (names.includes(name) ? "failed" : "ok");
    expect(body.checks).toMatchObject({
      ...{ database: { status: word("database") }, redis: { status: word("redis") } },
      ...{ openrouter: { status: word("openrouter") }, qstash: { status: "not_configured" } },
    });
    expect(JSON.stringify(body)).not.toContain("10.0.0.7");
  });
});

it("the server stops at once although a call waits for its turn, and QStash is asked to come again", async () => {
  const own = await qstashHarness({ slots, waits: { mostMs: hour, lookEveryMs: hour }, cleanUp });
  try {
    own.clock.set(new Date("2026-11-16T07:00:30Z"));
    const schedule = await own.schedule();
    await own.driver.arrange(schedule);
    isFree = false;
    own.clock.set(new Date("2026-11-16T15:00:30Z"));
    const running = own.run();
    await until("the slot is stored", () => fired.length > 0);
    await own.server.stop();
    expect((await running).map(({ status }) => status)).toContain(503);
  } finally {
    await own.close();
  }
});

it.each([
  ["10:00", "Europe/Moscow", "2026-11-16T07:00:00Z", "2026-11-16"],
  ["10:00", "Europe/Moscow", "2026-11-16T06:59:30Z", "2026-11-16"],
  ["10:00", "Europe/Moscow", "2026-11-17T06:50:00Z", "2026-11-16"],
  ["23:00", "Asia/Vladivostok", "2026-11-30T14:40:00Z", "2026-11-30"],
  ["23:00", "America/New_York", "2026-12-01T04:00:10Z", "2026-11-30"],
  ["02:30", "Europe/Berlin", "2027-03-28T01:00:00Z", "2027-03-28"],
])("a message about %s in %s that comes at %s means %s", (slot, zone, now, date) => {
  expect(dateOfSlot(slot, zone, new Date(now))).toBe(date);
});

it("reads the slot from the document's own key if there is no other", () => {
  expect(readPublishBody({ schedule_id: 7, idempotency_key: "pub_7_09:00" })).toMatchObject({
    slot: "09:00",
  });
  expect(readPublishBody({ schedule_id: 7, idempotency_key: "pub_7" })).toBeUndefined();
});
