import { z } from "zod";
import { giveBackIfHeld } from "../orders/held-step.ts";
import { internalCode } from "../runs/run-failure.ts";
import type { RunScope, WorkEnd } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";

/** Part of the result of every text that a person saves, has written anew or cancels. */
export const reviewedText = z.object({
  category_id: z.int(),
  regenerations: z.int().min(0).describe("That succeeded; the first two are free"),
  warning: z.object({ ru: z.string(), en: z.string() }).nullable(),
});

export const notRegenerated: Said = {
  ru: "Не удалось написать заново. Прежний текст сохранён, за эту попытку ничего не списано.",
  en: "It could not be written anew. The text before it is kept, and this attempt costs nothing.",
};

/** What the round before ended with; undefined in the first round. */
export async function resultBefore<T>(
  deps: Pick<WorkshopDeps, "sql">,
  run: RunScope,
  shape: z.ZodType<T>,
): Promise<T | undefined> {
  return run.round === 0 ? undefined : lastResult(deps, run, shape);
}

/** What a round before ended with; throws in the first round. */
export async function lastResult<T>(
  { sql }: Pick<WorkshopDeps, "sql">,
  { workspaceId, runId }: RunScope,
  shape: z.ZodType<T>,
): Promise<T> {
  const [run] = await sql<{ result: unknown }[]>`
    select result from seo.runs where workspace_id = ${workspaceId} and id = ${runId}`;
  return shape.parse(run?.result);
}

/** The step of billing that holds the tokens of a round. */
export const chargeOf = (kind: string, round: number) => (round === 0 ? kind : `${kind}-${round}`);

/** Ends a regeneration that failed through our fault: the text before stays, and this attempt costs nothing. */
export async function textBefore<T extends z.infer<typeof reviewedText>>(
  deps: WorkshopDeps,
  run: RunScope,
  kind: string,
  shape: z.ZodType<T>,
): Promise<WorkEnd<T>> {
  const before = await lastResult(deps, run, shape);
  const { workspaceId, runId, round } = run;
  await giveBackIfHeld(deps, { workspaceId, run: runId, step: chargeOf(kind, round) }, internalCode);
  return { status: "review", result: { ...before, warning: notRegenerated } };
}
