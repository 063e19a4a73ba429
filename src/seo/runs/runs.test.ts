import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { databaseWithJobs, type TestDatabase } from "../../../tests/support/database.ts";
import { aPerson, balanceOf, findingsIn } from "../../billing/testing/builders.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { manualClock } from "../../kernel/clock/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { Order } from "./begin-run.ts";
import { createRuns, type RunKey, type Runs } from "./create-runs.ts";
import { RunFailure } from "./run-failure.ts";
import { defineRun, type RunScope, type WorkEnd } from "./run-kind.ts";
import type { RunRow } from "./run-row.ts";

const clock = manualClock(new Date("2026-11-17T12:00:00Z"));
let database: TestDatabase;
let workspaceId: string;
let userId: number;
beforeAll(async () => {
  database = await databaseWithJobs();
});
afterAll(() => database.drop());
beforeEach(async () => {
  clock.set(new Date("2026-11-17T12:00:00Z"));
  workspaceId = await aWorkspace(database.sql);
  userId = await aPerson(database.sql, workspaceId, { tokens: 1_000 });
  await database.sql`delete from graphile_worker._private_jobs`;
});

type Text = { text: string };
const order = { topic: "чай" };
const text = z.object({ text: z.string() });
const inOrder = z.object({ topic: z.string() });

/** A kind of work, and the runs that know it. */
function workshop(work: (run: RunScope) => Promise<WorkEnd<Text>>) {
  const kind = defineRun({ kind: "poem", title: { ru: "стихи", en: "a poem" }, input: inOrder, work });
  const { sql } = database;
  const runs = createRuns({ sql, clock, log: silentLog, kinds: [kind], leaseMs: 30_000 });
  const begin = (changes: Partial<Order<{ topic: string }>> = {}) =>
    runs.begin(kind, {
      ...{ workspaceId, userId, input: order, counts: { texts: 1 } },
      charges: [{ step: "text", operation: "text_generation", tokens: 200 }],
      ...changes,
    });
  const begun = async (changes: Partial<Order<{ topic: string }>> = {}): Promise<RunKey> => {
    const answer = await begin(changes);
    if (!answer.ok) throw new Error(answer.reason);
    return { workspaceId, userId, runId: answer.runId };
  };
  return { runs, begin, begun };
}

const perform = (runs: Runs, { runId }: RunKey, signal = new AbortController().signal) =>
  runs.task.perform({ workspace_id: workspaceId, run_id: runId }, { log: silentLog, signal });

const rowOf = async ({ runId }: RunKey) => {
  const [row] = await database.sql<[RunRow]>`
    select * from seo.runs where workspace_id = ${workspaceId} and id = ${runId}`;
  return row;
};
const balance = () => balanceOf(database.sql, workspaceId, userId);
const jobs = async () =>
  (
    await database.sql<
      { key: string }[]
    >`select key from graphile_worker.jobs where task_identifier = 'seo.run'`
  ).length;

const write = (run: RunScope, name = "write") =>
  run.step(name, { result: text, stage: "writing" }, async (step) => {
    step.note("asked", { topic: "чай" });
    step.call({ provider: "openrouter", model: "a/model", costUsd: 0.12, inputTokens: 10, outputTokens: 20 });
    return { text: "Чай" };
  });

