import type { ArticleFigures, PlantedFigures } from "./measures.ts";
import type { PairFigures } from "./pair-judge.ts";
import type { StoredResult } from "./results.ts";

/** The rows of the table: their references are aims of this project, or figures that were published elsewhere. */
export const metrics = {
  supported: [
    "sentences of the draft that are fully supported",
    "percent",
    "51.5 % in engines of 2023; aim 95 %",
  ],
  left: ["the same of the text that readers get", "percent", "aim 95 %"],
  precision: ["citation precision", "percent", "74.5 % in 2023; aim 95 %"],
  caught: ["planted falsehoods caught", "percent", "aim 95 %"],
  alarms: ["false alarms", "percent", "aim 5 % at most"],
  markers: ["markers per 100 words", "number", "people 0.29, machines 0.67; aim 0.35 at most"],
  flesch: ["Flesch for Russian", "number", "50 and more is okay"],
  longSentences: ["long sentences", "percent", "25 % at most"],
  variation: ["variation of sentence length", "number", "seven machine texts had 0.23"],
  copied: ["copied runs of five words", "percent", "aim below 5 %"],
  nearest: ["the same, with the nearest own text", "percent", "report"],
  ownFacts: ["facts that only this business has, an article", "number", "aim 3 and more"],
  rank: ["rank correlation with 30 texts ordered by people", "number", "G-Eval 0.51"],
  wins: ["pairs won against the last stored run, both orders agreeing", "percent", "above the pairs lost"],
  losses: ["pairs lost", "percent", ""],
  score: ["score of the checklist", "number", "80 needs no rewriting"],
  repairs: ["repaired answers, an article", "number", "ours"],
  usd: ["dollars, an article", "money", "ours"],
  tokens: ["tokens, an article", "number", "ours"],
  seconds: ["seconds, an article", "number", "ours"],
  refusals: ["articles that were not written", "percent", "ours"],
} as const satisfies Record<string, readonly [string, "percent" | "number" | "money", string]>;
export type Metric = keyof typeof metrics;
export type MetricFigures = Readonly<Record<Metric, number | null>>;

/** Shares of sentences are of all sentences, everything else is the mean of the articles. Null where there is no data. */
export function summed(
  articles: readonly ArticleFigures[],
  planted: PlantedFigures,
  pairs: PairFigures | undefined,
): MetricFigures {
  const total = (count: (article: ArticleFigures) => number) =>
    articles.reduce((sum, article) => sum + count(article), 0);
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const mean = (of: (article: ArticleFigures) => number | null) => {
    const known = articles.map(of).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const judged = pairs ? pairs.wins + pairs.losses + pairs.undecided : 0;
  return {
    supported: share(
      total((each) => each.supported),
      total((each) => each.checkable),
    ),
    left: share(
      total((each) => each.leftSupported),
      total((each) => each.left),
    ),
    precision: share(
      total((each) => each.citedWell),
      total((each) => each.cited),
    ),
    caught: share(planted.caught, planted.altered),
    alarms: share(planted.alarms, planted.clean),
    markers: mean((each) => each.markers),
    flesch: mean((each) => each.flesch),
    longSentences: mean((each) => each.longSentences),
    variation: mean((each) => each.variation),
    copied: mean((each) => each.copied),
    nearest: mean((each) => each.nearest),
    ownFacts: mean((each) => each.ownFacts),
    // No set of texts that people put in order exists here, and none is made up.
    rank: null,
    wins: pairs ? share(pairs.wins, judged) : null,
    losses: pairs ? share(pairs.losses, judged) : null,
    score: mean((each) => each.score),
    repairs: mean((each) => each.repairs),
    usd: mean((each) => each.usd),
    tokens: mean((each) => each.tokens),
    seconds: mean((each) => each.seconds),
    refusals: share(articles.filter(({ failure }) => failure !== null).length, articles.length),
  };
}

/** A stored run by the same briefs: others would be other niches. Figures that are of no brief stay as they were stored. */
export function sameBriefs(
  { articles, figures }: Pick<StoredResult, "articles" | "figures">,
  briefs: readonly string[],
): Readonly<Record<string, number | null>> {
  const same = articles.filter(({ brief }) => briefs.includes(brief));
  const { caught = null, alarms = null, wins = null, losses = null } = figures;
  return {
    ...summed(same, { altered: 0, caught: 0, clean: 0, alarms: 0 }, undefined),
    caught,
    alarms,
    wins,
    losses,
  };
}

export function rowsOf(
  now: MetricFigures,
  before: Readonly<Record<string, number | null>> | undefined,
): [string, string, string, string, string][] {
  return Object.entries(metrics).map(([key, [title, unit, reference]]) => {
    const value = now[key as Metric];
    const old = before?.[key] ?? null;
    const difference = value === null || old === null ? "" : signed(shown(value - old, unit));
    return [title, shown(value, unit), reference, before ? shown(old, unit) : "", difference];
  });
}

function signed(text: string): string {
  const value = Number.parseFloat(text);
  return value === 0 ? text.replace("-", "") : value > 0 ? `+${text}` : text;
}

function shown(value: number | null, unit: "percent" | "number" | "money"): string {
  if (value === null) return "no data";
  if (unit === "percent") return `${(value * 100).toFixed(1)} %`;
  if (unit === "money") return `${value.toFixed(4)} $`;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
