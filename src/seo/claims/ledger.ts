import { type Lemmas, remembered, sentenceSpans, stem, wordParts } from "../language/index.ts";
import { proseOf, type Span } from "../render/prose.ts";
import {
  type Claim,
  checkClaim,
  companyId,
  type FailReason,
  type Failure,
  failReasons,
  readSources,
  type Source,
} from "./check-claim.ts";
import { type Checkable, type ClaimKind, checkableIn } from "./checkable.ts";
import { normalised } from "./quote.ts";

export type JudgeAnswer = "supported" | "contradicted" | "unclear";
/** A model of another family that compares a sentence with its quote. */
export type Judge = (sentence: string, quote: string) => Promise<JudgeAnswer>;

export interface LedgerInput {
  readonly markdown: string;
  readonly claims: readonly Claim[];
  readonly sources: readonly Source[];
  /** The business's own facts as lines: prices, years, telephone, city. They are the source `company`. */
  readonly company?: string;
  /** Names that need no source: the business, its brands, the phrase of the article. */
  readonly knownNames?: readonly string[];
  readonly judge?: Judge;
  readonly lemmas?: Lemmas;
  /** Asked at the same time; 4 unless given. */
  readonly concurrency?: number;
}

export interface Verdict {
  readonly sentence: string;
  readonly kinds: readonly ClaimKind[];
  readonly outcome: "supported" | "failed";
  /** What to do with the sentence: a wrong figure can be rewritten from its quote, a sentence without evidence is cut. */
  readonly action: "keep" | "rewrite" | "cut";
  readonly reason?: FailReason;
  readonly detail?: string;
  readonly sourceIds: readonly string[];
  readonly quotes: readonly string[];
  /** What the judge said; `unavailable` if it failed, then the checks by code stand alone. */
  readonly judged?: JudgeAnswer | "unavailable";
  /** Where the sentence stands: the number of its paragraph, and its place in the text of it. */
  readonly place: Span & { readonly prose: number };
}

export interface Ledger {
  /** One for each sentence that can be checked, in order. */
  readonly verdicts: readonly Verdict[];
  readonly supported: number;
  readonly failed: number;
}

/** Without evidence there is nothing to write the sentence from. */
const beyondRewriting: ReadonlySet<FailReason> = new Set(["no_claim", "no_research", "source_unknown"]);

/** Checks every sentence of an article that states something against the sources that the model names for it. */
export async function checkClaims(input: LedgerInput): Promise<Ledger> {
  const lemmas = remembered(input.lemmas ?? stem);
  const company = input.company?.trim() ?? "";
  const all = company === "" ? input.sources : [...input.sources, { id: companyId, text: company }];
  const sources = readSources(all);
  const known = [company, ...(input.knownNames ?? [])].join(" ");
  const claimsOf = pairing(input.claims);
  const stated = sentencesOf(input.markdown).flatMap((sentence) => {
    const checkable = checkableIn(sentence.text, known, lemmas);
    return checkable ? [{ ...sentence, checkable }] : [];
  });
  const verdicts = await inParallel(stated, input.concurrency ?? 4, async ({ text, place, checkable }) => {
    const claims = claimsOf(text);
    const failure = checkClaim(text, checkable, claims, { sources, lemmas });
    return failure
      ? failedVerdict(failure, { text, place, checkable, claims })
      : judged(supportedVerdict({ text, place, checkable, claims }), input.judge);
  });
  return counted(verdicts);
}

/** Asks a judge about what the code let pass, for a ledger that was made without one. */
export async function judgeClaims(
  { verdicts }: Pick<Ledger, "verdicts">,
  judge: Judge,
  concurrency = 4,
): Promise<Ledger> {
  return counted(
    await inParallel(verdicts, concurrency, async (verdict) =>
      verdict.outcome === "supported" ? judged(verdict, judge) : verdict,
    ),
  );
}

function counted(verdicts: readonly Verdict[]): Ledger {
  const supported = verdicts.filter(({ outcome }) => outcome === "supported").length;
  return { verdicts, supported, failed: verdicts.length - supported };
}

/** Sentences to hand back to the model, each with its reason in words. */
export function rewriteRequests(
  verdicts: readonly Verdict[],
): { sentence: string; quotes: readonly string[]; why: string }[] {
  return verdicts.flatMap(({ action, sentence, quotes, reason, detail }) =>
    action === "rewrite" && reason
      ? [{ sentence, quotes, why: `${failReasons[reason]}: ${detail ?? ""}` }]
      : [],
  );
}

interface Stated {
  readonly text: string;
  readonly place: Verdict["place"];
  readonly checkable: Checkable;
  readonly claims: readonly Claim[];
}

function verdictOf({ text, place, checkable, claims }: Stated) {
  return {
    sentence: text,
    kinds: checkable.kinds,
    sourceIds: claims.map(({ sourceId }) => sourceId),
    quotes: claims.map(({ quote }) => quote),
    place,
  };
}

function failedVerdict({ reason, detail }: Failure, stated: Stated): Verdict {
  const action = beyondRewriting.has(reason) ? "cut" : "rewrite";
  return { ...verdictOf(stated), outcome: "failed", action, reason, detail };
}

function supportedVerdict(stated: Stated): Verdict {
  return { ...verdictOf(stated), outcome: "supported", action: "keep" };
}

/** Asked only after the code found nothing, so that the judge can add failures and never forgive one. */
async function judged(supported: Verdict, judge: Judge | undefined): Promise<Verdict> {
  if (!judge) return supported;
  const { sentence, quotes } = supported;
  let answer: JudgeAnswer;
  try {
    answer = await judge(sentence, quotes.join("\n"));
  } catch {
    // A judge that is down must not stop the article: the quote was found and its figures agree.
    return { ...supported, judged: "unavailable" };
  }
  if (answer === "supported") return { ...supported, judged: answer };
  return {
    ...{ ...supported, outcome: "failed", reason: "judge", detail: answer },
    ...{ action: answer === "contradicted" ? "cut" : "rewrite", judged: answer },
  };
}

function sentencesOf(markdown: string): { text: string; place: Verdict["place"] }[] {
  return proseOf(markdown).flatMap(({ text, kind }, prose) => {
    const spans = kind === "row" ? [{ start: 0, end: text.length }] : sentenceSpans(text);
    return spans.map(({ start, end }) => ({ text: text.slice(start, end), place: { prose, start, end } }));
  });
}

/** How much of its words a sentence must share with a claim that was written for it a little differently. */
const sameEnough = 0.75;

/** Finds the claims of a sentence: word for word, else the most alike. The sentence of the text is checked in any case. */
function pairing(claims: readonly Claim[]): (sentence: string) => readonly Claim[] {
  const keyOf = (text: string) => wordParts(normalised(text)).join(" ");
  const byText = new Map<string, Claim[]>();
  for (const claim of claims)
    byText.set(keyOf(claim.sentence), [...(byText.get(keyOf(claim.sentence)) ?? []), claim]);
  const sets = [...byText].map(([key, group]) => ({ words: new Set(key.split(" ")), group }));
  return (sentence) => {
    const key = keyOf(sentence);
    const exact = byText.get(key);
    if (exact) return exact;
    const words = new Set(key.split(" "));
    let best: { alike: number; group: readonly Claim[] } = { alike: sameEnough, group: [] };
    for (const { words: others, group } of sets) {
      const common = [...words].filter((word) => others.has(word)).length;
      const alike = common / (words.size + others.size - common);
      if (alike >= best.alike) best = { alike, group };
    }
    return best.group;
  };
}

async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: Math.max(1, most) }, worker));
  return items.flatMap((_, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}
