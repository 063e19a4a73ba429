import type { Outcome } from "../../platforms/index.ts";

export interface TimeLimits {
  readonly softMs: number;
  readonly hardMs: number;
  /** When the soft one has passed. */
  onSoft(): void;
}

/**
 * A send that is told to give up at the soft limit and not waited for beyond the hard one: then nobody knows whether it arrived.
 */
export async function withinLimits(
  send: (signal: AbortSignal) => Promise<Outcome>,
  { softMs, hardMs, onSoft }: TimeLimits,
): Promise<Outcome> {
  const control = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const tooLong = new Promise<Outcome>((resolve) => {
    timers.push(
      setTimeout(() => {
        control.abort(new Error("the soft time limit has passed"));
        onSoft();
      }, softMs),
      setTimeout(() => resolve(unknownAfter(hardMs)), hardMs),
    );
  });
  try {
    return await Promise.race([send(control.signal), tooLong]);
  } catch (error) {
    // A driver says what went wrong by its outcome; one that throws leaves it open whether the message went.
    return { kind: "unknown", error: thrown(error) };
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

function unknownAfter(ms: number): Outcome {
  return {
    kind: "unknown",
    error: {
      category: "TRANSIENT",
      scope: "delivery",
      code: "outcome_unknown",
      message: `no answer within ${Math.round(ms / 1000)} s`,
    },
  };
}

function thrown(error: unknown) {
  return {
    category: "TRANSIENT",
    scope: "delivery",
    code: "outcome_unknown",
    message: error instanceof Error ? error.message : String(error),
  } as const;
}
