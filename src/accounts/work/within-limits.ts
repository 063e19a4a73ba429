import { messageOf } from "../../kernel/errors/index.ts";
import type { Outcome } from "../../platforms/index.ts";

interface TimeLimits {
  readonly softMs: number;
  readonly hardMs: number;
  /** Called when the soft limit has passed. */
  onSoft(): void;
}

/** Aborts a send at the soft limit and stops waiting for it at the hard limit; then the outcome is unknown. */
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
    // Drivers report errors as outcomes; if one throws, it is unknown whether the message was sent.
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
    message: messageOf(error),
  } as const;
}
