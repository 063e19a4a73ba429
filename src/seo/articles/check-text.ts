import { type ClaimJudgeAnswer, seoTasks } from "../answers/index.ts";
import { copiedFrom, copiedSentences, mostCopied } from "../checks/index.ts";
import {
  type Claim,
  checkClaims,
  companyId,
  cutSentences,
  failedPlaces,
  type Judge,
  type JudgeAnswer,
  judgeClaims,
  quantitiesIn,
  rewriteRequests,
  type Verdict,
} from "../claims/index.ts";
import { sentenceSpans } from "../language/index.ts";
import { askModel } from "../models/ask-model.ts";
import { proseOf } from "../render/index.ts";
import type { RunScope, StepScope } from "../runs/run-kind.ts";
import { type ArticleDeps, textOperation } from "./article-deps.ts";
import { companyLines } from "./read-brief.ts";
import {
  type ArticleSource,
  type Brief,
  type CheckedText,
  type Competitor,
  checkedTextSchema,
  type Written,
} from "./shape.ts";
import { withoutAddresses, withQuestions } from "./text-parts.ts";

/**
 * Checks every sentence of a text that states something, by code and by a judge of another family of models, and takes out what
 * nothing supports.
 */
export function checkText(
  deps: ArticleDeps,
  run: RunScope,
  name: "claims" | "claims_again",
  { written, brief, sources, competitors }: CheckedAgainst & { readonly written: Written },
): Promise<CheckedText> {
  return run.step(name, { result: checkedTextSchema }, async (step) => {
    const markdown = withQuestions(withoutAddresses(written.content_markdown), written.faq_schema);
    const lines = companyLines(brief);
    const named = written.claims.map(({ sentence, source_id, quote }) => ({
      ...{ sentence, sourceId: source_id, quote },
    }));
    const text = withoutPictures(markdown);
    const input = {
      markdown: text,
      claims: [...named, ...ownClaims(text, lines, named)],
      sources: sources.map(({ id, text, title }) => ({ id, text, title })),
      company: lines.join("\n"),
      knownNames: [
        ...[brief.company.name, brief.company.specialization, brief.company.city],
        ...brief.cluster.phrases.map(({ phrase }) => phrase),
      ],
    };
    // The judge is asked once about all sentences that the code let pass.
    const byCode = await checkClaims(input);
    const judge = await judgeOf(deps, run, step, byCode.verdicts);
    const { verdicts, supported, failed } = judge ? await judgeClaims(byCode, judge) : byCode;
    step.note("checked", { supported, failed });
    const own = withoutCopies(markdown, competitors, { gone: failedPlaces(verdicts), checked: text });
    if (own.share > 0) step.note("compared", { copied: own.share, cut: own.copied.length });
    return {
      ...{ markdown: own.markdown, copied: own.copied },
      claims: verdicts.map((verdict) => ({
        ...{ sentence: verdict.sentence, outcome: verdict.outcome, reason: verdict.reason ?? null },
        ...{ source_ids: [...verdict.sourceIds], quotes: [...verdict.quotes] },
        judged: verdict.judged ?? null,
      })),
      requests: [
        ...rewriteRequests(verdicts).map(
          ({ sentence, quotes, why }) => `- ${sentence} (${why}; выдержка: ${quotes.join(" ")})`,
        ),
        ...own.copied.map(
          ({ sentence }) => `- ${sentence} (стоит на чужой странице: скажи по-своему или убери)`,
        ),
      ],
    };
  });
}

export interface CheckedAgainst {
  readonly brief: Brief;
  readonly sources: readonly ArticleSource[];
  /** Pages that were read to see what they leave out: nothing of theirs may stand in the text. */
  readonly competitors: readonly Competitor[];
}

/** Places of pictures state nothing; what stands for them is as long, so that places in the text stay the same. */
const withoutPictures = (markdown: string) =>
  markdown.replace(/\{\{ ?IMAGE_\d{1,3} ?\}\}/gi, (place) => "·".repeat(place.length));

/**
 * Takes out the sentences at these places, and those of other pages if more of the rest than may be is theirs. `checked` is the text
 * in which the places were found. Pure.
 */
