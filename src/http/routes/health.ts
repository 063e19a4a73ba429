import { z } from "zod";
import type { App } from "../app.ts";

/** Something that must work before the server can serve; it fails by throwing. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

type Verdict = "ok" | "failed" | "timed_out";

const readinessSchema = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.record(z.string(), z.enum(["ok", "failed", "timed_out"])),
});

export function healthRoutes(
  app: App,
  { checks, withinMs }: { checks: ReadinessChecks; withinMs: number },
): void {
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
    async (request, reply) => {
      const verdicts = await Promise.all(
        Object.entries(checks).map(async ([name, check]): Promise<[string, Verdict]> => {
          const { verdict, error } = await judge(check, withinMs);
          // What failed is everyone's business; why may hold addresses and names, so it goes to the log.
          if (verdict !== "ok") request.log.warn({ check: name, verdict, err: error }, "not ready");
          return [name, verdict];
        }),
      );
      const ready = verdicts.every(([, verdict]) => verdict === "ok");
      return reply
        .code(ready ? 200 : 503)
        .header("cache-control", "no-store")
        .send({ status: ready ? "ready" : "not_ready", checks: Object.fromEntries(verdicts) });
    },
  );
}

/** A check that hangs is as bad as one that fails, and must not hang the answer. */
async function judge(
  check: () => Promise<void>,
  withinMs: number,
): Promise<{ verdict: Verdict; error?: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<{ verdict: Verdict }>((resolve) => {
    timer = setTimeout(() => resolve({ verdict: "timed_out" }), withinMs);
  });
  const answer = check().then(
    () => ({ verdict: "ok" as const }),
    (error: unknown) => ({ verdict: "failed" as const, error }),
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
