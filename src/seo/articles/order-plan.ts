import { readCategory } from "../categories/categories.ts";
import { addAnswer, forgetAnswers, readAnswer } from "../categories/owner-answers.ts";
import { beginWork, type Ordered } from "../orders/begin-work.ts";
import type { Whose } from "../people/whose.ts";
import { releasePhrases } from "../publications/rotation.ts";
import { siteOf } from "../publish/publish-article.ts";
import type { OrderDeps } from "../workshop-deps.ts";
import { chooseCluster } from "./choose-cluster.ts";
import type { PlanRun } from "./plan-run.ts";
import { lastQuestion } from "./read-plan.ts";
import { unknownSite } from "./site-known.ts";

export interface WantedPlan {
  readonly connectionId?: number | undefined;
  /** A main phrase of the category, instead of the next one in turn. */
  readonly phrase?: string | undefined;
  /** The owner's answer to the question of the last plan: it is kept with the category, and the plan is made anew. */
  readonly answer?: string | undefined;
  /** What was answered before is not used any more. */
  readonly forgetAnswers?: boolean | undefined;
  readonly requestKey?: string | undefined;
}

/** Plans an article for nothing; it counts as a text for the limits of the hour, so that nobody plans without end. */
export async function orderPlan(
  deps: OrderDeps,
  kind: PlanRun,
  whose: Whose,
  categoryId: number,
  { connectionId, phrase, answer, forgetAnswers: isForgetting = false, requestKey }: WantedPlan = {},
): Promise<Ordered> {
  const { sql, clock } = deps;
  const { project_id: projectId } = await readCategory(sql, whose, categoryId);
  const place = { project_id: projectId, connection_id: connectionId ?? null };
  if (connectionId !== undefined) await siteOf(sql, whose, place);
  const told = answer === undefined ? undefined : readAnswer(answer);
  const question = told === undefined ? "" : await lastQuestion(sql, whose, categoryId);
  const { cluster } = await nextCluster(deps, whose, { categoryId, phrase });
  return beginWork(deps, kind, {
    ...{ ...whose, projectId, categoryId, connectionId, requestKey },
    input: { ...place, category_id: categoryId, cluster },
    counts: { texts: 1 },
    charges: [],
    async also(tx) {
      if (isForgetting) await forgetAnswers(tx, whose, categoryId);
      if (told === undefined) return;
      await addAnswer(tx, whose, categoryId, { question, answer: told, at: clock.now().toISOString() });
    },
  });
}

/** The phrase that an article would get now. Nothing stays reserved: a plan keeps nobody from writing. */
function nextCluster(
  { sql, clock }: OrderDeps,
  whose: Whose,
  { categoryId, phrase }: { readonly categoryId: number; readonly phrase: string | undefined },
) {
  const run = `plan of ${whose.userId}`;
  return sql.begin(async (tx) => {
    // A page that serves the phrase is named in the plan; it does not prevent it.
    const wish = { categoryId, run, origin: "person", phrase, isCertain: true } as const;
    const reserved = await chooseCluster(tx, whose, unknownSite, wish, clock.now());
    await releasePhrases(tx, whose.workspaceId, run);
    return reserved;
  });
}