export function withoutCopies(
  markdown: string,
  competitors: readonly Competitor[],
  { gone = [], checked = markdown }: { gone?: readonly Verdict["place"][]; checked?: string } = {},
) {
  const others = competitors.map(({ url, text }) => ({ id: url, text }));
  const isGone = new Set(gone.map(keyOfPlace));
  const paragraphs = proseOf(checked).map(({ kind, text }, prose) => {
    const spans = kind === "row" ? [{ start: 0, end: text.length }] : sentenceSpans(text);
    return spans
      .map((span) => ({ text: text.slice(span.start, span.end), place: { ...span, prose } }))
      .filter(({ place }) => !isGone.has(keyOfPlace(place)));
  });
  const rest = paragraphs.map((sentences) => sentences.map(({ text }) => text).join(" ")).join("\n");
  const { share } = copiedFrom(rest, others);
  const sentences = paragraphs.flat();
  const found = (
    share <= mostCopied
      ? []
      : copiedSentences(
          sentences.map(({ text }) => text),
          others,
        )
  ).flatMap(({ sentence, id }) => {
    const given = sentences[sentence];
    return given ? [{ ...given, url: id }] : [];
  });
  return {
    share,
    copied: found.map(({ text, url }) => ({ sentence: text, url })),
    markdown: cutSentences(markdown, [...gone, ...found.map(({ place }) => place)], checked),
  };
}

const keyOfPlace = ({ prose, start, end }: Verdict["place"]) => `${prose} ${start} ${end}`;

/**
 * The model names no source for the business's own figures, so the sentence of its facts that has all figures of a sentence is the
 * quote, else the line.
 */
function ownClaims(markdown: string, lines: readonly string[], named: readonly Claim[]): Claim[] {
  const known = new Set(named.map(({ sentence }) => sentence.trim()));
  const parts = lines.flatMap((line) =>
    sentenceSpans(line).map(({ start, end }) => line.slice(start, end).trim()),
  );
  const figures = [...parts, ...lines].map((line) => ({ line, texts: new Set(figuresIn(line)) }));
  return proseOf(markdown).flatMap(({ text }) =>
    sentenceSpans(text).flatMap(({ start, end }): Claim[] => {
      const sentence = text.slice(start, end);
      const stated = figuresIn(sentence);
      if (stated.length === 0 || known.has(sentence.trim())) return [];
      const own = figures.find(({ texts }) => stated.every((figure) => texts.has(figure)));
      return own ? [{ sentence, sourceId: companyId, quote: own.line }] : [];
    }),
  );
}

const figuresIn = (text: string) =>
  quantitiesIn(text).map((quantity) => (quantity.kind === "number" ? String(quantity.value) : quantity.text));

const judgements = {
  supported: "supported",
  contradicted: "contradicted",
  not_in_quote: "unclear",
} as const satisfies Record<ClaimJudgeAnswer["verdicts"][number]["verdict"], JudgeAnswer>;

/** Undefined if there is nothing to judge, or nobody to do it: then the checks by code stand alone. */
async function judgeOf(
  deps: ArticleDeps,
  run: RunScope,
  step: StepScope,
  verdicts: readonly Verdict[],
): Promise<Judge | undefined> {
  const passed = verdicts.filter(({ outcome }) => outcome === "supported");
  if (passed.length === 0) return undefined;
  const keyOf = (sentence: string, quote: string) => `${sentence}\n${quote}`;
  const asked = await askModel(deps, { run, step, operation: textOperation }, seoTasks.claimJudge, {
    claims: passed.map(({ sentence, quotes }, index) => ({
      ...{ id: `c${index + 1}`, sentence, quote: quotes.join("\n") },
    })),
  });
  if (!asked.ok) {
    step.note("judge_skipped");
    return undefined;
  }
  const byId = new Map(asked.answer.verdicts.map(({ claim_id, verdict }) => [claim_id, judgements[verdict]]));
  const known = new Map(
    passed.map(({ sentence, quotes }, index) => [
      keyOf(sentence, quotes.join("\n")),
      byId.get(`c${index + 1}`),
    ]),
  );
  return async (sentence, quote) => {
    const answer = known.get(keyOf(sentence, quote));
    if (!answer) throw new Error("the judge said nothing about it");
    return answer;
  };
}
