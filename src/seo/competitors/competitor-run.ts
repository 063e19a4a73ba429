import { z } from "zod";
import { competitorAnswer, seoTasks } from "../answers/index.ts";
import { phraseKey, phraseSchema } from "../categories/clusters.ts";
import { askModel } from "../models/ask-model.ts";
import { withWait } from "../models/when-again.ts";
import { readProject } from "../projects/projects.ts";
import { RunFailure } from "../runs/run-failure.ts";
import { defineRun, type RunScope } from "../runs/run-kind.ts";
import { noteSource, payerOf } from "../runs/source-calls.ts";
import type { Said } from "../said.ts";
import type { MissingReason, SourceFault } from "../sources/result.ts";
import type { WorkshopDeps } from "../workshop-deps.ts";

export const competitorOrder = z.object({ project_id: z.int(), url: z.string().max(2_000) });
export type CompetitorOrder = z.infer<typeof competitorOrder>;

export const competitorResult = competitorAnswer
  .omit({ pages_indexed: true })
  .extend({
    url: z.string(),
    title: z.string(),
    words: z.int().describe("Of the page that was read"),
    pages: z.int().nullable().describe("Of the site, as far as its map tells; null if it tells nothing"),
  })
  .meta({ id: "SeoCompetitor" });
export type CompetitorResult = z.infer<typeof competitorResult>;

const operation = "competitor_analysis";
/** The step of billing that holds the tokens. */
export const competitorCharge = "competitor";

const unavailable: Said = {
  ru: "Анализ конкурентов недоступен. Попробуйте позже. Токены возвращены.",
  en: "The analysis of competitors is not available. Try again later. The tokens were returned.",
};
const unreadable: Said = {
  ru: "Страницу конкурента не удалось прочитать: она не открывается или на ней нет текста. Токены возвращены. Проверьте адрес или возьмите другую страницу сайта.",
  en: "The competitor's page could not be read: it does not open, or it has no text. The tokens were returned. Check the address, or take another page of the site.",
};

const faults: Readonly<Record<SourceFault, readonly [code: string, said: Said]>> = {
  key: [
    "source_unavailable",
    {
      ru: "Анализ конкурентов сейчас недоступен: сервис, который читает страницы, не принял наш ключ. Ошибка на нашей стороне, страница конкурента ни при чём. Токены возвращены. Напишите в поддержку или попробуйте позже.",
      en: "The analysis of competitors is not available now: the service that reads pages does not take our key. The error is ours, the competitor's page is not to blame. The tokens were returned. Write to support, or try again later.",
    },
  ],
  site_down: [
    "page_unreadable",
    {
      ru: "Сайт конкурента сейчас не отвечает. Токены возвращены. Проверьте, открывается ли он в браузере, и попробуйте позже или возьмите другой сайт.",
      en: "The competitor's site does not answer now. The tokens were returned. Check whether it opens in a browser, and try again later, or take another site.",
    },
  ],
  no_site: [
    "page_unreadable",
    {
      ru: "Сайта с таким именем нет. Токены возвращены. Проверьте адрес конкурента.",
      en: "There is no site of this name. The tokens were returned. Check the competitor's address.",
    },
  ],
};

/** The page answered, but not with a text; everything else may pass. */
const faultOfPage: readonly MissingReason[] = ["no_data", "refused"];
const most = { phrases: 20, headings: 60, content: 20_000, topics: 10, gaps: 10 };
const recommendations = { least: 3, most: 5 };
const attempts = 2;

const page = z.object({
  title: z.string(),
  description: z.string(),
  headings: z.string(),
  content: z.string(),
  words: z.int(),
});

/** Reads a competitor's page and says what the project could write about. */
export function competitorRun(deps: WorkshopDeps) {
  return defineRun<CompetitorOrder, CompetitorResult>({
    kind: "competitor_analysis",
    title: { ru: "анализ конкурента", en: "analysis of a competitor" },
    input: competitorOrder,
    async work(run, order) {
      const read = await readCompetitor(deps, run, order);
      const pages = await countPages(deps, run, order);
      const { pages_indexed: _, ...answer } = await compared(deps, run, order, read);
      const result = { ...answer, url: order.url, title: read.title, words: read.words, pages };
      return { status: "done", result };
    },
  });
}

