import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { createLog, silentLog } from "../log/index.ts";
import {
  createJobs,
  defineTask,
  enqueue,
  type JobsSettings,
  type RunnableTask,
  runWorkerMigrations,
} from "./index.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase({ empty: true });
  await runWorkerMigrations(database.url);
});
afterAll(() => database.drop());

describe("a job", () => {
  it("runs with its payload soon after it was enqueued", async () => {
    const { task, runs } = recording("runs");
    await started([task]);
    await enqueue(database.sql, task, { text: "привет" });
    await expect.poll(() => runs).toEqual(["привет"]);
  });

  it("waits in the queue until somebody runs its task", async () => {
    const { task, runs } = recording("waits");
    await enqueue(database.sql, task, { text: "early" });
    await started([task]);
    await expect.poll(() => runs).toEqual(["early"]);
  });

  it("exists only if the transaction that enqueued it commits", async () => {
    const { task, runs } = recording("transactional");
    await started([task]);
    await database.sql
      .begin(async (tx) => {
        await enqueue(tx, task, { text: "rolled back" });
        throw new Error("change of mind");
      })
      .catch(() => {});
    await database.sql.begin((tx) => enqueue(tx, task, { text: "committed" }));
    await expect.poll(() => runs).toEqual(["committed"]);
    await expect.poll(() => waiting("transactional")).toBe(0);
  });

  it("is not run before its time", async () => {
    const { task } = recording("later");
    const runAt = new Date(Date.now() + 3_600_000);
    const id = await enqueue(database.sql, task, { text: "x" }, { runAt });
    const [job] = await database.sql`select run_at from graphile_worker.jobs where id = ${id}`;
    expect(job?.run_at).toEqual(runAt);
  });

  it("is tried again after a failure", async () => {
    let attempts = 0;
    const task = defineTask({
      name: "fails-once",
      schema: z.unknown(),
      run: async () => {
        if (++attempts === 1) throw new Error("not yet");
      },
    });
    await started([task]);
    await enqueue(database.sql, task, undefined);
    await expect.poll(() => waiting("fails-once", "attempts = 1 and locked_at is null")).toBe(1);
    await database.sql`update graphile_worker._private_jobs set run_at = now() where attempts = 1`;
    await expect.poll(() => attempts).toBe(2);
    await expect.poll(() => waiting("fails-once")).toBe(0);
  });

  it("stays as failed when its attempts are used up", async () => {
    const task = defineTask({
      name: "always-fails",
      schema: z.unknown(),
      maxAttempts: 1,
      run: () => Promise.reject(new Error("never")),
    });
    await started([task]);
    await enqueue(database.sql, task, undefined);
    await expect
      .poll(() => waiting("always-fails", "attempts = max_attempts and last_error = 'never'"))
      .toBe(1);
  });

  it("is an error of the log at its third failure and at its last, and a warning at the others", async () => {
    const levels: string[] = [];
    const destination = {
      write(line: string) {
        const { task, level } = JSON.parse(line);
        if (task === "fails-on") levels.push(level);
      },
    };
    const task = defineTask({
      name: "fails-on",
      schema: z.unknown(),
      maxAttempts: 5,
      run: () => Promise.reject(new Error("never")),
    });
    await started([task], { log: createLog({ level: "info", destination }) });
    await enqueue(database.sql, task, undefined);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect.poll(() => waiting("fails-on", `attempts = ${attempt} and locked_at is null`)).toBe(1);
      await database.sql`update graphile_worker._private_jobs set run_at = now() where attempts = ${attempt}`;
    }
    expect(levels).toEqual(["warn", "warn", "error", "warn", "error"]);
  });

  it("replaces a waiting job with the same key", async () => {
    const { task, runs } = recording("keyed");
    await enqueue(database.sql, task, { text: "first" }, { key: "once" });
    await enqueue(database.sql, task, { text: "second" }, { key: "once" });
    await started([task]);
    await expect.poll(() => waiting("keyed")).toBe(0);
    expect(runs).toEqual(["second"]);
  });

  it("is refused at the door when its payload does not fit, without showing it", async () => {
    const { task } = recording("strict");
    const wrong: unknown = JSON.parse('{ "text": { "secret": "s3cret" } }');
    await expect(async () => enqueue(database.sql, task, task.check(wrong))).rejects.toThrow(
      "the payload of strict does not fit its schema at /text (invalid_type)",
    );
  });

  it("leaves its id and error in the log, and nothing of its payload", async () => {
    const lines: string[] = [];
    const log = createLog({
      level: "debug",
      destination: new Writable({ write: (chunk, _, done) => done(void lines.push(String(chunk))) }),
    });
    const task = defineTask({
      name: "secretive",
      schema: z.object({ credential: z.string() }),
      maxAttempts: 1,
      run: () => Promise.reject(new Error("provider said no")),
    });
    await started([task], { log });
    const id = await enqueue(database.sql, task, { credential: "s3cret" });
    await expect.poll(() => lines.join("")).toContain("job failed for good");
    expect(lines.join("")).toContain(`"job":"${id}"`);
    expect(lines.join("")).toContain("provider said no");
    expect(JSON.parse(lines.find((line) => line.includes("job failed for good")) ?? "")).toMatchObject({
      ...{ level: "error", task: "secretive", job: id },
      err: { type: "Error", stack: expect.stringContaining("jobs.test.ts") },
    });
    expect(lines.join("")).not.toContain("s3cret");
  });
});

