/** The endpoints that QStash calls: `/api/publish`, `/api/cleanup`, `/api/notify`. */
export { cleanUpJob } from "./clean-up-job.ts";
export { jobRoutes } from "./job-routes.ts";
export type { SlotPublisher } from "./publish-job.ts";
export { storedSlots } from "./stored-slots.ts";
