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
import { messageOf } from "../errors/index.ts";
import { type Log, silentLog } from "../log/index.ts";
import { createStopController, type Service } from "../service/index.ts";
import { type CronEntry, parseCron, splitCronPayload } from "./cron.ts";
import type { RunnableTask } from "./task.ts";
import { workerLogger } from "./worker-log.ts";

export interface JobsSettings {
  readonly databaseUrl: string;
  readonly tasks: readonly RunnableTask[];
  readonly cron: readonly CronEntry[];
  /** How many jobs run at once in this process. */
  readonly concurrency: number;
  readonly log: Log;
  /** How often the worker polls for delayed jobs that have become due; new jobs announce themselves. */
  readonly pollIntervalMs?: number;
  /** Running jobs get half of it to finish, then are aborted; what still runs at the end is left and retried later. */
  readonly stopTimeoutMs?: number;
}

interface Running {
  readonly runner: Runner;
  readonly pools: readonly WorkerPool[];
}

const defaults = { pollIntervalMs: 1_000, stopTimeoutMs: 8_000 } as const;
const restartDelayMs = 2_000;

export function createJobs(settings: JobsSettings): Service {
  const { log, stopTimeoutMs = defaults.stopTimeoutMs } = settings;
  const taskList = taskListOf(settings.tasks, log);
  refuseUnknownTasks(settings.cron, taskList);
  let stopping = createStopController();
  let running: Running | undefined;

  async function launch(): Promise<void> {
    const events: WorkerEvents = new EventEmitter();
    const pools: WorkerPool[] = [];
    events.on("pool:create", ({ workerPool }) => pools.push(workerPool));
    const runner = await run({
      events,
      connectionString: named(settings.databaseUrl),
      maxPoolSize: settings.concurrency + 2,
      concurrency: settings.concurrency,
      pollInterval: settings.pollIntervalMs ?? defaults.pollIntervalMs,
      gracefulShutdownAbortTimeout: stopTimeoutMs / 2,
      noHandleSignals: true,
      logger: workerLogger(log),
      taskList,
      // Without batches, nobody, not even `stop`, waits for the write that completes a job.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      parsedCronItems: parseCron(settings.cron),
    });
    const ended = () => void relaunch();
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
        if (!stopping.signal.aborted) log.error({ reason: messageOf(error) }, "the job worker did not start");
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    const last = running;
    running = undefined;
    if (last) await stopWithin(stopTimeoutMs, last, log);
  }

  return {
    name: "jobs",
    async start() {
      stopping = createStopController();
      await launch();
    },
    stop,
  };
}

/** Migrates graphile-worker's own tables. */
export async function runWorkerMigrations(databaseUrl: string): Promise<void> {
  await runMigrations({ connectionString: named(databaseUrl), logger: workerLogger(silentLog) });
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
    const last = attempts >= maxAttempts;
    const fields = { attempt: attempts, maxAttempts, reason: messageOf(error) };
    if (last) jobLog.error(fields, "job failed for good");
    else jobLog.warn(fields, "job failed and will be tried again");
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

/** Shown in pg_stat_activity, so that an operator sees who holds a connection. */
function named(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("application_name", "molva-jobs");
  return url.href;
}