describe("a run", () => {
  it("holds its tokens when it begins, settles them when it is done, and keeps what its steps read and cost", async () => {
    const { runs, begun } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const key = await begun();
    expect(await balance()).toBe(800);
    expect(await jobs()).toBe(1);
    await perform(runs, key);
    expect(await rowOf(key)).toMatchObject({ status: "done", result: { text: "Чай" }, error: null });
    expect(await balance()).toBe(800);
    const steps = await database.sql`select * from seo.run_steps where run_id = ${key.runId}`;
    expect(steps).toMatchObject([
      {
        name: "write",
        status: "done",
        result: { text: "Чай" },
        notes: [{ what: "asked", facts: { topic: "чай" } }],
        cost_usd: "0.120000",
      },
    ]);
    expect(await findingsIn(database.sql, workspaceId, clock.now())).toEqual([]);
  });

  // covers seo: E06
  it("begins once for a request that is repeated, however close together", async () => {
    const { begin } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const answers = await Promise.all([1, 2, 3].map(() => begin({ requestKey: "tap-1" })));
    expect(new Set(answers.map((answer) => answer.ok && answer.runId)).size).toBe(1);
    expect(answers.filter((answer) => answer.ok && !answer.repeated)).toHaveLength(1);
    expect(await balance()).toBe(800);
    expect(await jobs()).toBe(1);
  });

  // covers seo: E01
  it("does not begin with too few tokens: nothing is written, held or counted", async () => {
    const { begin } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const charges = [
      { step: "text", operation: "text_generation", tokens: 900 },
      { step: "images", operation: "image_generation", tokens: 120 },
    ];
    expect(await begin({ charges })).toEqual({ ok: false, reason: "short", needed: 1_020, balance: 1_000 });
    expect(await balance()).toBe(1_000);
    expect(await database.sql`select from seo.runs where workspace_id = ${workspaceId}`).toHaveLength(0);
    expect(await jobs()).toBe(0);
  });

  it("holds what there is, if that is not less than the usual price", async () => {
    const { begin } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const charges = (text: number, least: number) => [
      { step: "text", operation: "text_generation", tokens: text, least },
      { step: "images", operation: "image_generation", tokens: 120 },
    ];
    expect(await begin({ charges: charges(950, 881) })).toEqual({
      ...{ ok: false, reason: "short", needed: 1_001, balance: 1_000 },
    });
    expect(await begin({ charges: charges(950, 870) })).toMatchObject({ ok: true, tokens: 1_000 });
    expect(await balance()).toBe(0);
  });

  it("is limited by the hour, and says when the next one is taken; a refused one counts nothing and costs nothing", async () => {
    const { begin } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const free = { charges: [] };
    for (let count = 0; count < 9; count++) expect(await begin(free)).toMatchObject({ ok: true });
    clock.advance(10 * 60_000);
    expect(await begin(free)).toMatchObject({ ok: true });
    const refused = { ok: false, reason: "limited", counted: "texts", limit: 10 };
    expect(await begin()).toEqual({ ...refused, againAt: new Date("2026-11-17T13:00:00Z") });
    expect(await begin({ counts: { images: 21 } })).toMatchObject({ reason: "limited", counted: "images" });
    expect(await balance()).toBe(1_000);
    clock.set(new Date("2026-11-17T13:00:00Z"));
    expect(await begin(free)).toMatchObject({ ok: true });
  });

  it("lets no two that begin at once pass the limit together", async () => {
    const { begin } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const counts = { counts: { keywords: 1 }, charges: [] };
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(counts)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
  });

  it("returns everything when its work says that it failed, with the reason for the person", async () => {
    const { runs, begun } = workshop(async () => {
      throw new RunFailure("text_failed", { ru: "Не вышло. Токены возвращены.", en: "It failed." });
    });
    const key = await begun();
    await perform(runs, key);
    expect(await rowOf(key)).toMatchObject({ status: "failed", error: { code: "text_failed" } });
    expect(await balance()).toBe(1_000);
  });

  it("is tried again after an error that is nobody's decision, and fails for good after five attempts", async () => {
    const { runs, begun } = workshop(async () => {
      throw new Error("a bug");
    });
    const key = await begun();
    for (let attempt = 1; attempt < 5; attempt++) {
      await expect(perform(runs, key)).rejects.toThrow("a bug");
      expect(await rowOf(key)).toMatchObject({ status: "queued", attempts: attempt });
    }
    await perform(runs, key);
    expect(await rowOf(key)).toMatchObject({ status: "failed", error: { code: "internal" } });
    expect(await balance()).toBe(1_000);
  });
});

