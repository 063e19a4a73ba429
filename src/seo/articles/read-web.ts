import { z } from "zod";
import { parsedUrl } from "../../kernel/url/index.ts";
import { quantitiesIn } from "../claims/index.ts";
import { sentenceSpans } from "../language/index.ts";
import { proseOf } from "../render/index.ts";
import type { RunScope, StepScope } from "../runs/run-kind.ts";
import type { Missing } from "../sources/result.ts";
import { type ArticleDeps, payerOf } from "./article-deps.ts";
import {
  type ArticleSource,
  type Brief,
  type Competitor,
  competitorSchema,
  type Search,
  searchSchema,
  sourceSchema,
} from "./shape.ts";

/**
 * What an article reads before it is written. Every part may be missing: the article is written without it. What its plan has read
 * is not read again.
 */

type WebDeps = Pick<ArticleDeps, "sources">;

/** Undefined if Google's results cannot be had (E04). */
export async function searchFor(
  deps: WebDeps,
  run: RunScope,
  brief: Brief,
  read?: Search,
): Promise<Search | undefined> {
  const found = await run.step(
    "search",
    { result: searchSchema.nullable(), stage: "search", shared: true },
    async (step) => {
      if (read) return fromPlan(step, read);
      const answer = await deps.sources.serper.search(brief.cluster.main_phrase, payerOf(run));
      if (!answer.ok) return missed(step, answer);
      const { organic, questions, related } = answer.value;
      step.note("found", { results: organic.length, questions: questions.length });
      return {
        organic: organic.map(({ title, link }) => ({ title, link })),
        questions: questions.map(({ question }) => question),
        related: [...related],
      };
    },
  );
  return found ?? undefined;
}

const competitorsRead = 3;

/** The pages that rank first; those that cannot be read are left out (E31). */
export function readCompetitors(
  deps: WebDeps,
  run: RunScope,
  search: Search | undefined,
  read?: Competitor[],
): Promise<Competitor[]> {
  return run.step(
    "competitors",
    { result: z.array(competitorSchema), stage: "competitors", shared: true },
    async (step) => {
      if (read && read.length > 0) return fromPlan(step, read);
      const urls = (search?.organic ?? []).slice(0, competitorsRead).map(({ link }) => link);
      const pages = await Promise.all(urls.map((url) => deps.sources.firecrawl.page(url, payerOf(run))));
      return pages.flatMap((page): Competitor[] => {
        if (!page.ok) return missed(step, page) ?? [];
        const { url, title, summary, headings, wordCount, markdown } = page.value;
        step.note("read", { url, words: wordCount });
        const text = markdown.slice(0, longestText);
        return [{ url, title, summary, headings: [...headings], words: wordCount, text }];
      });
    },
  );
}

const sourcesRead = 3;
const quotesOfSource = 6;
const longestText = 20_000;

/** Pages with data about the phrase, found by a search of their own; competitors are not among them. */
export function gatherSources(
  deps: WebDeps,
  run: RunScope,
  brief: Brief,
  search: Search | undefined,
  read?: ArticleSource[],
): Promise<ArticleSource[]> {
  return run.step("sources", { result: z.array(sourceSchema), shared: true }, async (step) => {
    if (read && read.length > 0) return fromPlan(step, read);
    const answer = await deps.sources.serper.search(
      `${brief.cluster.main_phrase} статистика данные исследование`,
      payerOf(run),
    );
    if (!answer.ok) return missed(step, answer) ?? [];
    const rivals = new Set((search?.organic ?? []).slice(0, competitorsRead).map(({ link }) => hostOf(link)));
    const own = brief.site === null ? undefined : hostOf(brief.site);
    const urls = answer.value.organic
      .map(({ link }) => link)
      .filter((link) => !rivals.has(hostOf(link)) && hostOf(link) !== own)
      .slice(0, sourcesRead);
    const pages = await Promise.all(urls.map((url) => deps.sources.firecrawl.page(url, payerOf(run))));
    const found = pages.flatMap((page) => {
      if (!page.ok) return missed(step, page) ?? [];
      const { url, title, markdown } = page.value;
      const texts = proseOf(markdown.slice(0, longestText)).flatMap(({ kind, text }) =>
        kind === "paragraph" ? [text] : [],
      );
      const quotes = texts.flatMap(dataSentences).slice(0, quotesOfSource);
      step.note("read", { url, quotes: quotes.length });
      return quotes.length > 0 ? [{ url, title, text: texts.join("\n"), quotes }] : [];
    });
    return found.map((source, index) => ({ id: `s${index + 1}`, ...source }));
  });
}

/** Sentences with numbers that can be quoted: whole, short, without addresses. */
export function dataSentences(text: string): string[] {
  return sentenceSpans(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((sentence) => {
      const words = sentence.split(/\s+/).length;
      const isData = quantitiesIn(sentence).some(({ kind }) => kind === "number" || kind === "date");
      return isData && words >= 5 && words <= 40 && !/https?:|www\.|[<>{}]/i.test(sentence);
    });
}

function fromPlan<T>(step: StepScope, read: T): T {
  step.note("from_plan");
  return read;
}

function missed(step: StepScope, { source, reason }: Missing): null {
  step.note("source_missing", { source, reason });
  return null;
}

function hostOf(url: string): string {
  return parsedUrl(url)?.hostname.replace(/^www\./, "") ?? "";
}
