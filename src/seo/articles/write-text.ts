import { z } from "zod";
import type { LlmError } from "../../llm/index.ts";
import {
  type CritiqueAnswer,
  critiqueAnswer,
  type OutlineAnswer,
  outlineAnswer,
  type ResearchAnswer,
  researchAnswer,
  seoTasks,
} from "../answers/index.ts";
import { askModel } from "../models/ask-model.ts";
import { withWait } from "../models/when-again.ts";
import { RunFailure } from "../runs/run-failure.ts";
import type { RunScope } from "../runs/run-kind.ts";
import type { Score } from "../score/index.ts";
import { htmlLayouts } from "../settings/html-layouts.ts";
import { stylesOf } from "../settings/shape.ts";
import { deviationText, guideText, type StyleDeviation } from "../styleguide/index.ts";
import type { Analysis } from "./analyse-competitors.ts";
import { type ArticleDeps, textOperation } from "./article-deps.ts";
import type { Plan } from "./plan-shape.ts";
import { companyLines } from "./read-brief.ts";
import {
  type ArticleSource,
  type Brief,
  type CheckedText,
  type Search,
  type Written,
  writtenSchema,
} from "./shape.ts";
import { failures } from "./warnings.ts";

/** Everything that prompts of an article are filled with. */
export interface Ground {
  readonly brief: Brief;
  readonly search: Search | undefined;
  readonly research: ResearchAnswer | undefined;
  readonly analysis: Analysis;
  readonly sources: readonly ArticleSource[];
  /** What the owner saw before ordering. */
  readonly plan: Plan | undefined;
  /** The text of the page that this one takes the place of. */
  readonly earlierPage: string;
}

const researchLastsMs = 7 * 24 * 3_600_000;
const storedResearch = z.object({ callId: z.string(), value: researchAnswer });

/**
 * Recent facts, so that the outline knows what is new; kept for a week for the project and the phrase. Never fails: without it the
 * article is written all the same (E53).
 */
export async function researchSubject(
  deps: ArticleDeps,
  run: RunScope,
  brief: Brief,
  projectId: number,
): Promise<ResearchAnswer | undefined> {
  const { memory } = deps.sources;
  const { main_phrase } = brief.cluster;
  const found = await run.step(
    "research",
    { result: researchAnswer.nullable(), shared: true },
    async (step) => {
      const about = { workspace: run.workspaceId, project: projectId, phrase: main_phrase };
      const kept = { kind: "research", of: about, ttlMs: researchLastsMs, shape: storedResearch };
      const known = await memory.recalled<ResearchAnswer>(kept);
      if (known) {
        step.note("from_memory");
        return known;
      }
      const asked = await askModel(deps, { run, step, operation: textOperation }, seoTasks.research, {
        main_phrase,
        specialization: brief.company.specialization,
        city: brief.company.city,
        secondary_phrases: secondaryText(brief),
        current_date: brief.today,
      });
      if (asked.ok) {
        await memory.keep(kept, { value: asked.answer, callId: asked.meta.callId ?? "" });
        return asked.answer;
      }
      step.note("research_skipped");
      return null;
    },
  );
  return found ?? undefined;
}

/** Undefined if no model made an outline: the text is then written in one go (E43). */
export async function outlineText(
  deps: ArticleDeps,
  run: RunScope,
  ground: Ground,
): Promise<OutlineAnswer | undefined> {
  const made = await run.step(
    "outline",
    { result: outlineAnswer.nullable(), stage: "writing" },
    async (step) => {
      const asked = await askModel(
        deps,
        { run, step, operation: textOperation },
        seoTasks.outline,
        commonData(run, ground),
      );
      if (asked.ok) return asked.answer;
      step.note("outline_skipped");
      return null;
    },
  );
  return made ?? undefined;
}

/** Writes the text, or rewrites a draft after a critique. Throws if no model can (E35). */
export function writeText(
  deps: ArticleDeps,
  run: RunScope,
  ground: Ground,
  outline: OutlineAnswer | undefined,
): Promise<Written> {
  return run.step("write", { result: writtenSchema, stage: "writing" }, async (step) => {
    const asked = await ask(deps, run, step, articleData(run, ground, outline));
    if (asked.ok) return asked.written;
    throw new RunFailure("text_failed", withWait(failures.text_failed, asked.error));
  });
}

/** Undefined if it cannot be rewritten: the first text stays. */
export async function rewriteText(
  deps: ArticleDeps,
  run: RunScope,
  ground: Ground,
  {
    outline,
    written,
    checked,
    score,
    style,
  }: {
    outline: OutlineAnswer | undefined;
    written: Written;
    checked: CheckedText;
    score: Score;
    style: readonly StyleDeviation[];
  },
): Promise<Written | undefined> {
  const critique = await run.step("critique", { result: critiqueAnswer.nullable() }, async (step) => {
    const asked = await askModel(deps, { run, step, operation: textOperation }, seoTasks.critique, {
      main_phrase: ground.brief.cluster.main_phrase,
      article: written.content_markdown,
      score: score.total,
      issues: issuesOf(score, checked, style),
      facts: companyLines(ground.brief).join("\n"),
      sources: shownSources(ground.sources),
    });
    return asked.ok ? asked.answer : null;
  });
  if (!critique) return undefined;
  const rewritten = await run.step("rewrite", { result: writtenSchema.nullable() }, async (step) => {
    const data = {
      ...articleData(run, ground, outline),
      draft: written.content_markdown,
      critique: critiqueText(critique, checked),
    };
    const asked = await ask(deps, run, step, data);
    return asked.ok ? asked.written : null;
  });
  return rewritten ?? undefined;
}

