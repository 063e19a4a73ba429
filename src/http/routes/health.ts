import { z } from "zod";
import { cached } from "../../kernel/cached/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { App } from "../app.ts";

/** Something that must work before the server can serve; it fails by throwing. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

type Verdict = "ok" | "failed" | "timed_out";
type Judgement = { readonly verdict: Verdict; readonly error?: unknown };

const readinessSchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failed", "timed_out"])),
});

export interface HealthDeps {
  readonly checks: ReadinessChecks;
  readonly clock: Clock;
  /** How long a check may take. */
  readonly withinMs: number;
  /** How long a verdict holds: anybody may ask, so asking often must not cost the database anything. */
  readonly keptMs: number;
}

export function healthRoutes(app: App, { checks, clock, withinMs, keptMs }: HealthDeps): void {
  const judges = Object.entries(checks).map(([name, check]) => ({ name, judge: judgeOf(check, withinMs) }));
  const readiness = cached(
    async () => {
      const verdicts = await Promise.all(
        judges.map(async ({ name, judge }): Promise<[string, Verdict]> => {
          const { verdict, error } = await judge();
          // What failed is everyone's business; why may hold addresses and names, so it goes to the log.
          if (verdict !== "ok") app.log.warn({ check: name, verdict, err: error }, "not ready");
          return [name, verdict];
        }),
      );
      return {
        ready: verdicts.every(([, verdict]) => verdict === "ok"),
        checks: Object.fromEntries(verdicts),
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
      const { ready, checks: verdicts } = await readiness();
      return reply
        .code(ready ? 200 : 503)
        .header("cache-control", "no-store")
        .send({ status: ready ? "ready" : "not_ready", checks: verdicts });
    },
  );
}

/**
 * A check that hangs is as bad as one that fails, and must not hang the answer. It is not asked again before it ends:
 * each question might hold a connection.
 */
function judgeOf(check: () => Promise<void>, withinMs: number): () => Promise<Judgement> {
  let pending: Promise<Judgement> | undefined;
  return async () => {
    pending ??= check()
      .then(
        (): Judgement => ({ verdict: "ok" }),
        (error: unknown): Judgement => ({ verdict: "failed", error }),
      )
      .finally(() => {
        pending = undefined;
      });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<Judgement>((resolve) => {
      timer = setTimeout(() => resolve({ verdict: "timed_out" }), withinMs);
    });
    try {
      return await Promise.race([pending, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  };
}
