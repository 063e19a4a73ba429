/** Upstash QStash, which can fire the schedules in the place of Molva's own clock. */
export type { QStash, RemoteSchedule, Reply } from "./client.ts";
export {
  createQStashDriver,
  netAfterMs,
  type QStashDriver,
  RemoteScheduleError,
  type TellOfRemoteFailure,
} from "./driver.ts";
export { qstashDriverOf, qstashOf, signingKeysOf } from "./parts.ts";
