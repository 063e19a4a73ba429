import { setTimeout as delay } from "node:timers/promises";
import type { Stage } from "./stage.ts";

/** One of the specification's demo criteria. */
export interface Criterion<On = Stage> {
  readonly name: string;
  readonly title: string;
  play(stage: On, script: Script): Promise<void>;
}

/** What a criterion prints and checks while it runs. */
export interface Script {
  /** Prints what is done now. */
  step(text: string): void;
  /** Polls until the condition is true; if it does not become true in time, the criterion ends as failed. */
  check(text: string, look: () => Promise<boolean>): Promise<void>;
}

export class CheckFailed extends Error {}

export interface ScriptOptions {
  readonly withinMs: number;
  /** Stops the demo at the next check. */
  readonly signal?: AbortSignal | undefined;
}

const lookEveryMs = 50;

export function createScript(
  tell: { step(text: string): void; checked(text: string, ok: boolean): void },
  { withinMs, signal }: ScriptOptions,
): Script {
  return {
    step: tell.step,
    async check(text, look) {
      const deadline = performance.now() + withinMs;
      signal?.throwIfAborted();
      let ok = await look();
      while (!ok && performance.now() < deadline) {
        await delay(lookEveryMs);
        signal?.throwIfAborted();
        ok = await look();
      }
      tell.checked(text, ok);
      if (!ok) throw new CheckFailed(text);
    },
  };
}
