/** Runs background jobs and cron entries on graphile-worker, in its own schema. */

import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import {
  type JobHelpers,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import type { StopTimes } from "../config/index.ts";
import { clockMoved, type Listener, listen, type Sql } from "../db/index.ts";
import { messageOf } from "../errors/index.ts";
import { type Log, silentLog } from "../log/index.ts";
import { createStopController, type Service } from "../service/index.ts";
import { type CronEntry, entriesBetween, parseCron, splitCronPayload } from "./cron.ts";
import { enqueue } from "./enqueue.ts";
import type { RunnableTask } from "./task.ts";
import { workerConnections } from "./worker-connections.ts";
import { workerLogger } from "./worker-log.ts";

export interface JobsSettings {
  readonly databaseUrl: string;
  readonly tasks: readonly RunnableTask[];
  readonly cron: readonly CronEntry[];
  /** How many jobs run at once in this process. */
  readonly concurrency: number;
  readonly log: Log;
  /** If given, cron entries also run when the clock is moved over their time. */
  readonly sql?: Sql | undefined;
  /** How often the worker polls for delayed jobs that have become due; new jobs announce themselves. */
  readonly pollIntervalMs?: number;
  /** Running jobs get `finishWithinMs` to finish, then are aborted; what still runs at the end is left and retried later. */
  readonly stopTimes?: StopTimes;
}

interface Running {
  readonly runner: Runner;
  readonly pools: readonly WorkerPool[];
}

const defaults = {
  pollIntervalMs: 1_000,
  stopTimes: { finishWithinMs: 4_000, stopWithinMs: 8_000 },
} as const;
const restartDelayMs = 2_000;
/** A job that has failed so often is an error, although its attempts may go on for days: no passing trouble lasts so long. */
const persistentAt = 3;

export function createJobs(settings: JobsSettings): Service {
  const { log, stopTimes = defaults.stopTimes } = settings;
  const taskList = taskListOf(settings.tasks, log);
  refuseUnknownTasks(settings.cron, taskList);
  let stopping = createStopController();
  let running: Running | undefined;
  let listener: Listener | undefined;

  /** Several processes hear of it: the key makes one job of theirs. */
  async function catchUp(sql: Sql, moved: string): Promise<void> {
    const [from = "", to = ""] = moved.split("/");
    const due = entriesBetween(settings.cron, new Date(Number(from)), new Date(Number(to)));
    for (const { identifier, task, payload = {} } of due)
      await enqueue(sql, task, payload, { key: `${identifier} by a moved clock` });
  }

  async function launch(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const pools: WorkerPool[] = [];
    events.on("pool:create", ({ workerPool }) => pools.push(workerPool));
    const connections = workerConnections(settings.databaseUrl, settings.concurrency + 2, log);
    const runner = await run({
      ...{ events, ...connections.options },
      concurrency: settings.concurrency,
      pollInterval: settings.pollIntervalMs ?? defaults.pollIntervalMs,
      gracefulShutdownAbortTimeout: stopTimes.finishWithinMs,
      noHandleSignals: true,
      logger: workerLogger(log),
      taskList,
      // Without batches, nobody, not even `stop`, waits for the write that completes a job.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      parsedCronItems: parseCron(settings.cron),
    }).catch(async (error: unknown) => {
      await connections.end();
      throw error;
    });
    const ended = () => {
      connections.end().catch(() => undefined);
      void relaunch();
    };
    runner.promise.then(ended, ended);
    running = { runner, pools };
    // A `stop` during a restart found nothing to stop.
    if (stopping.signal.aborted) await stop();
  }

  /** The worker gives up when it cannot record that a job ended, as during a long outage of the database. */
  async function relaunch(): Promise<void> {
    while (!stopping.signal.aborted) {
      log.error("the job worker ended by itself and is started again");
      try {
        await delay(restartDelayMs, undefined, { signal: stopping.signal });
        return await launch();
      } catch (error) {
        if (!stopping.signal.aborted) log.error({ err: error }, "the job worker did not start");
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const last = running;
    running = undefined;
    if (last) await stopWithin(stopTimes.stopWithinMs, last, log);
  }

  return {
    name: "jobs",
    async start() {
      stopping = createStopController();
      await launch();
      const { sql } = settings;
      if (sql)
        listener = await listen(sql, clockMoved, {
          onNotify: (moved) =>
            void catchUp(sql, moved).catch((error: unknown) =>
              log.error({ err: error }, "jobs could not follow a moved clock"),
            ),
        });
    },
    async stop() {
      await listener?.close();
      listener = undefined;
      await stop();
    },
  };
}

/** Migrates graphile-worker's own tables. */
export async function runWorkerMigrations(databaseUrl: string): Promise<void> {
  const connections = workerConnections(databaseUrl, 2, silentLog);
  try {
    await runMigrations({ ...connections.options, logger: workerLogger(silentLog) });
  } finally {
    await connections.end();
  }
}

function taskListOf(tasks: readonly RunnableTask[], log: Log): TaskList {
  const list: TaskList = {};
  for (const task of tasks) {
    if (list[task.name]) throw new Error(`two tasks are called ${task.name}`);
    list[task.name] = (payload: unknown, helpers: JobHelpers) => perform(task, payload, helpers, log);
  }
  return list;
}

async function perform(task: RunnableTask, raw: unknown, helpers: JobHelpers, log: Log): Promise<void> {
  const { id, attempts, max_attempts: maxAttempts } = helpers.job;
  const jobLog = log.child({ task: task.name, job: id });
  const { payload, ...minute } = splitCronPayload(raw);
  try {
    await task.perform(payload, { log: jobLog, signal: helpers.abortSignal, ...minute });
  } catch (error) {
    const fields = { attempt: attempts, maxAttempts };
    const told = { ...fields, reason: messageOf(error) };
    if (helpers.abortSignal?.aborted) jobLog.info(told, "job was stopped with its process and goes on later");
    else if (attempts >= maxAttempts) jobLog.error({ ...fields, err: error }, "job failed for good");
    else if (attempts === persistentAt)
      jobLog.error({ ...fields, err: error }, "job keeps failing and will be tried again");
    else jobLog.warn(told, "job failed and will be tried again");
    throw error;
  }
}

function refuseUnknownTasks(cron: readonly CronEntry[], known: TaskList): void {
  for (const { identifier, task } of cron) {
    if (!known[task.name])
      throw new Error(`cron entry ${identifier} names ${task.name}, which is not among the tasks`);
  }
}

/** The runner's `kill` does not abort running jobs once a stop has begun, so its pool is told directly. */
async function stopWithin(timeoutMs: number, { runner, pools }: Running, log: Log): Promise<void> {
  const timer = setTimeout(() => {
    log.warn("jobs did not finish in time; they are given back and will be tried again");
    for (const pool of pools) attempt(pool.forcefulShutdown("the process had to stop"));
  }, timeoutMs);
  await attempt(runner.stop());
  clearTimeout(timer);

  async function attempt(shutdown: unknown): Promise<void> {
    try {
      await shutdown;
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "the job worker did not stop cleanly");
    }
  }
}