describe("a run whose process ends", () => {
  it("goes on from the first step that was not done, and no step is done twice", async () => {
    const done: string[] = [];
    let dies = true;
    const { runs, begun } = workshop(async (run) => {
      const step = (name: string) =>
        run.step(name, { result: text }, async () => {
          done.push(name);
          return { text: name };
        });
      const found = await step("search");
      if (dies) throw new Error("the power is off");
      const written = await step("write");
      return { status: "done", result: { text: `${found.text}, ${written.text}` } };
    });
    const key = await begun();
    await expect(perform(runs, key)).rejects.toThrow("the power is off");
    dies = false;
    await perform(runs, key);
    expect(done).toEqual(["search", "write"]);
    expect(await rowOf(key)).toMatchObject({ status: "done", result: { text: "search, write" } });
    expect(await balance()).toBe(800);
  });

  it("is taken over when its lease is over, and the first process writes nothing any more", async () => {
    const signals = new EventEmitter();
    const [opened, arrived] = [once(signals, "open"), once(signals, "arrived")];
    let first = true;
    const { runs, begun } = workshop(async (run) => {
      const slow = first;
      first = false;
      return {
        status: "done",
        result: await run.step("write", { result: text }, async () => {
          if (slow) {
            signals.emit("arrived");
            await opened;
          }
          return { text: slow ? "late" : "in time" };
        }),
      };
    });
    const key = await begun();
    const late = perform(runs, key);
    await arrived;
    // Held by the first: nobody else gets it.
    await perform(runs, key);
    expect(await rowOf(key)).toMatchObject({ status: "running", attempts: 1 });
    expect(await runs.recover()).toBe(0);
    clock.advance(31_000);
    await database.sql`delete from graphile_worker._private_jobs`;
    expect(await runs.recover()).toBe(1);
    expect(await jobs()).toBe(1);
    await perform(runs, key);
    signals.emit("open");
    await late;
    expect(await rowOf(key)).toMatchObject({ status: "done", result: { text: "in time" } });
    expect(await balance()).toBe(800);
  });

  it("goes back to the queue when the process must stop, which is no failed attempt", async () => {
    const stop = new AbortController();
    const { runs, begun } = workshop(async (run) => {
      await run.step("search", { result: text }, async () => ({ text: "found" }));
      stop.abort();
      return { status: "done", result: await write(run) };
    });
    const key = await begun();
    await expect(perform(runs, key, stop.signal)).rejects.toThrow();
    expect(await rowOf(key)).toMatchObject({ status: "queued", attempts: 0 });
    expect(await balance()).toBe(800);
  });
});

describe("a run that is cut off in the middle of a call", () => {
  const cutOff = async (end: () => { text: string }) => {
    const stop = new AbortController();
    const { runs, begun } = workshop(async (run) => ({
      status: "done",
      result: await run.step("write", { result: text }, async () => {
        stop.abort();
        return end();
      }),
    }));
    const key = await begun();
    await expect(perform(runs, key, stop.signal)).rejects.toThrow();
    return rowOf(key);
  };

  it("does not fail because the work takes that for a provider's failure", async () => {
    const failed = await cutOff(() => {
      throw new RunFailure("llm_failed", { ru: "Не удалось.", en: "Failed." });
    });
    expect(failed).toMatchObject({ status: "queued", attempts: 0 });
    expect(await balance()).toBe(800);
  });

  it("does not keep what the work made of it", async () => {
    expect(await cutOff(() => ({ text: "a text without its source" }))).toMatchObject({ status: "queued" });
    expect(
      await database.sql`select from seo.run_steps where workspace_id = ${workspaceId} and result is not null`,
    ).toEqual([]);
  });
});

describe("a run that its person cancels", () => {
  it("ends at once while it waits, and its tokens are back", async () => {
    const { runs, begun } = workshop(async (run) => ({ status: "done", result: await write(run) }));
    const key = await begun();
    expect(await runs.cancel({ ...key, userId: userId + 1 })).toBeUndefined();
    expect(await runs.cancel(key)).toBe("cancelled");
    expect(await balance()).toBe(1_000);
    // Its job finds nothing to do, and a second tap changes nothing.
    await perform(runs, key);
    expect(await runs.cancel(key)).toBe("cancelled");
    expect(await balance()).toBe(1_000);
  });

  it("stops before its next step while it is worked on", async () => {
    const asked: string[] = [];
    const { runs, begun } = workshop(async (run) => {
      await run.step("search", { result: text }, async () => {
        asked.push("search");
        expect(await runs.cancel({ workspaceId, userId, runId: run.runId })).toBe("running");
        return { text: "found" };
      });
      return {
        status: "done",
        result: await run.step("write", { result: text }, async () => {
          asked.push("write");
          return { text: "late" };
        }),
      };
    });
    const key = await begun();
    await perform(runs, key);
    expect(asked).toEqual(["search"]);
    expect(await rowOf(key)).toMatchObject({ status: "cancelled" });
    expect(await balance()).toBe(1_000);
  });
});

