import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { startTestTwins, type TestTwins } from "../../../twins/shared/testing.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { connect, type Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { listInstallationCaps } from "../budgets/installation.ts";
import { aGateway } from "../testing/harness.ts";
import { extend, type RequestRow, type Reservation, reserve, settle } from "./books.ts";
import { createCallSettler } from "./call-settler.ts";

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
const clock = manualClock();

beforeAll(async () => {
  database = await testDatabase();
  sql = database.sql;
});
afterAll(() => database?.drop());
beforeEach(async () => {
  clock.set(new Date("2026-11-15T12:00:00Z"));
  workspaceId = await aWorkspace(sql);
});

const held = (given: Partial<Reservation> = {}): Reservation => ({
  ...{
    workspaceId,
    policy: "plain",
    kind: "text",
    prompt: "advice",
    promptVersion: 1,
    usd: 0.01,
    tokens: 100,
    leaseMs: 60_000,
    // Of a workspace without policies.
    stamp: "",
  },
  ...given,
});
const hold = (given: Partial<Reservation> = {}, over: Sql = sql) =>
  reserve({ sql: over, clock }, held(given));
const idOf = (reserved: Awaited<ReturnType<typeof reserve>>) => {
  if (reserved.refused) throw new Error(`refused: ${reserved.refused}`);
  return reserved.call_id;
};
const cap = (
  scope: string,
  unit: string,
  limit: number,
  given: { subject?: string; period?: string } = {},
) => sql`
  insert into llm.budgets (workspace_id, scope, subject, period, unit, cap)
  values (${workspaceId}, ${scope}, ${given.subject ?? "*"}, ${given.period ?? "day"}, ${unit}, ${limit})`;
const row = (given: Partial<RequestRow> = {}): RequestRow => ({
  ...{
    provider: "openrouter",
    model: "m",
    purpose: "answer",
    outcome: "ok",
    http_status: 200,
    prompt_tokens: 40,
  },
  ...{
    completion_tokens: 10,
    cached_tokens: 0,
    images: 0,
    cost_usd: 0.002,
    estimated: false,
    latency_ms: 5,
    error: null,
  },
  started_at: clock.now().toISOString(),
  ...given,
});
const pay = (callId: string, rows: RequestRow[] = [row()], code: string | null = null) =>
  settle({ sql }, [{ workspaceId, callId, code, requests: rows, at: clock.now() }]);
const used = async (scope: string, subject = "*", period = "day") => {
  const [found] = await sql`
    select spent_usd::float8 as usd, spent_tokens as tokens, spent_calls as calls,
      reserved_usd::float8 as held_usd, reserved_tokens as held_tokens, reserved_calls as held_calls
    from llm.spending where workspace_id = ${workspaceId} and scope = ${scope} and subject = ${subject} and period = ${period}`;
  return found;
};

