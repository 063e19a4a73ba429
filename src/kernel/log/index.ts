export { createLog, type Log, type LogSettings, silentLog } from "./create-log.ts";
export { redactText } from "./redact-text.ts";
