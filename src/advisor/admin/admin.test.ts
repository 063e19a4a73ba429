import { afterAll, beforeAll, expect, it } from "vitest";
import { type AdvisorHarness, advisorHarness } from "../../../tests/support/advisor.ts";

let harness: AdvisorHarness;
let operator: { authorization: string };
beforeAll(async () => {
  harness = await advisorHarness();
  operator = await harness.server.bearer(["read", "write", "people"], harness.workspaceId);
});
afterAll(() => harness?.close());

const admin = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/api/v1/advisor${path}`, body, operator);

// covers advisor: Operators
it("gives Pro to a person who has not asked yet, and writes the change to the audit trail", async () => {
  const given = await admin("PUT", "/users/4242/plan", { plan: "pro", reason: "оплатил" });
  expect(given).toMatchObject({ status: 200, body: { telegram_user_id: 4242, plan: "pro" } });
  expect((await harness.call("GET", "/v1/me?telegram_user_id=4242")).body).toMatchObject({
    plan: "pro",
    limits: { remaining_in_window: -1 },
    research: { available: true, limit: 2 },
  });
  const events = await harness.database.sql`
    select meta from workspaces.events where workspace_id = ${harness.workspaceId} and action = 'config_changed'`;
  expect(events).toMatchObject([
    {
      meta: {
        object: "advisor_plan",
        user_id: given.body.user_id,
        changes: { plan: { from: "free", to: "pro" } },
        reason: "оплатил",
      },
    },
  ]);
  // The trail outlives the person, who may delete everything.
  expect(JSON.stringify(events)).not.toContain("4242");
  expect(await admin("PUT", "/users/4242/plan", { plan: "gold" })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: "/plan" }] },
  });
});

// covers advisor: Operators
it("lists people and what they cost, but not what they asked", async () => {
  const user = await harness.person();
  await harness.ask({ user, text: "Тайна про кота" });
  const listed = await admin("GET", "/users?limit=200");
  expect(listed.body.items).toContainEqual(
    expect.objectContaining({
      telegram_user_id: user,
      plan: "free",
      questions_today: 1,
      cost_usd: expect.any(Number),
    }),
  );
  expect(JSON.stringify(listed.body)).not.toContain("Тайна");
  // Calls are settled behind their answers.
  await expect.poll(async () => (await admin("GET", `/users/${user}`)).body.cost_usd).toBeGreaterThan(0);
  expect((await admin("GET", "/users/999999")).status).toBe(404);
  // Who read is on record, and the person's own number is not.
  const read = await harness.database.sql`
    select meta from workspaces.events where workspace_id = ${harness.workspaceId} and action = 'people_read'`;
  const metas = read.map(({ meta }) => meta);
  const by = {
    operator: expect.stringMatching(/^token:/),
    caller: { kind: "token", id: expect.any(String) },
  };
  expect(metas).toContainEqual({ object: "advisor_users", count: listed.body.items.length, ...by });
  expect(metas).toContainEqual({ object: "advisor_user", user_id: expect.any(String), ...by });
  expect(JSON.stringify(read)).not.toContain(String(user));
});

it("shows people only with the scope for it, and changing a plan shows nobody", async () => {
  const user = await harness.person();
  const without = await harness.server.bearer(["read", "write", "admin", "payload"], harness.workspaceId);
  const call = (method: string, path: string, body?: unknown) =>
    harness.call(method, `/api/v1/advisor${path}`, body, without);
  for (const path of ["/users", `/users/${user}`])
    expect(await call("GET", path)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  const changed = await call("PUT", `/users/${user}/plan`, { plan: "pro" });
  expect(changed.body).toEqual({ user_id: expect.any(String), telegram_user_id: user, plan: "pro" });
});

it("tells plans, and usage by plan", async () => {
  expect((await admin("GET", "/plans")).body.items).toMatchObject([
    { plan: "free", questions_a_day: 3, cooldown_sec: 25 },
    { plan: "pro", questions_a_day: -1, research_a_month: 2, photos_a_month: 30 },
  ]);
  expect((await admin("GET", "/usage")).body.items).toMatchObject([
    { plan: "free", questions: 1, failed: 0 },
    { plan: "pro", questions: 0 },
  ]);
});

it("is closed to the bot's token", async () => {
  expect((await harness.call("GET", "/api/v1/advisor/users")).status).toBe(401);
});
