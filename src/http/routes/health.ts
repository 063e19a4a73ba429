import { z } from "zod";
import { cached } from "../../kernel/cached/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { App } from "../app.ts";

/** A check that the server is ready; it fails by throwing. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

type CheckStatus = "ok" | "failed" | "timed_out";
type CheckResult = { readonly status: CheckStatus; readonly error?: unknown };

const readinessSchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failed", "timed_out"])),
});

export interface HealthDeps {
  readonly checks: ReadinessChecks;
  readonly clock: Clock;
  /** How long a check may take. */
  readonly withinMs: number;
  /** How long a result is reused: anybody may ask, so frequent requests must not load the database. */
  readonly keptMs: number;
}

export function healthRoutes(app: App, { checks, clock, withinMs, keptMs }: HealthDeps): void {
  const boundedChecks = Object.entries(checks).map(([name, check]) => ({
    name,
    run: bounded(check, withinMs),
  }));
  const readiness = cached(
    async () => {
      const statuses = await Promise.all(
        boundedChecks.map(async ({ name, run }): Promise<[string, CheckStatus]> => {
          const { status, error } = await run();
          // The answer names the failed check; the reason may hold addresses and names, so it goes to the log.
          if (status !== "ok") app.log.warn({ check: name, status, err: error }, "not ready");
          return [name, status];
        }),
      );
      return {
        ready: statuses.every(([, status]) => status === "ok"),
        checks: Object.fromEntries(statuses),
      };
    },
    { forMs: keptMs, clock },
  );

  app.get(
    "/healthz",
    {
      config: { quiet: true },
      schema: {
        tags: ["operations"],
        summary: "Whether the process is alive",
        response: { 200: z.object({ status: z.literal("ok") }) },
      },
    },
    async () => ({ status: "ok" as const }),
  );

  app.get(
    "/healthz/readiness",
    {
      config: { quiet: true },
      schema: {
        tags: ["operations"],
        summary: "Whether the server can serve, and if not, which check fails",
        response: { 200: readinessSchema, 503: readinessSchema },
      },
    },
    async (_request, reply) => {
      const { ready, checks: statuses } = await readiness();
      return reply
        .code(ready ? 200 : 503)
        .header("cache-control", "no-store")
        .send({ status: ready ? "ready" : "not_ready", checks: statuses });
    },
  );
}

/**
 * A check that hangs counts as failed and does not block the answer. It is not started again before it ends, because each
 * run may hold a connection.
 */
function bounded(check: () => Promise<void>, withinMs: number): () => Promise<CheckResult> {
  let pending: Promise<CheckResult> | undefined;
  return async () => {
    pending ??= check()
      .then(
        (): CheckResult => ({ status: "ok" }),
        (error: unknown): CheckResult => ({ status: "failed", error }),
      )
      .finally(() => {
        pending = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(() => resolve({ status: "timed_out" }), withinMs);
    });
    try {
      return await Promise.race([pending, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };
}
