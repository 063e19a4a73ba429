import type { Config } from "./settings.ts";

/** What a stopping process has, from the request to stop. */
export interface StopTimes {
  /** So long running work may go on; then it is cut off. */
  readonly finishWithinMs: number;
  /** By then it has given back what it held. */
  readonly stopWithinMs: number;
}

/** What connections and the database need to end after the work. */
const restOfStopMs = 2_000;
/** The last reports of errors need time of their own. */
const reportsMs = 2_000;
/** What work that is cut off gets to give back what it holds. */
const givingBackMs = 5_000;
const usualSeconds = { production: 120, otherwise: 10 } as const;

export function stopTimesOf(
  config: Pick<Config, "MOLVA_ENV" | "RAILWAY_GRACEFUL_SHUTDOWN_TIMEOUT" | "SENTRY_DSN">,
): StopTimes {
  const restMs = restOfStopMs + (config.SENTRY_DSN ? reportsMs : 0);
  const usual = config.MOLVA_ENV === "production" ? usualSeconds.production : usualSeconds.otherwise;
  const stopWithinMs = (config.RAILWAY_GRACEFUL_SHUTDOWN_TIMEOUT ?? usual) * 1_000 - restMs;
  return { stopWithinMs, finishWithinMs: Math.max(stopWithinMs / 2, stopWithinMs - givingBackMs) };
}
