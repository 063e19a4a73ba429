import { type DestinationStream, type Logger, type LoggerOptions, pino } from "pino";
import { redactText } from "./redact-text.ts";

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
  /** Values that no error may show, whatever they look like. */
  secrets?: readonly string[];
  /** Gets every line of level `error` or `fatal`, as it is written. Must not throw. */
  onError?: (line: string) => void;
}

export function createLog({ level, destination, secrets = [], onError }: LogSettings): Log {
  const text = (value: unknown) => (typeof value === "string" ? redactText(value, secrets) : value);
  const error = (value: unknown) =>
    value instanceof Error ? redactError(pino.stdSerializers.err(value), text) : text(value);
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redactedPaths, censor: "[redacted]" },
    serializers: { err: error, error, reason: text },
    formatters: { level: (label) => ({ level: label }) },
    ...(onError && { hooks: { streamWrite: tellErrors(onError) } }),
  };
  return pino(options, destination ?? pino.destination({ dest: 2, sync: true }));
}

/** Message, stack and every other text of the error; those of its parts too. */
function redactError(error: object, text: (value: unknown) => unknown): object {
  return Object.fromEntries(
    Object.entries(error).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((part) => (typeof part === "object" && part ? redactError(part, text) : text(part)))
        : text(value),
    ]),
  );
}

/** The level is always the first key of a line. */
const errorLine = /^\{"level":"(?:error|fatal)"/;

function tellErrors(onError: (line: string) => void): (line: string) => string {
  return (line) => {
    if (errorLine.test(line)) onError(line);
    return line;
  };
}

export const silentLog: Log = pino({ level: "silent" });
