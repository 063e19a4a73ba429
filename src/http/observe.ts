import type { IncomingMessage } from "node:http";
import type { Clock } from "../kernel/clock/index.ts";
import { uuidv7 } from "../kernel/ids/index.ts";
import type { MetricSpec, Metrics } from "../kernel/metrics/index.ts";
import type { App } from "./app.ts";

const saneRequestId = /^[\w.:-]{1,64}$/;

/** The caller's request id if it is safe to print, so that both logs have the same id. */
export function requestIdOf(request: IncomingMessage, clock: Clock): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && saneRequestId.test(given) ? given : uuidv7(clock);
}

export const httpMetrics = {
  duration: {
    name: "http_request_duration_seconds",
    help: "Time from the request's headers to the end of the answer",
    labels: ["method", "route", "status"],
  },
} as const satisfies Record<string, MetricSpec>;

/**
 * Writes one log line and one measurement per answer. Both use the route's pattern instead of the address: ids would make
 * endless series, and queries may hold secrets.
 */
export function observeRequests(app: App, metrics: Metrics): void {
  const duration = metrics.histogram(httpMetrics.duration);

  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });

  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url ?? "unmatched";
    const status = reply.statusCode;
    // A stream lasts for as long as somebody reads it: that is not the time of an answer.
    if (!String(reply.getHeader("content-type")).startsWith("text/event-stream"))
      duration.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, reply.elapsedTime / 1000);
    const line = { method, route, status, ms: Math.round(reply.elapsedTime * 10) / 10 };
    if (request.routeOptions.config.quiet && status < 500) request.log.debug(line, "answered");
    else request.log.info(line, "answered");
  });

  app.addHook("onRequestAbort", async (request) => {
    request.log.info(
      { method: request.method, route: request.routeOptions.url ?? "unmatched" },
      "the caller went away before the answer",
    );
  });
}
