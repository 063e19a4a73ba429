import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness, user } from "../../../tests/support/advisor.ts";
import { setPlan } from "../admin/people.ts";
import { endPaidPlans } from "./paid-plan.ts";

let advisor: AdvisorHarness;
beforeAll(async () => {
  advisor = await advisorHarness();
});
afterAll(() => advisor?.close());

const day = 86_400_000;
let people = 50_000;
const newcomer = () => {
  people += 1;
  return people;
};
const inDays = (days: number) => new Date(advisor.clock.now().getTime() + days * day).toISOString();
const pays = (id: number, until: string | null) =>
  advisor.call("POST", "/v1/plan", { user: user(id), paid_until: until });
const planOf = async (id: number) =>
  (await advisor.call("GET", `/v1/me?telegram_user_id=${id}`)).body.plan as string;
const byOperator = (id: number, plan: "free" | "pro") =>
  setPlan({ sql: advisor.database.sql, clock: advisor.clock }, advisor.workspaceId, id, plan, {
    operator: "anna",
  });
const review = () => endPaidPlans(advisor.database.sql, advisor.clock.now());

describe("Pro that was paid for", () => {
  // covers payments: The advisor's Pro
  it("begins at once, also for somebody unknown, and ends by itself to the second, with an event", async () => {
    const id = newcomer();
    expect((await pays(id, inDays(30))).body).toEqual({ plan: "pro", plan_until: inDays(30) });
    await pays(id, inDays(30));
    expect(await planOf(id)).toBe("pro");
    advisor.clock.advance(30 * day - 1);
    expect(await planOf(id)).toBe("pro");
    advisor.clock.advance(1);
    expect(await planOf(id)).toBe("free");
    await advisor.database.sql`select workspaces.ensure_event_partitions(p_now => ${advisor.clock.now()})`;
    await review();
    const events = await advisor.database.sql`
      select action from workspaces.events where workspace_id = ${advisor.workspaceId} and action = 'plan_ended'`;
    expect(events.length).toBe(1);
  });

  it("ends when it was given back, or is not paid for any more", async () => {
    const id = newcomer();
    await pays(id, inDays(30));
    expect((await pays(id, null)).body).toEqual({ plan: "free", plan_until: null });
    await pays(id, inDays(30));
    expect((await pays(id, inDays(-1))).body.plan).toBe("free");
  });
});

describe("Pro that an operator set", () => {
  // covers payments: The advisor's Pro
  it("stays, whatever is paid, ends or is given back", async () => {
    const id = newcomer();
    await byOperator(id, "pro");
    expect((await pays(id, inDays(30))).body).toEqual({ plan: "pro", plan_until: null });
    expect((await pays(id, null)).body.plan).toBe("pro");
    advisor.clock.advance(400 * day);
    await advisor.database.sql`select workspaces.ensure_event_partitions(p_now => ${advisor.clock.now()})`;
    await review();
    expect(await planOf(id)).toBe("pro");
  });

  it("takes the end away from Pro that was paid for; set to Free, it is over", async () => {
    const id = newcomer();
    await pays(id, inDays(30));
    expect(await byOperator(id, "pro")).toMatchObject({ plan: "pro", plan_until: null });
    expect(await byOperator(id, "free")).toMatchObject({ plan: "free", plan_until: null });
  });
});

it("nobody without the token says who has paid, and nonsense is refused", async () => {
  const body = { user: user(newcomer()), paid_until: inDays(30) };
  const answer = await advisor.call("POST", "/v1/plan", body, { authorization: "Bearer wrong" });
  expect(answer.status).toBe(401);
  expect((await pays(newcomer(), "someday")).status).toBe(400);
});
