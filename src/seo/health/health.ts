/** The state of everything SEO Master depends on, as the document has it. */
import { cached } from "../../kernel/cached/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";

/** Fails by throwing. */
export type Check = () => Promise<void>;

export interface HealthDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Without these nothing works. */
  readonly vital: Readonly<Record<"database" | "redis", Check>>;
  /** Without these something does not work; undefined if it is not set up. */
  readonly others: Readonly<Record<"openrouter" | "qstash", Check | undefined>>;
  /** How long a check may take. */
  readonly withinMs?: number;
}

export interface CheckResult {
  readonly status: "ok" | "failed" | "not_configured";
  readonly latency_ms?: number;
}

export interface Health {
  readonly status: "ok" | "degraded" | "down";
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Anybody may ask, so results are reused: others are asked over the network, and their limits are ours. */
const keptMs = { vital: 1_000, others: 30_000 } as const;
const usualWithinMs = 5_000;

export function createHealth({
  clock,
  log,
  vital,
  others,
  withinMs = usualWithinMs,
}: HealthDeps): () => Promise<Health> {
  const look = (name: string, check: Check | undefined, forMs: number) =>
    cached(
      async (): Promise<CheckResult> => (check ? await tried(name, check) : { status: "not_configured" }),
      {
        ...{ forMs, clock },
      },
    );
  const vitals = Object.entries(vital).map(
    ([name, check]) => [name, look(name, check, keptMs.vital)] as const,
  );
  const rest = Object.entries(others).map(
    ([name, check]) => [name, look(name, check, keptMs.others)] as const,
  );

  async function tried(name: string, check: Check): Promise<CheckResult> {
    const began = performance.now();
    try {
      await inTime(check, withinMs);
      return { status: "ok", latency_ms: Math.round(performance.now() - began) };
    } catch (error) {
      // The reason may hold addresses, so it goes to the log only.
      log.warn({ check: name, reason: messageOf(error) }, "a health check failed");
      return { status: "failed" };
    }
  }

  return async () => {
    const results = async (list: typeof vitals) =>
      Promise.all(list.map(async ([name, run]) => [name, await run()] as const));
    const [most, some] = await Promise.all([results(vitals), results(rest)]);
    const fails = (list: typeof most) => list.some(([, { status }]) => status === "failed");
    const status = fails(most) ? "down" : fails(some) ? "degraded" : "ok";
    return { status, checks: Object.fromEntries([...most, ...some]) };
  };
}

async function inTime(check: Check, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    await Promise.race([check(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
