import { z } from "zod";
import type { RunScope } from "../runs/run-kind.ts";
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
  { sql }: Pick<WorkshopDeps, "sql">,
  { workspaceId, runId, round }: RunScope,
  shape: z.ZodType<T>,
): Promise<T | undefined> {
  if (round === 0) return undefined;
  const [run] = await sql<{ result: unknown }[]>`
    select result from seo.runs where workspace_id = ${workspaceId} and id = ${runId}`;
  return shape.parse(run?.result);
}

/** The step of billing that holds the tokens of a round. */
export const chargeOf = (kind: string, round: number) => (round === 0 ? kind : `${kind}-${round}`);
