import type { Leaving, StepContext } from "../../../dialogs/index.ts";
import { type BotServices, inStep, whoseOf } from "../services.ts";
import type { ArticleData } from "./article-data.ts";

/**
 * Returns the tokens of an article that its person gives up. One that is merely left is kept; after a day its preview expires by
 * itself.
 */
export async function giveUpRun(
  turn: StepContext<Pick<ArticleData, "runId">, BotServices>,
  why: Leaving,
): Promise<void> {
  const { runId } = turn.data;
  if (runId !== "" && why === "cancelled") await inStep(turn).runs.cancel({ ...whoseOf(turn), runId });
}
