import type { DestinationStream } from "pino";
import { type Clock, systemClock } from "../kernel/clock/index.ts";
import { type Config, type Environment, type SettingGroup, secretsIn } from "../kernel/config/index.ts";
import { createLog, type Log, redactText } from "../kernel/log/index.ts";
import { createProviderClient } from "../kernel/outbound/index.ts";
import { projectRoot, version } from "../kernel/paths/index.ts";
import { createReports, type Reports, readDsn, silentReports } from "../kernel/sentry/index.ts";
import { networkOf } from "./network.ts";

export interface OpenLogOptions {
  readonly level: string;
  readonly roles: readonly string[];
  /** Settings of modules: their secrets are kept out of errors. */
  readonly settings: readonly SettingGroup[];
  readonly environment: Environment;
  readonly destination?: DestinationStream;
  /** The machine's unless given. */
  readonly clock?: Clock;
}

export interface OpenedLog {
  readonly log: Log;
  /** To be stopped last. */
  readonly reports: Reports;
  /** Ends the process because of an error that nobody caught; if errors are reported, this one is first. */
  endProcess(error: unknown): void;
}

/** The log of a process that runs for long. With `SENTRY_DSN`, its errors are reported. */
export async function openLog(config: Config, options: OpenLogOptions): Promise<OpenedLog> {
  const { level, roles, settings, destination, clock = systemClock } = options;
  const dsn = readDsn(config.SENTRY_DSN ?? "");
  const secrets = secretsIn(config, settings, options.environment);
  const reports = dsn
    ? createReports({
        ...{ dsn, client: `molva/${version}`, clock },
        http: createProviderClient(await networkOf(config)),
        facts: {
          ...{ release: `molva@${version}`, version, environment: config.MOLVA_ENV },
          ...{ role: roles.join(","), root: projectRoot },
          hide: (text) => redactText(text, secrets),
        },
        warn: (facts, text) => log.warn(facts, text),
      })
    : silentReports;
  const log = createLog({
    ...{ level, secrets },
    ...(dsn && { onError: reports.take }),
    ...(destination && { destination }),
  });

  let isEnding = false;
  return {
    log,
    reports,
    endProcess(error) {
      if (!dsn) throw error;
      // What follows the first is its consequence.
      if (isEnding) return;
      isEnding = true;
      log.fatal({ err: error }, "the process ends: nobody caught an error");
      void reports.flush().finally(() => process.exit(1));
    },
  };
}
