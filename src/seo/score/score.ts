import { type Language, type Morphology, stemMorphology } from "../language/index.ts";
import type { Said } from "../said.ts";
import { languageChecks, rounded, seoChecks, type Verdict, type Verdicts } from "./checks.ts";
import type { ScoreInput } from "./input.ts";
import { readText } from "./measure.ts";
import { type CheckId, type Dimension, dimensions, type Gate, gateOf, points } from "./points.ts";
import { readArticle } from "./read-article.ts";
import { explainEn } from "./texts/en.ts";
import { explainRu } from "./texts/ru.ts";

/** One check with its points, explained. */
export interface ScoredCheck {
  readonly id: CheckId;
  readonly dimension: Dimension;
  readonly points: number;
  readonly max: number;
  readonly label: Said;
  readonly found: Said;
  readonly wanted: Said;
  /** What to change to gain the missing points. */
  readonly change: Said;
}

export interface ScoreWarning {
  readonly code: "nlp_scorer_fallback" | "markdown_parse_failed" | "dictionary_unavailable";
  readonly detail: string;
}

export interface Score {
  /** 0 to 100. */
  readonly total: number;
  readonly breakdown: Readonly<Record<Dimension, number>>;
  /** Checks that lost points, most valuable first. */
  readonly issues: readonly ScoredCheck[];
  readonly checks: readonly ScoredCheck[];
  /** Whether it needs no critique. */
  readonly passed: boolean;
  readonly gate: Gate;
  readonly words: number;
  readonly warnings: readonly ScoreWarning[];
}

/**
 * Scores an article without a model. The same input always has the same score. Never throws: if the language part fails,
 * readability and naturalness are zero and a warning says so (E45).
 */
export function scoreArticle(input: ScoreInput, language: Language): Score {
  const warnings: ScoreWarning[] = [];
  const article = input.read ?? readArticle(input.body, input.format);
  if (article.unreadable) warnings.push({ code: "markdown_parse_failed", detail: article.unreadable });
  if (language.warning) warnings.push({ code: "dictionary_unavailable", detail: language.warning });

  const { morphology, text, ratios, failure } = readLanguage(input, article, language.morphology);
  if (failure) warnings.push({ code: "nlp_scorer_fallback", detail: failure });

  const verdicts: Verdicts = { ...ratios, ...seoChecks(input, article, text, morphology) };
  const checks = checkIds.map((id) => scored(id, verdicts[id]));
  const breakdown = breakdownOf(checks);
  const total = Math.round(Object.values(breakdown).reduce((sum, each) => sum + each, 0));
  const gate = gateOf(total);
  return {
    total,
    breakdown,
    issues: checks
      .filter((check) => check.points < check.max)
      .sort((one, other) => other.max - other.points - (one.max - one.points)),
    checks,
    passed: gate === "pass",
    gate,
    words: text.words,
    warnings,
  };
}

const checkIds = Object.keys(points) as CheckId[];

/** Reads the text with the dictionary; if that crashes, with stems, and without what needs the language. */
function readLanguage(input: ScoreInput, article: ReturnType<typeof readArticle>, morphology: Morphology) {
  try {
    const text = readText(article, morphology);
    return { morphology, text, ratios: languageChecks(input, text, morphology), failure: undefined };
  } catch (error) {
    const stems = stemMorphology();
    return { morphology: stems, text: readText(article, stems), ratios: noRatios, failure: String(error) };
  }
}

const nothing: Verdict = { share: 0, found: {} };
const noRatios = {
  ...{ flesch: nothing, longSentences: nothing, longParagraphs: nothing, vocabulary: nothing },
  ...{ filler: nothing, markers: nothing, variation: nothing, facts: nothing },
};

function scored(id: CheckId, { share, found }: Verdict): ScoredCheck {
  const { dimension, max } = points[id];
  const ru = explainRu[id](found);
  const en = explainEn[id](found);
  const unknown = Object.keys(found).length === 0;
  return {
    id,
    dimension,
    points: rounded(max * share, 1),
    max,
    label: { ru: ru.label, en: en.label },
    found: unknown
      ? { ru: "не удалось измерить", en: "could not be measured" }
      : { ru: ru.found, en: en.found },
    wanted: { ru: ru.wanted, en: en.wanted },
    change: unknown
      ? { ru: "Повторите оценку позже.", en: "Score it again later." }
      : { ru: ru.change, en: en.change },
  };
}

/** A dimension never falls below zero, whatever a check subtracts. */
function breakdownOf(checks: readonly ScoredCheck[]): Record<Dimension, number> {
  const of = (dimension: Dimension) => {
    const sum = checks
      .filter((check) => check.dimension === dimension)
      .reduce((total, check) => total + check.points, 0);
    return rounded(Math.min(dimensions[dimension], Math.max(0, sum)), 1);
  };
  return {
    seo: of("seo"),
    readability: of("readability"),
    structure: of("structure"),
    naturalness: of("naturalness"),
    depth: of("depth"),
  };
}
