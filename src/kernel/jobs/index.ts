export { createJobs, type JobsSettings, runWorkerMigrations } from "./create-jobs.ts";
export { type CronEntry, every } from "./cron.ts";
export { enqueue } from "./enqueue.ts";
export { defineTask, type RunnableTask, type Task, type TaskContext } from "./task.ts";
