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
  begins(criterion: Pick<Criterion, "name" | "title">, number: number): void;
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
  try {
    return await playCriteria(criteria, stage, audience, options);
  } finally {
    await stage.strike();
  }
}

/** Plays criteria one after another on a stage that they share. */
export async function playCriteria<On>(
  criteria: readonly Criterion<On>[],
  stage: On,
  audience: Audience,
  options: Partial<ScriptOptions> & { readonly eachNeedsTheLast?: boolean } = {},
): Promise<PlayReport> {
  const played: PlayedCriterion[] = [];
  for (const [index, criterion] of criteria.entries()) {
    if (options.signal?.aborted) break;
    const { name, title } = criterion;
    if (options.eachNeedsTheLast && played.some(({ ok }) => !ok)) {
      played.push({ name, title, ok: false, checks: [], error: "an earlier part failed", ms: 0 });
      continue;
    }
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
      name,
      title,
      ok: error === undefined && checks.every(({ ok }) => ok),
      checks,
      ...(error ? { error } : {}),
      ms: Math.round(performance.now() - began),
    });
  }
  return { ok: played.length === criteria.length && played.every(({ ok }) => ok), criteria: played };
}

/** A failed check has been printed already; other errors are printed with their message. */
function messageOf(error: unknown): string | undefined {
  if (error instanceof CheckFailed) return undefined;
  return error instanceof Error ? error.message : String(error);
}
