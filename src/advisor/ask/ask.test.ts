import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness } from "../../../tests/support/advisor.ts";

let harness: AdvisorHarness;
let user: number;
beforeAll(async () => {
  harness = await advisorHarness();
});
afterAll(() => harness?.close());
beforeEach(async () => {
  user = await harness.person();
});

const calls = async () => {
  const [row] = await harness.database.sql`select count(*)::int as calls from llm.calls`;
  return row?.calls;
};
const fault = (kind: object, times = 1) => harness.twins.control("POST", "/faults", { fault: kind, times });

describe("an answer", () => {
  // covers advisor: Seven endpoints; The model is chosen by plan alone
  it("has the document's shape", async () => {
    const { status, body } = await harness.ask({ user, context: { scenario: "care" } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        answer_text: expect.stringMatching(/[а-яё]{4}/i),
        safety_level: "low",
        recommended_actions: expect.any(Array),
        should_go_to_vet: false,
        followup_question: expect.any(String),
        session: { session_id: expect.any(String), expires_at: expect.any(String) },
        limits: { remaining_in_window: 2, cooldown_sec: 25, plan: "free", remaining_today: 2 },
        upsell: { show: true, reason: "after_1st_answer", cta: "Открыть Pro" },
        research: { used_this_period: 0, limit: 0 },
        meta: { policy_name: "free_default", llm_provider: "openrouter", pet_profile_source: "none" },
      },
    });
  });
});

describe("the same request id", () => {
  // covers advisor: One answer for each request id
  it("gets the stored answer again and is charged once", async () => {
    const id = randomUUID();
    const first = await harness.ask({ user, id });
    const before = await calls();
    const again = await harness.ask({ user, id });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("x-dedup-hit")).toBe("1");
    expect(await calls()).toBe(before);
    expect(first.headers.get("x-dedup-hit")).toBeNull();
  });

  it("and a message of the client that comes under another id is answered once too", async () => {
    const message = { text: "Чем кормить кота?", client_message_id: "tg:1:77" };
    const first = await harness.ask({ user, more: { message } });
    const before = await calls();
    const again = await harness.ask({ user, more: { message } });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("x-dedup-hit")).toBe("1");
    expect(await calls()).toBe(before);
    // Another person's message may have the same number.
    const other = await harness.ask({ user: await harness.person(), more: { message } });
    expect(other.headers.get("x-dedup-hit")).toBeNull();
  });

  // covers advisor: 409; Payload hash, take-over, repetition after failure
  it("with another payload, or of another person, is a conflict", async () => {
    const id = randomUUID();
    await harness.ask({ user, id });
    const conflict = { status: 409, body: { error: { code: "conflict", reason: "request_id_conflict" } } };
    expect(await harness.ask({ user, id, text: "Другое" })).toMatchObject(conflict);
    expect(await harness.ask({ user: await harness.person(), id })).toMatchObject(conflict);
  });

  // covers advisor: One answer for each request id; 409
  it("posted twenty times at once asks the model once", async () => {
    const id = randomUUID();
    const before = await calls();
    const replies = await Promise.all(Array.from({ length: 20 }, () => harness.ask({ user, id })));
    expect(await calls()).toBe(before + 1);
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const { status, body, headers } of replies.filter(({ status }) => status !== 200)) {
      expect({ status, reason: body.error.reason }).toEqual({ status: 409, reason: "request_in_progress" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  // covers advisor: Payload hash, take-over, repetition after failure
  it("may run again after a failure, which was not charged", async () => {
    const id = randomUUID();
    await fault({ kind: "status", status: 400 }, 4);
    const failed = await harness.ask({ user, id });
    expect(failed).toMatchObject({ status: 502, body: { error: { code: "llm_failed" } } });
    await harness.twins.control("POST", "/reset");
    const again = await harness.ask({ user, id });
    expect(again).toMatchObject({ status: 200, body: { limits: { remaining_in_window: 2 } } });
  });
});

describe("the Free plan", () => {
  // covers advisor: 429; Reasons of offers
  it("waits between questions and has three a day, until midnight in UTC", async () => {
    expect((await harness.ask({ user })).status).toBe(200);
    expect(await harness.ask({ user })).toMatchObject({
      status: 429,
      body: {
        error: {
          code: "rate_limited",
          reason: "cooldown",
          cooldown_sec: 25,
          limits: { remaining_in_window: 2 },
        },
      },
    });
    for (let left = 1; left >= 0; left -= 1) {
      harness.clock.advance(26_000);
      expect(await harness.ask({ user })).toMatchObject({
        status: 200,
        body: { limits: { remaining_in_window: left } },
      });
    }
    harness.clock.advance(26_000);
    const refused = await harness.ask({ user });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          reason: "daily_limit_exceeded",
          limits: { remaining_in_window: 0 },
          upsell: { show: true, reason: "limit_reached" },
        },
      },
    });
    harness.clock.advance((Number(refused.headers.get("retry-after")) + 1) * 1000);
    expect(await harness.ask({ user })).toMatchObject({
      status: 200,
      body: { limits: { remaining_in_window: 2 } },
    });
  });
});
