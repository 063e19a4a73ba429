import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aWorkspace } from "../../src/delivery/testing/builders.ts";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { until } from "../support/until.ts";

/** Processes that meet only in PostgreSQL. */
const token = "a-token-of-two-processes";
const perDay = 3;
let database: TestDatabase;
let twins: TestTwins;
const doors: { child: ChildProcess; url: string }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  twins = await startTestTwins();
  await aWorkspace(database.sql);
  doors.push(await aDoor(), await aDoor());
}, 60_000);
afterAll(async () => {
  await Promise.all(doors.map(({ child }) => gone(child)));
  await twins?.close();
  await database?.drop();
});

async function aDoor() {
  const settings = {
    ...{ databaseUrl: database.url, home: tempFolder("advisor-door"), twinsUrl: twins.url },
    settings: { BOT_BACKEND_TOKEN: token, FREE_DAILY_LIMIT: String(perDay), COOLDOWN_SEC: "0" },
  };
  const child = fork(fileURLToPath(new URL("../support/advisor-process.js", import.meta.url)), [
    JSON.stringify(settings),
  ]);
  const [url] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(([code]) => {
      throw new Error(`the advisor ended with code ${code} before it listened`);
    }),
  ]);
  return { child, url: String(url) };
}

async function gone(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function ask(url: string, user: number, requestId = randomUUID(), more: object = {}) {
  const answer = await fetch(`${url}/v1/chat/ask`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...{ request_id: requestId, user: { telegram_user_id: user }, message: { text: "Чем кормить кота?" } },
      ...more,
    }),
  });
  const body = JSON.parse(await answer.text());
  return { status: answer.status, reason: body.error?.reason, body };
}

/** The same numbers in every run. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % sides;
  };
}

const door = (index: number) => doors[index % doors.length]?.url ?? "";

describe("two processes", () => {
  it("never let more through than a quota allows, in two thousand parallel requests in any order", async () => {
    const roll = dice(7);
    const people = 100;
    const requests = Array.from({ length: 2_000 }, () => ({ user: 1_000 + roll(people), at: roll(2) }));
    const passed = new Map<number, number>();
    const reasons = new Set<string>();
    for (let from = 0; from < requests.length; from += 100)
      await Promise.all(
        requests.slice(from, from + 100).map(async ({ user, at }) => {
          const { status, reason } = await ask(door(at), user);
          if (status === 200) passed.set(user, (passed.get(user) ?? 0) + 1);
          else reasons.add(`${status} ${reason}`);
        }),
      );
    expect([...reasons]).toEqual(["429 daily_limit_exceeded"]);
    expect(new Set(passed.values())).toEqual(new Set([perDay]));
    expect(passed.size).toBe(people);
    const [row] = await database.sql`select count(*)::int as calls from llm.calls`;
    expect(row?.calls).toBe(people * perDay);
  }, 120_000);

  it("ask the model once for an id that comes to both at once", async () => {
    const ids = Array.from({ length: 10 }, () => randomUUID());
    const replies = await Promise.all(
      ids.flatMap((id, index) => Array.from({ length: 8 }, (_, turn) => ask(door(turn), 5_000 + index, id))),
    );
    expect(
      replies.filter(({ status }) => status !== 200).every(({ reason }) => reason === "request_in_progress"),
    ).toBe(true);
    const [row] = await database.sql`
      select count(*)::int as calls from llm.calls where split_part(request_id, ':', 2) = any(${ids})`;
    expect(row?.calls).toBe(ids.length);
  }, 60_000);

  it("take over from each other: a question of a process that was killed is asked again, and costs one", async () => {
    const third = await aDoor();
    doors.push(third);
    const [user, id] = [7_777, randomUUID()];
    await twins.control("POST", "/faults", { provider: "openrouter", fault: { kind: "hang" }, times: 1 });
    const lost = expect(ask(third.url, user, id)).rejects.toThrow();
    const row = () =>
      database.sql`select status, attempt from advisor.request_dedup where request_id = ${id}`;
    await until("the question is under way", async () => (await row())[0]?.status === "started");
    await gone(third.child);
    await lost;
    expect(await ask(door(0), user, id)).toMatchObject({ status: 409, reason: "request_in_progress" });
    // As if two minutes had passed.
    await database.sql`update advisor.request_dedup set started_at = started_at - interval '2 minutes' where request_id = ${id}`;
    expect(await ask(door(1), user, id)).toMatchObject({
      status: 200,
      body: { limits: { remaining_in_window: perDay - 1 } },
    });
    expect(await row()).toMatchObject([{ status: "done", attempt: 2 }]);
  }, 60_000);
});