describe("a cron entry", () => {
  it("is remembered, and makes up for minutes that were missed", async () => {
    const minutes: (Date | undefined)[] = [];
    const task = defineTask({
      name: "every-minute",
      schema: z.strictObject({ text: z.string() }),
      run: async (_, { scheduledFor }) => void minutes.push(scheduledFor),
    });
    const entry = {
      identifier: "the-entry",
      task,
      schedule: "* * * * *",
      payload: { text: "x" },
      backfillMs: 150_000,
    };
    await database.sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('the-entry', now() - interval '1 hour', date_trunc('minute', now() - interval '2 minutes'))`;
    await started([task], { cron: [entry] });
    await expect.poll(() => minutes.length).toBeGreaterThanOrEqual(1);
    expect(minutes[0]?.getUTCSeconds()).toBe(0);
  });

  it("is registered under its identifier", async () => {
    const { task } = recording("hourly");
    await started([task], { cron: [{ identifier: "hourly-entry", task, schedule: "0 * * * *" }] });
    await expect
      .poll(
        async () =>
          (
            await database.sql`select from graphile_worker._private_known_crontabs where identifier = 'hourly-entry'`
          ).count,
      )
      .toBe(1);
  });

  it("must name a task that is there, and a schedule that can be read", async () => {
    const { task } = recording("absent");
    const entry = { identifier: "lost", task, schedule: "0 * * * *" };
    expect(() => jobsOf([], { cron: [entry] })).toThrow("cron entry lost names absent");
    await expect(jobsOf([task], { cron: [{ ...entry, schedule: "soon" }] }).start()).rejects.toThrow("soon");
  });
});

describe("stopping", () => {
  it("waits for the job in progress", async () => {
    const gate = withGate("slow");
    const jobs = await started([gate.task]);
    await enqueue(database.sql, gate.task, undefined);
    await gate.entered;
    let stopped = false;
    const stopping = jobs.stop().then(() => {
      stopped = true;
    });
    await database.sql`select 1`;
    expect(stopped).toBe(false);
    gate.open();
    await stopping;
    expect(gate.finished()).toBe(true);
    expect(await waiting("slow")).toBe(0);
  });

  it("tells a job that takes too long, and gives back one that does not listen", async () => {
    let told = false;
    const gate = withGate("stubborn", (signal) => signal.addEventListener("abort", () => (told = true)));
    const jobs = await started([gate.task], { stopTimes: { finishWithinMs: 200, stopWithinMs: 400 } });
    await enqueue(database.sql, gate.task, undefined);
    await gate.entered;
    await jobs.stop();
    expect(told).toBe(true);
    expect(await waiting("stubborn", "locked_at is null")).toBe(1);
    gate.open();
  });

  it("is safe before a start and twice", async () => {
    const jobs = jobsOf([]);
    await jobs.stop();
    await jobs.start();
    await jobs.stop();
    await jobs.stop();
  });
});

it("goes on after the database has cut every connection", async () => {
  const { task, runs } = recording("survivor");
  await started([task]);
  await enqueue(database.sql, task, { text: "before" });
  await expect.poll(() => runs).toEqual(["before"]);
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'molva-jobs' and datname = current_database()`;
  await enqueue(database.sql, task, { text: "after" });
  await expect.poll(() => runs).toEqual(["before", "after"]);
});

it("starts again after it gave up because a job's end could not be recorded", async () => {
  const { sql } = database;
  const gate = withGate("orphaned");
  const { task, runs } = recording("reborn");
  await started([gate.task, task]);
  await enqueue(sql, gate.task, undefined);
  await gate.entered;
  // The worker locks the same tables in another order: PostgreSQL may abort one of the two.
  const dropped = () => sql`drop schema graphile_worker cascade`.then(Boolean, () => false);
  await expect.poll(dropped).toBe(true);
  gate.open();
  const enqueued = () => enqueue(sql, task, { text: "again" }).then(Boolean, () => false);
  await expect.poll(enqueued, { interval: 200 }).toBe(true);
  await expect.poll(() => runs).toEqual(["again"]);
});

function jobsOf(tasks: readonly RunnableTask[], settings: Partial<JobsSettings> = {}) {
  return createJobs({
    databaseUrl: database.url,
    tasks,
    cron: [],
    concurrency: 2,
    log: silentLog,
    pollIntervalMs: 100,
    ...settings,
  });
}

async function started(tasks: readonly RunnableTask[], settings?: Partial<JobsSettings>) {
  const jobs = jobsOf(tasks, settings);
  await jobs.start();
  onTestFinished(() => jobs.stop());
  return jobs;
}

/** A task that records the texts it ran with. */
function recording(name: string) {
  const runs: string[] = [];
  const task = defineTask({
    name,
    schema: z.object({ text: z.string() }),
    run: async ({ text }) => void runs.push(text),
  });
  return { task, runs };
}

/** A task that runs until its gate is opened. */
function withGate(name: string, onSignal: (signal: AbortSignal) => void = () => {}) {
  let enter = () => {};
  let open = () => {};
  let finished = false;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const task = defineTask({
    name,
    schema: z.unknown(),
    run: async (_, { signal }) => {
      onSignal(signal);
      enter();
      await opened;
      finished = true;
    },
  });
  return { task, entered, open, finished: () => finished };
}

async function waiting(task: string, condition = "true"): Promise<number> {
  const jobs = await database.sql`
    select from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = ${task} and ${database.sql.unsafe(condition)}`;
  return jobs.count;
}
