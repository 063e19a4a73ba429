import { afterAll, beforeAll, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness } from "../../../tests/support/advisor.ts";
import { until } from "../../../tests/support/until.ts";

let harness: AdvisorHarness;
beforeAll(async () => {
  harness = await advisorHarness();
});
afterAll(() => harness?.close());

const many = 100;

// covers advisor: Waiting models hold nobody up
it("questions that wait for a model hold nobody up, and cost nothing when no answer comes", async () => {
  const { sql } = harness.database;
  await harness.twins.control("POST", "/faults", { fault: { kind: "hang" }, times: many });
  const waiting = Promise.all(
    Array.from({ length: many }, (_, index) => harness.ask({ user: 50_000 + index })),
  );
  await until(
    "all of them are with the model",
    async () => {
      const { entries } = await harness.twins.control<{ entries: { status: unknown }[] }>(
        ...["GET", `/journal?provider=openrouter&limit=${many}`],
      );
      return entries.filter(({ status }) => status === "hung").length === many;
    },
    60_000,
  );

  const others = await Promise.all(
    Array.from({ length: 20 }, (_, index) => harness.ask({ user: 60_000 + index })),
  );
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await sql`select from advisor.request_dedup where status = 'started'`).toHaveLength(many);

  await harness.twins.close();
  const replies = await waiting;
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.error.code}`))).toEqual(
    new Set(["502 llm_failed"]),
  );
  const charged = await sql`
    select from advisor.rate_limits l join advisor.users u using (workspace_id)
    where u.id = l.user_id and l.count > 0 and u.telegram_user_id between 50000 and 59999`;
  expect(charged).toHaveLength(0);
});