async function ask(
  deps: ArticleDeps,
  run: RunScope,
  step: Parameters<typeof askModel>[1]["step"],
  data: Readonly<Record<string, unknown>>,
): Promise<
  { readonly ok: true; readonly written: Written } | { readonly ok: false; readonly error: LlmError }
> {
  const asked = await askModel(deps, { run, step, operation: textOperation }, seoTasks.article, data);
  if (!asked.ok) return asked;
  const { model = "", promptVersion } = asked.meta;
  return { ok: true, written: { ...asked.answer, model, prompt_version: promptVersion ?? null } };
}

function commonData(run: RunScope, ground: Ground) {
  const { brief, research, analysis, sources, plan } = ground;
  const { company, cluster } = brief;
  return {
    main_phrase: cluster.main_phrase,
    secondary_phrases: secondaryText(brief),
    words_min: analysis.words.min,
    words_max: analysis.words.max,
    company_name: company.name,
    specialization: company.specialization,
    city: company.city,
    advantages: company.advantages,
    language: "ru",
    current_date: brief.today,
    competitor_analysis: analysis.pages,
    competitor_gaps: (plan?.gaps ?? analysis.gaps).map((gap) => `- ${gap}`).join("\n"),
    serper_questions: questionsFor(run, ground)
      .map((question) => `- ${question}`)
      .join("\n"),
    angle: plan?.angle ?? "",
    earlier_page: ground.earlierPage,
    current_research: research ? researchText(research) : "",
    sources: shownSources(sources),
  };
}

function articleData(run: RunScope, ground: Ground, outline: OutlineAnswer | undefined) {
  const { brief, search } = ground;
  const { cluster } = brief;
  const main = cluster.phrases.find(({ phrase }) => phrase === cluster.main_phrase);
  return {
    ...commonData(run, ground),
    keyword: cluster.main_phrase,
    main_volume: main?.volume ?? "",
    main_difficulty: main?.difficulty ?? "",
    cluster_volume: cluster.total_volume ?? "",
    lsi_keywords: (search?.related ?? []).slice(0, 10).join(", "),
    text_style: stylesOf(brief.text).join(", "),
    style_guide: brief.style ? guideText(brief.style) : "",
    page_layout: `${brief.text.html_style}: ${htmlLayouts[brief.text.html_style]}`,
    niche_type: brief.niche === "general" ? "" : brief.niche,
    own_facts: brief.company.facts.length > 0 ? brief.company.facts : "",
    prices_excerpt: brief.prices
      .slice(0, 10)
      .map(({ name, price }) => `${name} — ${price}`)
      .join("\n"),
    images_count: brief.image.count,
    outline: outline ? outlineAsText(outline) : "",
  };
}

export function secondaryText({ cluster }: Brief): string {
  return cluster.phrases
    .filter(({ phrase }) => phrase !== cluster.main_phrase)
    .slice(0, 10)
    .map(({ phrase, volume }) => (volume === null ? phrase : `${phrase} (${volume}/мес)`))
    .join(", ");
}

/** One question of each reader of the plan; without a plan, three of those that people ask Google. */
function questionsFor(run: RunScope, { plan, search }: Ground): string[] {
  const planned = (plan?.readers ?? []).flatMap(
    ({ questions }) => questions[run.round % questions.length] ?? [],
  );
  return planned.length > 0 ? planned : chosenQuestions(search?.questions ?? [], run);
}

/** Three of the questions, other ones for other runs, the same when a run is repeated. */
function chosenQuestions(questions: readonly string[], { createdAt, round }: RunScope): string[] {
  const from = questions.length === 0 ? 0 : (createdAt.getTime() + round) % questions.length;
  return [...questions.slice(from), ...questions.slice(0, from)].slice(0, 3);
}

const shownSources = (sources: readonly ArticleSource[]) =>
  sources.map(({ id, title, quotes }) => ({ id, title, quotes }));

function researchText({ facts, trends, statistics, summary }: ResearchAnswer): string {
  return [
    summary,
    ...facts.map(({ claim, source, year }) => `- ${claim} (${source}${year === null ? "" : `, ${year}`})`),
    ...statistics.map(({ metric, value, source }) => `- ${metric}: ${value} (${source})`),
    ...trends.map(({ trend }) => `- ${trend}`),
  ].join("\n");
}

function outlineAsText({ h1, sections, faq, conclusion }: OutlineAnswer): string {
  const parts = sections.flatMap(({ h2, h3, theses, source_ids }) => [
    `## ${h2}`,
    ...theses.map((thesis) => `- ${thesis}`),
    ...h3.map((heading) => `### ${heading}`),
    ...(source_ids.length > 0 ? [`Источники: ${source_ids.join(", ")}`] : []),
  ]);
  const questions = faq.map(({ question, thesis }) => `- ${question} ${thesis}`);
  return [`# ${h1}`, ...parts, "Вопросы:", ...questions, `Итог: ${conclusion}`].join("\n");
}

function issuesOf({ issues }: Score, { requests }: CheckedText, style: readonly StyleDeviation[]): string {
  return [
    ...issues.slice(0, 8).map(({ label, change }) => `- ${label.ru}: ${change.ru}`),
    ...style.map((deviation) => `- Стиль, ${deviationText(deviation, "ru")}`),
    ...requests,
  ].join("\n");
}

function critiqueText({ weaknesses, unsupported_sentences, summary }: CritiqueAnswer, checked: CheckedText) {
  return [
    summary,
    ...weaknesses.map(({ place, problem, fix }) => `- ${place}: ${problem} ${fix}`),
    ...unsupported_sentences.map((sentence) => `- Убрать или подтвердить: ${sentence}`),
    ...checked.requests,
  ].join("\n");
}
