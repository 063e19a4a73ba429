export { createJobs, type JobsSettings, runWorkerMigrations } from "./create-jobs.ts";
export { type CronEntry, every } from "./cron.ts";
export { type EnqueueOptions, enqueue } from "./enqueue.ts";
export { defineTask, type RunnableTask, type Task, type TaskContext, type TaskSpec } from "./task.ts";
