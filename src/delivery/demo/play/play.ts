import { badChannel } from "./bad-channel.ts";
import { CheckFailed, type Criterion, createScript, type ScriptOptions } from "./criterion.ts";
import { newChannel } from "./new-channel.ts";
import { samePost } from "./same-post.ts";
import { type StageDeps, setStage } from "./stage.ts";
import { tooManyRequests } from "./too-many-requests.ts";

export type { StageDeps } from "./stage.ts";

/** The specification's demo criteria, in its order. */
export const criteria: readonly Criterion[] = [newChannel, tooManyRequests, samePost, badChannel];

export interface PlayedCriterion {
  readonly name: string;
  readonly title: string;
  readonly ok: boolean;
  readonly checks: readonly { readonly text: string; readonly ok: boolean }[];
  /** An error other than a failed check. */
  readonly error?: string;
  readonly ms: number;
}

export interface PlayReport {
  readonly ok: boolean;
  readonly criteria: readonly PlayedCriterion[];
}

/** Gets the progress of the demo. */
export interface Audience {
  begins(criterion: Criterion, number: number): void;
  step(text: string): void;
  checked(text: string, ok: boolean): void;
}

const checkWithinMs = 20_000;

/** Runs every criterion with its own data in a running system, and cleans up. */
export async function playDemo(
  deps: StageDeps,
  audience: Audience,
  options: Partial<ScriptOptions> = {},
): Promise<PlayReport> {
  const stage = await setStage(deps);
  const played: PlayedCriterion[] = [];
  try {
    for (const [index, criterion] of criteria.entries()) {
      if (options.signal?.aborted) break;
      audience.begins(criterion, index + 1);
      const began = performance.now();
      const checks: { text: string; ok: boolean }[] = [];
      const script = createScript(
        {
          step: audience.step,
          checked(text, ok) {
            checks.push({ text, ok });
            audience.checked(text, ok);
          },
        },
        { withinMs: checkWithinMs, ...options },
      );
      const error = await criterion.play(stage, script).then(() => undefined, messageOf);
      if (error) audience.checked(error, false);
      played.push({
        name: criterion.name,
        title: criterion.title,
        ok: error === undefined && checks.every(({ ok }) => ok),
        checks,
        ...(error ? { error } : {}),
        ms: Math.round(performance.now() - began),
      });
    }
  } finally {
    await stage.strike();
  }
  return { ok: played.length === criteria.length && played.every(({ ok }) => ok), criteria: played };
}

/** A failed check has been printed already; other errors are printed with their message. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CheckFailed) return undefined;
  return error instanceof Error ? error.message : String(error);
}
