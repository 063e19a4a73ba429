export { msUntil } from "./ms-until.ts";
export { type ManualTimer, manualTimer, type Timer } from "./timer.ts";
export { createWorker, type Hand, idle, type Worker, type WorkerSettings } from "./worker.ts";