describe("a text that is reviewed", () => {
  const reviewed = () => {
    const made: string[] = [];
    const { runs, begun } = workshop(async (run) => {
      await run.step("search", { result: text, shared: true }, async () => {
        made.push("search");
        return { text: "found" };
      });
      return {
        status: "review",
        result: await run.step("write", { result: text }, async () => {
          made.push(`write ${run.round}`);
          return { text: `round ${run.round}` };
        }),
      };
    });
    return { runs, begun, made };
  };

  it("keeps its tokens held; a regeneration writes anew and reads nothing again, and cancelling returns what both cost", async () => {
    const { runs, begun, made } = reviewed();
    const key = await begun();
    await perform(runs, key);
    expect(await rowOf(key)).toMatchObject({ status: "review", result: { text: "round 0" } });
    const paid = [{ step: "text-1", operation: "text_generation", tokens: 300 }];
    expect(await runs.regenerate(key, paid)).toEqual({ ok: true });
    expect(await runs.regenerate(key, paid)).toEqual({ ok: false, reason: "not_reviewed" });
    await perform(runs, key);
    expect(made).toEqual(["search", "write 0", "write 1"]);
    expect(await rowOf(key)).toMatchObject({ status: "review", round: 1, result: { text: "round 1" } });
    expect(await balance()).toBe(500);
    const dear = [{ step: "text-2", operation: "text_generation", tokens: 501 }];
    expect(await runs.regenerate(key, dear)).toEqual({
      ok: false,
      reason: "short",
      needed: 501,
      balance: 500,
    });
    expect(await rowOf(key)).toMatchObject({ status: "review", round: 1 });
    expect(await runs.cancel(key)).toBe("cancelled");
    expect(await balance()).toBe(1_000);
    expect(await findingsIn(database.sql, workspaceId, clock.now())).toEqual([]);
  });

  it("is published, taken, cancelled or expired by whoever is first, and its tokens end once", async () => {
    const { runs, begun } = reviewed();
    const key = await begun();
    await perform(runs, key);
    const [published, taken, expired, cancelled] = await Promise.all([
      runs.publish(key, undefined, async () => {}),
      runs.take(key, "html_copied"),
      runs.expire(key),
      runs.cancel(key),
    ]);
    const winners = [published, taken, expired, cancelled === "cancelled"].filter(Boolean);
    expect(winners).toHaveLength(1);
    expect(await balance()).toBe(expired || cancelled === "cancelled" ? 1_000 : 800);
  });

  it("is done when its delivery has arrived, and refunded with the reason when it has not", async () => {
    const { runs, begun } = reviewed();
    const said = { ru: "Сайт не отвечает.", en: "The site does not answer." };
    const [arrived, refused] = [await begun(), await begun()];
    for (const key of [arrived, refused]) {
      await perform(runs, key);
      expect(await runs.publish(key, 7, async () => {})).toBe(true);
      expect(await runs.cancel(key)).toBe("publishing");
    }
    expect(await balance()).toBe(600);
    expect(await runs.published(arrived, { ok: true, result: { url: "https://shop.example/tea" } })).toBe(
      true,
    );
    expect(await runs.published(refused, { ok: false, code: "unreachable", said })).toBe(true);
    expect(await runs.published(refused, { ok: true, result: {} })).toBe(false);
    expect(await rowOf(arrived)).toMatchObject({
      status: "done",
      result: { text: "round 0", url: "https://shop.example/tea" },
    });
    expect(await rowOf(refused)).toMatchObject({
      status: "failed",
      error: { code: "unreachable", message: said },
    });
    expect(await balance()).toBe(800);
  });

  it("and a run that is worked on are alive for billing, so that their tokens stay held; one that ended is not", async () => {
    const { runs, begun } = reviewed();
    const [waiting, ended] = [await begun(), await begun()];
    await perform(runs, waiting);
    await runs.cancel(ended);
    const alive = await database.sql<{ id: string }[]>`
      select * from billing.runs_in_work(${workspaceId}, ${[waiting.runId, ended.runId]}) as id`;
    expect(alive).toEqual([{ id: waiting.runId }]);
  });
});

it("refuses a status that does not follow", async () => {
  const { runs, begun } = workshop(async (run) => ({ status: "done", result: await write(run) }));
  const key = await begun();
  await perform(runs, key);
  const back = database.sql`
    update seo.runs set status = 'queued', ended_at = null where id = ${key.runId}`.execute();
  await expect(back).rejects.toThrow("a run cannot go from done to queued");
});