function readCompetitor({ sources }: WorkshopDeps, run: RunScope, { url }: CompetitorOrder) {
  return run.step("scrape", { result: page, stage: "competitors" }, async (step) => {
    const answer = await sources.firecrawl.page(url, payerOf(run, operation));
    noteSource(step, "firecrawl", answer);
    if (!answer.ok) {
      if (answer.fault) throw new RunFailure(...faults[answer.fault]);
      throw faultOfPage.includes(answer.reason)
        ? new RunFailure("page_unreadable", unreadable)
        : new RunFailure("source_unavailable", unavailable);
    }
    const { title, description, markdown, headings, wordCount } = answer.value;
    return {
      ...{ title, description, content: markdown.slice(0, most.content), words: wordCount },
      headings: headings
        .slice(0, most.headings)
        .map(({ level, text }) => `${"#".repeat(level)} ${text}`)
        .join("\n"),
    };
  });
}

/** A model cannot know how large a site is: its map is counted, and without one nothing is said. */
function countPages({ sources }: WorkshopDeps, run: RunScope, { url }: CompetitorOrder) {
  return run.step("map", { result: z.int().nullable() }, async (step) => {
    const answer = await sources.firecrawl.map(new URL(url).origin, payerOf(run, operation));
    noteSource(step, "firecrawl", answer);
    return answer.ok ? answer.value.length : null;
  });
}

function compared(
  deps: WorkshopDeps,
  run: RunScope,
  { project_id }: CompetitorOrder,
  read: z.infer<typeof page>,
) {
  return run.step("compare", { result: competitorAnswer }, async (step) => {
    const project = await readProject(deps.sql, run, project_id);
    const data = {
      ...{ company_name: project.company_name, specialization: project.specialization },
      city: project.company_city ?? "",
      phrases: (await phrasesOf(deps, run, project_id)).join("\n"),
      ...{ page_title: read.title, page_description: read.description },
      ...{ page_headings: read.headings, page_content: read.content },
    };
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const asked = await askModel(deps, { run, step, operation }, seoTasks.competitor, data);
      if (!asked.ok) throw new RunFailure("model_failed", withWait(unavailable, asked.error));
      const advice = told(asked.answer.recommendations);
      if (advice.length >= recommendations.least)
        return {
          ...asked.answer,
          key_topics: told(asked.answer.key_topics).slice(0, most.topics),
          content_gaps: told(asked.answer.content_gaps).slice(0, most.gaps),
          recommendations: advice.slice(0, recommendations.most),
        };
      step.note("too_little_advice", { recommendations: advice.length });
    }
    throw new RunFailure("model_failed", unavailable);
  });
}

const told = (lines: readonly string[]) => [
  ...new Set(lines.map((line) => line.trim()).filter((line) => line !== "")),
];

/** The most wanted phrases of all categories of a project. */
async function phrasesOf({ sql }: WorkshopDeps, run: RunScope, projectId: number): Promise<string[]> {
  const rows = await sql<{ phrase: unknown }[]>`
    select phrase
    from seo.categories c
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    cross join lateral jsonb_array_elements(seo.clusters_of(c.keywords)) cluster
    cross join lateral jsonb_array_elements(cluster -> 'phrases') phrase
    where c.workspace_id = ${run.workspaceId} and p.user_id = ${run.userId} and p.id = ${projectId}
    order by (phrase ->> 'volume')::numeric desc nulls last, phrase ->> 'phrase'
    limit ${most.phrases * 2}`;
  const phrases = rows.map((row) => phraseSchema.parse(row.phrase).phrase);
  return [...new Map(phrases.map((phrase) => [phraseKey(phrase), phrase])).values()].slice(0, most.phrases);
}
