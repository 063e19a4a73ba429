import { z } from "zod";
import { copiedFrom } from "../../src/seo/checks/index.ts";
import { checkClaims, companyId } from "../../src/seo/claims/index.ts";
import { company, planted, sources } from "../../src/seo/claims/testing/corpus.ts";
import type { Language } from "../../src/seo/language/index.ts";
import { readArticle } from "../../src/seo/score/index.ts";
import { measure, readText } from "../../src/seo/score/measure.ts";
import type { Attempt, EvalArticle } from "./world.ts";

const count = z.int().min(0);
const known = z.number().nullable();

/** What is known about one article; a share is of 1, and null where there was nothing to count. */
export const articleFigures = z.object({
  brief: z.string(),
  failure: z.string().nullable(),
  words: known,
  score: known,
  /** Sentences of the model's text that can be checked, and how many of them are supported. */
  checkable: count,
  supported: count,
  /** Of those that name a source. */
  cited: count,
  citedWell: count,
  /** The same for the text that readers get. */
  left: count,
  leftSupported: count,
  markers: known,
  flesch: known,
  longSentences: known,
  variation: known,
  copied: known,
  nearest: known,
  ownFacts: known,
  repairs: count,
  usd: z.number(),
  tokens: z.number(),
  seconds: known,
});
export type ArticleFigures = z.infer<typeof articleFigures>;

export async function figuresOf(
  { brief, article, failure, repairs, usd, tokens }: Attempt,
  others: readonly Attempt[],
  { morphology }: Language,
): Promise<ArticleFigures> {
  const common = { brief: brief.name, failure: failure ?? null, repairs, usd, tokens };
  if (!article)
    return {
      ...common,
      ...{
        words: null,
        score: null,
        checkable: 0,
        supported: 0,
        cited: 0,
        citedWell: 0,
        left: 0,
        leftSupported: 0,
      },
      ...{ markers: null, flesch: null, longSentences: null, variation: null, copied: null, nearest: null },
      ...{ ownFacts: null, seconds: null },
    };
  const { result, sources: read } = article;
  const text = textOf(article);
  const { style, flesch, longSentences, sentences } = measure(
    readText(readArticle(result.article.markdown, "markdown"), morphology),
    morphology,
  );
  const cited = result.claims.filter(({ source_ids }) => source_ids.length > 0);
  const supported = result.claims.filter(({ outcome }) => outcome === "supported");
  const left = await recheck(article);
  const own = others.flatMap((other) =>
    other.article && other.brief.name !== brief.name
      ? [{ id: other.brief.name, text: textOf(other.article) }]
      : [],
  );
  return {
    ...common,
    ...{ words: result.words, score: result.score.total },
    ...{ checkable: result.claims.length, supported: supported.length },
    cited: cited.length,
    citedWell: cited.filter(({ outcome }) => outcome === "supported").length,
    ...{ left: left.verdicts.length, leftSupported: left.supported },
    ...{ markers: style.perHundred, flesch, variation: style.variation },
    longSentences: sentences === 0 ? null : longSentences / sentences,
    copied: read.length === 0 ? null : copiedFrom(text, read).share,
    nearest: own.length === 0 ? null : (copiedFrom(text, own).others[0]?.share ?? 0),
    ownFacts: new Set(
      supported.filter(({ source_ids }) => source_ids.includes(companyId)).flatMap(({ quotes }) => quotes),
    ).size,
    seconds: result.ms / 1000,
  };
}

/** Words as a reader sees them. */
export const textOf = ({ result }: EvalArticle): string =>
  readArticle(result.article.markdown, "markdown")
    .blocks.map((block) => block.text)
    .join("\n");

/** Checks the published text once more, by code alone, against the same sources. */
function recheck({ result, sources: read, company: lines }: EvalArticle) {
  const { article, claims } = result;
  return checkClaims({
    markdown: article.markdown.replace(/\{\{ ?IMAGE_\d{1,3} ?\}\}/gi, ""),
    claims: claims.flatMap(({ sentence, source_ids, quotes }) =>
      quotes.map((quote, index) => ({ sentence, quote, sourceId: source_ids[index] ?? "" })),
    ),
    sources: read,
    company: lines.join("\n"),
    knownNames: [article.company.name, article.phrase],
  });
}

export interface PlantedFigures {
  readonly altered: number;
  readonly caught: number;
  readonly clean: number;
  readonly alarms: number;
}

/** Claims of a fixed set, each altered in one thing, and the same unaltered: by code alone, so it is the same with every model. */
export async function plantedFigures(): Promise<PlantedFigures> {
  const failures = async (claims: readonly { sentence: string; sourceId: string; quote: string }[]) => {
    const markdown = claims.map(({ sentence }) => sentence).join("\n\n");
    const { verdicts } = await checkClaims({ markdown, claims, sources, company });
    const failed = new Set(
      verdicts.flatMap(({ outcome, sentence }) => (outcome === "failed" ? [sentence] : [])),
    );
    return claims.filter(({ sentence }) => failed.has(sentence)).length;
  };
  const caught = await failures(
    planted.map(({ altered: sentence, kind, sourceId, quote }) => ({
      ...{ sentence, quote, sourceId: kind === "source" ? `${sourceId}-gone` : sourceId },
    })),
  );
  const alarms = await failures(
    planted.map(({ clean: sentence, sourceId, quote }) => ({ sentence, sourceId, quote })),
  );
  return { altered: planted.length, caught, clean: planted.length, alarms };
}
