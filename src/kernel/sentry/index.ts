/** Reports errors of the log to Sentry, by its envelope endpoint. */
export { readDsn } from "./dsn.ts";
export { pingSentry } from "./ping.ts";
export { createReports, type Reports, silentReports } from "./reports.ts";
