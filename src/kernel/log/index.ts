import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";

export type Log = Logger;

/** Keys whose values never reach a log line, wherever they are in the logged object. */
const secretKeys = [
  "authorization",
  "cookie",
  "set-cookie",
  "x-molva-secret",
  "x-max-bot-api-secret",
  "x-telegram-bot-api-secret-token",
  "password",
  "secret",
  "token",
  "api_key",
  "apiKey",
  "access_token",
  "databaseUrl",
  "encryptionKeys",
];

const redactedPaths = secretKeys.flatMap((key) => {
  const step = /^[a-zA-Z_]+$/.test(key) ? `.${key}` : `["${key}"]`;
  return [step.replace(/^\./, ""), `*${step}`, `*.*${step}`];
});

export interface LogSettings {
  level: string;
  /** Where lines go; standard error unless told otherwise, so that `--json` output stays clean. */
  destination?: DestinationStream;
}

export function createLog({ level, destination }: LogSettings): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: "[redacted]" },
    formatters: { level: (label) => ({ level: label }) },
  };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

export const silentLog: Log = pino({ level: "silent" });