describe("a cap", () => {
  // covers llm: Budgets that parallel calls cannot pass
  it("cannot be passed by many calls at once over many connections", async () => {
    await cap("workspace", "usd", 0.25);
    const pools = Array.from({ length: 4 }, () => connect({ url: database.url, max: 10 }));
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, at) => hold({}, pools[at % pools.length])),
    );
    expect(outcomes.filter(({ refused }) => !refused)).toHaveLength(25);
    expect(await used("workspace")).toMatchObject({ held_usd: 0.25, held_calls: 25 });
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it("of the installation cannot be passed by all workspaces together, and counts what none of them has capped", async () => {
    // A day of its own: the books of every workspace of this database count.
    clock.set(new Date("2027-01-10T12:00:00Z"));
    const before = idOf(await hold());
    await pay(before, [row({ cost_usd: 0.05 })]);
    await sql`
      insert into llm.installation_caps (period, unit, cap, updated_at, updated_by)
      values ('day', 'usd', 0.25, ${clock.now()}, 'root'), ('month', 'calls', 1000, ${clock.now()}, 'root')`;
    const pools = Array.from({ length: 4 }, () => connect({ url: database.url, max: 8 }));
    try {
      const workspaces = await Promise.all(Array.from({ length: 5 }, () => aWorkspace(sql)));
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, at) =>
          hold({ workspaceId: workspaces[at % workspaces.length] ?? workspaceId }, pools[at % pools.length]),
        ),
      );
      expect(outcomes.filter(({ refused }) => !refused)).toHaveLength(20);
      expect(outcomes.find(({ refused }) => refused)).toMatchObject({
        refused: "budget",
        cap: { scope: "installation", subject: "*", period: "day", unit: "usd", cap: 0.25 },
      });
      expect(await listInstallationCaps(sql, clock.now())).toMatchObject([
        { period: "day", unit: "usd", cap: 0.25, used: 0.25, ends_at: new Date("2027-01-11T00:00:00Z") },
        { period: "month", unit: "calls", cap: 1000, used: 21 },
      ]);
      // More for a call under way passes it too, and what is settled for less makes room for others.
      const at = outcomes.findIndex(({ refused }) => !refused);
      const first = outcomes[at];
      if (!first || first.refused) throw new Error("none was held");
      const owner = workspaces[at % workspaces.length] ?? workspaceId;
      const more = { usd: 0.01, tokens: 100, leaseMs: 60_000 };
      expect(await extend({ sql, clock }, owner, first.call_id, more)).toMatchObject({ refused: "budget" });
      await settle({ sql }, [
        {
          workspaceId: owner,
          callId: first.call_id,
          code: null,
          requests: [row({ cost_usd: 0 })],
          at: clock.now(),
        },
      ]);
      expect((await hold()).refused).toBeUndefined();
      expect((await hold()).refused).toBe("budget");
      clock.set(new Date("2027-01-11T00:00:00Z"));
      expect((await hold()).refused).toBeUndefined();
    } finally {
      await sql`delete from llm.installation_caps`;
      await Promise.all(pools.map((pool) => pool.end()));
    }
  });

  // covers llm: Budgets that parallel calls cannot pass
  it("holds through any order of holding, extending, settler and giving up, over several pools of connections", async () => {
    const pools = Array.from({ length: 3 }, () => connect({ url: database.url, max: 6 }));
    const step = fc.record({
      kind: fc.constantFrom("reserve", "extend", "settle", "fail", "wait"),
      user: fc.constantFrom("1", "2"),
      usd: fc.integer({ min: 1, max: 9 }),
      pool: fc.nat({ max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        workspaceId = await aWorkspace(sql);
        await cap("workspace", "usd", 30);
        await cap("user", "usd", 20);
        const alive: string[] = [];
        for (let at = 0; at < steps.length; at += 6) {
          await Promise.all(
            steps.slice(at, at + 6).map(async ({ kind, user, usd, pool }) => {
              const over = { sql: pools[pool] ?? sql, clock };
              if (kind === "wait") return clock.advance(7_000);
              if (kind === "reserve") {
                const outcome = await reserve(
                  over,
                  held({ userId: user, usd, tokens: usd, leaseMs: 20_000 }),
                );
                if (!outcome.refused) alive.push(outcome.call_id);
                return;
              }
              const callId = kind === "extend" ? alive[0] : alive.shift();
              if (!callId) return;
              if (kind === "extend")
                await extend(over, workspaceId, callId, { usd: 1, tokens: 1, leaseMs: 20_000 });
              // The real usage stays within what was held, as estimates are made to be.
              else
                await settle(over, [
                  {
                    ...{ workspaceId, callId, code: kind === "fail" ? "timeout" : null, at: clock.now() },
                    requests: [row({ cost_usd: 0.5, prompt_tokens: 1, completion_tokens: 0 })],
                  },
                ]);
            }),
          );
          const [{ most }] = await sql<[{ most: number }]>`
            select coalesce(max(spent_usd + reserved_usd), 0)::float8 as most from llm.spending
            where workspace_id = ${workspaceId} and scope = 'workspace'`;
          expect(most).toBeLessThanOrEqual(30);
        }
        const [books] = await sql`
          select sum(reserved_usd)::float8 as held, min(reserved_usd)::float8 as least from llm.spending
          where workspace_id = ${workspaceId} and scope = 'workspace' and period = 'day'`;
        const [open] = await sql`
          select coalesce(sum(reserved_usd), 0)::float8 as held from llm.calls where workspace_id = ${workspaceId} and status = 'reserved'`;
        expect(books?.held ?? 0).toBeCloseTo(open?.held ?? 0, 6);
        expect(books?.least ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 15 },
    );
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it("is named when it would be passed, with what is used and when it opens again", async () => {
    await cap("policy", "tokens", 150);
    await hold();
    expect(await hold()).toMatchObject({
      refused: "budget",
      cap: {
        scope: "policy",
        subject: "plain",
        period: "day",
        unit: "tokens",
        cap: 150,
        used: 100,
        price_unknown: false,
      },
    });
    const refused = await hold();
    if (refused.refused === "budget")
      expect(new Date(refused.cap.ends_at)).toEqual(new Date("2026-11-16T00:00:00Z"));
  });

  it("that refuses a call leaves the refusal among the calls, and nothing in the books", async () => {
    await cap("workspace", "calls", 0);
    await hold({ userId: "7", requestId: "r-0" });
    expect(
      await sql`select status, code, user_id, request_id from llm.calls where workspace_id = ${workspaceId}`,
    ).toEqual([{ status: "failed", code: "budget_exceeded", user_id: "7", request_id: "r-0" }]);
    expect(await used("workspace")).toBeUndefined();
  });

  it("of calls, tokens and dollars each counts its own", async () => {
    await cap("workspace", "calls", 1);
    await hold();
    expect(await hold()).toMatchObject({ refused: "budget", cap: { unit: "calls" } });
  });

  // covers llm: Budgets that parallel calls cannot pass
  it("for each user is every user's own, and one that is named has another", async () => {
    await cap("user", "calls", 1);
    await cap("user", "calls", 3, { subject: "vip" });
    const outcomes = [];
    for (const userId of ["a", "a", "b", "vip", "vip", "vip", "vip"])
      outcomes.push((await hold({ userId })).refused ?? "ok");
    expect(outcomes).toEqual(["ok", "budget", "ok", "ok", "ok", "ok", "budget"]);
    expect(await hold()).toHaveProperty("call_id");
  });

  it("of a policy does not touch others", async () => {
    await cap("policy", "calls", 0, { subject: "dear" });
    expect(await hold({ policy: "dear" })).toMatchObject({ refused: "budget" });
    expect(await hold({ policy: "cheap" })).toHaveProperty("call_id");
  });

  it("of a day opens again with the next day in UTC, of a month with the next month", async () => {
    await cap("workspace", "calls", 1);
    await cap("workspace", "calls", 2, { period: "month" });
    await pay(idOf(await hold()));
    expect(await hold()).toMatchObject({ cap: { period: "day" } });
    clock.set(new Date("2026-11-16T00:00:00Z"));
    await pay(idOf(await hold()));
    expect(await hold()).toMatchObject({ cap: { period: "month" } });
    clock.set(new Date("2026-12-01T00:00:00Z"));
    expect(await hold()).toHaveProperty("call_id");
  });

  it("that is set in the middle of a day knows what was spent before it", async () => {
    await pay(idOf(await hold()));
    await cap("workspace", "calls", 1);
    expect(await hold()).toMatchObject({ refused: "budget" });
  });

  it("that is set while a call is under way counts it once it has ended", async () => {
    const underWay = idOf(await hold());
    await cap("workspace", "calls", 2);
    expect(await extend({ sql, clock }, workspaceId, underWay, { usd: 1, tokens: 9, leaseMs: 1 })).toEqual(
      {},
    );
    await pay(underWay);
    expect(await used("workspace")).toMatchObject({ calls: 1, held_calls: 0, held_tokens: 0, held_usd: 0 });
    await hold();
    expect(await hold()).toMatchObject({ refused: "budget" });
  });

  it("in dollars refuses a call whose price nobody knows", async () => {
    expect(await hold({ usd: null })).toHaveProperty("call_id");
    await cap("workspace", "usd", 100);
    expect(await hold({ usd: null })).toMatchObject({ refused: "budget", cap: { price_unknown: true } });
  });
});

describe("what is held", () => {
  it("gives way to what was really used, in the books of the workspace, the policy and the user", async () => {
    await pay(idOf(await hold({ userId: "7" })), [
      row({ outcome: "server", cost_usd: 0, prompt_tokens: 0, completion_tokens: 0 }),
      row(),
    ]);
    const spent = { usd: 0.002, tokens: 50, calls: 1, held_usd: 0, held_tokens: 0, held_calls: 0 };
    for (const [scope, subject] of [
      ["workspace", "*"],
      ["policy", "plain"],
      ["user", "7"],
    ] as const)
      for (const period of ["day", "month"]) expect(await used(scope, subject, period)).toEqual(spent);
  });

  it("is settled once", async () => {
    const id = idOf(await hold());
    await pay(id);
    await pay(id);
    expect(await used("workspace")).toMatchObject({ calls: 1, held_calls: 0 });
  });

  it("grows before a further request, within the cap", async () => {
    await cap("workspace", "usd", 0.015);
    const id = idOf(await hold());
    const more = (usd: number) =>
      extend({ sql, clock }, workspaceId, id, { usd, tokens: 10, leaseMs: 60_000 });
    expect(await more(0.005)).toEqual({});
    expect(await more(0.001)).toMatchObject({ refused: "budget" });
    expect(await used("workspace")).toMatchObject({ held_usd: 0.015, held_tokens: 110, held_calls: 1 });
    await pay(id);
    expect(await used("workspace")).toMatchObject({ held_usd: 0, held_tokens: 0 });
  });

  // covers llm: Budgets that parallel calls cannot pass
  it("for a call whose process died is free after its time, and the next call may have it", async () => {
    await cap("workspace", "calls", 1);
    await hold();
    clock.advance(1);
    expect(await hold()).toMatchObject({ refused: "budget" });
    clock.advance(60_001);
    expect(await hold()).toHaveProperty("call_id");
    expect(
      await sql`select status from llm.calls where workspace_id = ${workspaceId} order by call_id`,
    ).toMatchObject([{ status: "expired" }, { status: "failed" }, { status: "reserved" }]);
  });

  it("for a call that was given up and comes back late is still paid for", async () => {
    await cap("workspace", "calls", 9);
    const id = idOf(await hold());
    clock.advance(60_001);
    await sql`select llm.expire_all_calls(${clock.now()})`;
    expect(await used("workspace")).toMatchObject({ held_calls: 0, calls: 0 });
    expect(await extend({ sql, clock }, workspaceId, id, { usd: 0, tokens: 0, leaseMs: 1 })).toEqual({
      refused: "expired",
    });
    await pay(id);
    expect(await used("workspace")).toMatchObject({ held_calls: 0, calls: 1, usd: 0.002 });
  });

  it("stands in the books of the day on which the call began", async () => {
    clock.set(new Date("2026-11-15T23:59:59Z"));
    const id = idOf(await hold());
    clock.advance(5_000);
    await pay(id);
    expect(await used("workspace")).toMatchObject({ calls: 1, held_calls: 0 });
    expect(
      await sql`select starts_on::text from llm.spending where workspace_id = ${workspaceId} and period = 'day' and scope = 'workspace'`,
    ).toEqual([{ starts_on: "2026-11-15" }]);
  });
});

describe("the same request", () => {
  // covers llm: The same request is asked once
  it("is held once while its process lives, taken over when it died, and refused when it was answered", async () => {
    const requestId = "r-1";
    const first = idOf(await hold({ requestId }));
    expect(await hold({ requestId })).toMatchObject({ refused: "in_progress" });
    clock.advance(60_001);
    const second = idOf(await hold({ requestId }));
    await pay(second);
    expect(await hold({ requestId })).toMatchObject({ refused: "already_answered" });
    await pay(first);
    expect(
      await sql`select status, code from llm.calls where workspace_id = ${workspaceId} order by call_id`,
    ).toEqual([
      { status: "failed", code: "overtaken" },
      { status: "ok", code: null },
    ]);
  });
});

describe("calls that end together", () => {
  it("are settled together, each once, and one that cannot be does not keep the others from it", async () => {
    const settler = createCallSettler({ sql, log: silentLog, pause: async () => {} });
    const ids = await Promise.all(Array.from({ length: 30 }, async () => idOf(await hold())));
    const ended = (callId: string, requests = [row()]) => ({
      ...{ workspaceId, callId, code: null, requests, at: clock.now() },
    });
    for (const id of ids) settler.settle(ended(id));
    settler.settle(ended(ids[0] ?? "", [row({ http_status: Number.NaN, latency_ms: 2 ** 40 })]));
    await settler.done();
    expect(await used("workspace")).toMatchObject({ calls: 30, tokens: 30 * 50 });
  });
});

describe("a person who is forgotten", () => {
  it("is in no row any more, and what was spent stays with the workspace", async () => {
    await cap("user", "calls", 5, { subject: "7" });
    await pay(idOf(await hold({ userId: "7", requestId: "r-7" })));
    const underWay = idOf(await hold({ userId: "7" }));
    await sql`select llm.forget_user(${workspaceId}, '7')`;
    await pay(underWay);
    expect(await used("workspace")).toMatchObject({ calls: 2, held_calls: 0 });
    const [{ found }] = await sql<[{ found: number }]>`
      select (select count(*) from llm.calls where user_id = '7' and workspace_id = ${workspaceId})
        + (select count(*) from llm.spending where subject = '7' and workspace_id = ${workspaceId})
        + (select count(*) from llm.budgets where subject = '7' and workspace_id = ${workspaceId}) as found`;
    expect(found).toBe(0);
  });
});

describe("what is old", () => {
  it("is forgotten after its time", async () => {
    await pay(idOf(await hold()));
    clock.advance(401 * 24 * 3_600_000);
    await pay(idOf(await hold()));
    await sql`select llm.forget_old_calls('400 days', ${clock.now()})`;
    expect(await sql`select call_id from llm.calls where workspace_id = ${workspaceId}`).toHaveLength(1);
    expect(
      await sql`select from llm.spending where workspace_id = ${workspaceId} and starts_on < '2027-01-01'`,
    ).toHaveLength(0);
  });
});

describe("through the gateway", () => {
  let twins: TestTwins;
  beforeAll(async () => {
    twins = await startTestTwins();
  });
  afterAll(() => twins?.close());
  const ask = () => ({
    workspaceId,
    policy: "plain",
    prompt: { name: "advice", values: { mode: "care" }, data: { question: "Чем кормить кота?" } },
  });

  // covers llm: Budgets that parallel calls cannot pass
  it("two gateways together never ask more often than the cap allows", async () => {
    const stands = [aGateway(sql, twins.url), aGateway(sql, twins.url)];
    await cap("workspace", "calls", 5);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => stands[at % 2]?.gateway.text(ask())),
    );
    expect(answers.filter((answer) => answer?.ok)).toHaveLength(5);
    const refused = answers.find((answer) => answer?.ok === false);
    expect(refused).toMatchObject({ error: { code: "budget_exceeded", budget: { unit: "calls", cap: 5 } } });
    const { entries } = await twins.control<{ entries: unknown[] }>("GET", "/journal");
    expect(entries).toHaveLength(5);
    await Promise.all(stands.map((harness) => harness.close()));
  });

  // covers llm: Budgets that parallel calls cannot pass
  it("a repair that the cap does not allow is not asked for, and the call ends as over its budget", async () => {
    const harness = aGateway(sql, twins.url);
    await cap("workspace", "tokens", 1_500);
    await twins.control("POST", "/reset");
    await twins.control("POST", "/faults", { fault: { kind: "answer", flaw: "empty" } });
    const answered = await harness.gateway.text({
      ...ask(),
      parts: [{ type: "text", text: "слово ".repeat(100) }],
    });
    expect(answered).toMatchObject({ ok: false, error: { code: "budget_exceeded" }, meta: { requests: 1 } });
    await harness.close();
    expect(await used("workspace")).toMatchObject({ held_tokens: 0, calls: 1 });
  });
});
