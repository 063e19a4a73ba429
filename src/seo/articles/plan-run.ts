import { Problem } from "../../http/index.ts";
import { type PlanAnswer, planAnswer, seoTasks } from "../answers/index.ts";
import { answerLimits, readAnswers } from "../categories/owner-answers.ts";
import { estimateWork } from "../estimates/estimate.ts";
import { askModel } from "../models/ask-model.ts";
import { withWait } from "../models/when-again.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunKind, type RunScope } from "../runs/run-kind.ts";
import type { Said } from "../said.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";
import { analyseCompetitors } from "./analyse-competitors.ts";
import { textOperation } from "./article-deps.ts";
import { knownAtOrder } from "./order-article.ts";
import { type SortedFacts, sortFacts } from "./own-facts.ts";
import { type Plan, type PlanOrder, planOrder, planResult } from "./plan-shape.ts";
import { briefOf, toldBy } from "./read-brief.ts";
import { planKind } from "./read-plan.ts";
import { gatherSources, readCompetitors, searchFor } from "./read-web.ts";
import { type Brief, briefSchema, type Warning } from "./shape.ts";
import { withoutAddresses } from "./text-parts.ts";
import { failures, warning } from "./warnings.ts";
import { secondaryText } from "./write-text.ts";

export type PlanRun = RunKind<PlanOrder, Plan>;

/** An article with fewer facts of its own could stand on any competitor's site. */
const enoughFacts = 3;

/**
 * Plans an article before it is paid: what readers ask, what others leave out, what it would rest on, and what only this business can
 * say. Costs the person nothing; what was read serves the article, too.
 */
export function planRun(deps: WorkshopDeps): PlanRun {
  return defineRun<PlanOrder, Plan>({
    kind: planKind,
    title: { ru: "план статьи", en: "plan of an article" },
    input: planOrder,
    async work(run, order) {
      const brief = await run.step("brief", { result: briefSchema, stage: "search" }, () =>
        readBriefFor(deps, run, order),
      );
      const search = await searchFor(deps, run, brief);
      const [competitors, sources] = await Promise.all([
        readCompetitors(deps, run, search),
        gatherSources(deps, run, brief, search),
      ]);
      const analysis = analyseCompetitors(competitors, brief.cluster.main_phrase, brief.text);
      const facts = sortFacts(
        toldBy(brief),
        competitors.map(({ text }) => text),
      );
      const asked = await askForPlan(deps, run, brief, {
        facts,
        pages: analysis.pages,
        questions: search?.questions ?? [],
      });
      const gaps = [...new Set([...analysis.gaps, ...asked.gaps.map(line)])].slice(0, most.gaps);
      const result = await run.step("plan", { result: planResult }, async (): Promise<Plan> => {
        const { category_id, connection_id, project_id } = order;
        const known = await knownAtOrder(deps, run, project_id, connection_id);
        const serving = known.guard(brief.cluster.main_phrase);
        const answers = (await readAnswers(deps.sql, run, category_id)).length;
        const { tokens } = await estimateWork({ ...deps, admins: [] }, run, category_id);
        return {
          ...{ category_id, phrase: brief.cluster.main_phrase, gaps, answers, tokens },
          angle: line(asked.angle),
          titles: asked.titles.map(line).slice(0, most.titles),
          readers: readersOf(asked),
          source_needs: asked.source_needs.map(line).slice(0, most.needs),
          sources: sources.map(({ id, url, title }) => ({ id, url, title })),
          own_facts: facts.own.slice(0, most.facts),
          common_facts: facts.common.slice(0, most.facts),
          question: questionFor(facts, asked, brief, answers),
          serving: serving ? { title: serving.title, url: serving.url ?? null } : null,
          warnings: [
            ...(search ? [] : [warning("search_missing")]),
            ...(search && competitors.length === 0 ? [warning("competitors_missing")] : []),
            ...(serving ? [served(serving)] : []),
          ],
        };
      });
      return { status: "done", result };
    },
  });
}

const most = { titles: 3, readers: 5, questions: 3, gaps: 8, needs: 5, facts: 12, characters: 300 };

async function readBriefFor(deps: WorkshopDeps, run: RunScope, order: PlanOrder): Promise<Brief> {
  try {
    return await briefOf(deps.sql, run, order, { cluster: order.cluster, advice: [] }, deps.clock.now());
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found")
      throw new RunFailure("deleted", failures.plan_deleted);
    throw error;
  }
}

function askForPlan(
  deps: WorkshopDeps,
  run: RunScope,
  brief: Brief,
  { facts, pages, questions }: { facts: SortedFacts; pages: string; questions: readonly string[] },
): Promise<PlanAnswer> {
  const { company, cluster, prices } = brief;
  return run.step("ask", { result: planAnswer, stage: "competitors" }, async (step) => {
    const asked = await askModel(deps, { run, step, operation: textOperation }, seoTasks.plan, {
      main_phrase: cluster.main_phrase,
      secondary_phrases: secondaryText(brief),
      company_name: company.name,
      ...{ specialization: company.specialization, city: company.city, advantages: company.advantages },
      own_facts: [...facts.own, ...facts.common],
      prices_excerpt: prices
        .slice(0, 10)
        .map(({ name, price }) => `${name} — ${price}`)
        .join("\n"),
      competitor_analysis: pages,
      serper_questions: questions.map((question) => `- ${question}`).join("\n"),
    });
    if (!asked.ok) throw new RunFailure("plan_failed", withWait(failures.plan_failed, asked.error));
    return asked.answer;
  });
}

/** Models read pages of strangers: what they answer is one short line each, without addresses. */
const line = (text: string) => withoutAddresses(text).replace(/\s+/g, " ").trim().slice(0, most.characters);

const readersOf = ({ perspectives }: PlanAnswer): Plan["readers"] =>
  perspectives.slice(0, most.readers).map(({ reader, questions }) => ({
    reader: line(reader),
    questions: questions.map(line).filter(Boolean).slice(0, most.questions),
  }));

/** One question while facts are missing and there is room for its answer. Which facts count is for the code to say, not for a model. */
function questionFor(
  { own }: SortedFacts,
  { question_to_owner }: PlanAnswer,
  { prices, company }: Brief,
  answers: number,
): Said | null {
  if (own.length >= enoughFacts || answers >= answerLimits.kept) return null;
  const asked = line(question_to_owner ?? "");
  if (asked.endsWith("?")) return { ru: asked, en: asked };
  if (prices.length === 0) return usualQuestions.prices;
  return company.facts.some((fact) => /\d/.test(fact)) ? usualQuestions.case : usualQuestions.figures;
}

const usualQuestions = {
  prices: {
    ru: "Сколько это стоит у вас и что входит в цену?",
    en: "What does it cost with you, and what does the price include?",
  },
  figures: {
    ru: "Сколько лет вы этим занимаетесь, сколько заказов выполнили и какую гарантию даёте?",
    en: "For how many years have you done this, how many orders, and what do you guarantee?",
  },
  case: {
    ru: "Какой случай из вашей практики клиенты вспоминают чаще всего?",
    en: "Which case of your own do customers remember most often?",
  },
} as const satisfies Record<string, Said>;

const served = ({ title, url }: { readonly title: string; readonly url?: string }): Warning => ({
  code: "page_serves",
  message: {
    ru: `На сайте уже есть страница по этой фразе: «${title}»${url === undefined ? "" : ` (${url})`}. Обновите её или выберите другую тему.`,
    en: `A page of the site serves this phrase already: “${title}”${url === undefined ? "" : ` (${url})`}. Update it, or choose another phrase.`,
  },
});
