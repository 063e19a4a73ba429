import type { KeyedWord, Morphology } from "../language/index.ts";
import { folded } from "../language/index.ts";
import { type Marker, markers, weightOf } from "./markers.ts";

/** A sentence whose words have their keys. */
export interface StyledSentence {
  readonly text: string;
  readonly words: readonly (KeyedWord & { readonly text: string })[];
}

export interface FoundMarker {
  readonly marker: Marker;
  readonly count: number;
  /** As it stands in the text, the first time. */
  readonly example: string;
}

export interface StyleReport {
  /** Heaviest first. */
  readonly found: readonly FoundMarker[];
  /** Measured markers per 100 words: people 0.29, machines 0.67. */
  readonly perHundred: number;
  /** All markers by weight, per 100 words. */
  readonly weightPerHundred: number;
  /** Filler of the document's list per 100 words, by weight. */
  readonly fillerPerHundred: number;
  /** Standard deviation of sentence lengths divided by their mean. */
  readonly variation: number;
}

type Step =
  | { readonly keys: ReadonlySet<string>; readonly forms: ReadonlySet<string> }
  | { readonly gap: number };
interface Compiled {
  readonly marker: Marker;
  readonly steps: readonly Step[];
}

/** Markers by what their first word may be: the key of a lemma, or a form. */
interface Patterns {
  readonly byKey: ReadonlyMap<string, readonly Compiled[]>;
  readonly byForm: ReadonlyMap<string, readonly Compiled[]>;
}

const compiled = new WeakMap<Morphology, Patterns>();

/** Linear in the words: at each one only markers that begin with it are tried, each for a few words. */
export function lintStyle(sentences: readonly StyledSentence[], morphology: Morphology): StyleReport {
  const patterns = patternsFor(morphology);
  const found = new Map<Marker, { count: number; example: string }>();
  let words = 0;
  for (const sentence of sentences) {
    words += sentence.words.length;
    for (let at = 0; at < sentence.words.length; at++)
      for (const { marker, last } of markersAt(patterns, sentence.words, at)) {
        const before = found.get(marker);
        const example = before?.example ?? textOf(sentence.words, at, last);
        found.set(marker, { count: (before?.count ?? 0) + 1, example });
      }
  }
  const all = [...found].map(([marker, { count, example }]) => ({ marker, count, example }));
  const sum = (counted: (each: FoundMarker) => number) =>
    words === 0 ? 0 : (100 * all.reduce((total, each) => total + counted(each), 0)) / words;
  return {
    found: all.sort(
      (one, other) =>
        weightOf(other.marker) * other.count - weightOf(one.marker) * one.count ||
        one.marker.id.localeCompare(other.marker.id),
    ),
    perHundred: sum(({ marker, count }) => ((marker.lift ?? 0) > 1 ? count : 0)),
    weightPerHundred: sum(({ marker, count }) => weightOf(marker) * count),
    fillerPerHundred: sum(({ marker, count }) =>
      marker.source === "document" ? weightOf(marker) * count : 0,
    ),
    variation: variationOf(sentences.map((sentence) => sentence.words.length)),
  };
}

export function variationOf(lengths: readonly number[]): number {
  if (lengths.length < 2) return 0;
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  if (mean === 0) return 0;
  const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / lengths.length;
  return Math.sqrt(variance) / mean;
}

function markersAt(
  { byKey, byForm }: Patterns,
  words: StyledSentence["words"],
  at: number,
): readonly { marker: Marker; last: number }[] {
  const word = words[at];
  if (!word || !(byForm.has(word.folded) || word.keys.some((key) => byKey.has(key)))) return none;
  const tried = new Set([
    ...(byForm.get(word.folded) ?? []),
    ...word.keys.flatMap((key) => byKey.get(key) ?? []),
  ]);
  return [...tried].flatMap(({ marker, steps }) => {
    const last = endOf(steps, words, at);
    return last === undefined ? [] : [{ marker, last }];
  });
}

/** No marker begins with most words. */
const none: readonly never[] = [];

/** The last word of a match, or undefined. */
function endOf(steps: readonly Step[], words: StyledSentence["words"], start: number): number | undefined {
  let at = start;
  let slack = 0;
  for (const step of steps) {
    if ("gap" in step) {
      slack = step.gap;
      continue;
    }
    const end = at + slack;
    while (at <= end && !fits(step, words[at])) at++;
    if (at > end) return undefined;
    at++;
    slack = 0;
  }
  return at - 1;
}

function fits(step: Exclude<Step, { gap: number }>, word: KeyedWord | undefined): boolean {
  return word !== undefined && (step.forms.has(word.folded) || word.keys.some((key) => step.keys.has(key)));
}

function patternsFor(morphology: Morphology): Patterns {
  const known = compiled.get(morphology);
  if (known) return known;
  const byKey = new Map<string, Compiled[]>();
  const byForm = new Map<string, Compiled[]>();
  const add = (to: Map<string, Compiled[]>, words: Iterable<string>, pattern: Compiled) => {
    for (const word of words) to.set(word, [...(to.get(word) ?? []), pattern]);
  };
  for (const marker of markers) {
    const steps = marker.pattern.split(" ").map((step) => stepOf(step, morphology));
    const [first] = steps;
    if (!first || "gap" in first) throw new Error(`the marker ${marker.id} begins with a gap`);
    const pattern = { marker, steps };
    add(byKey, first.keys, pattern);
    add(byForm, first.forms, pattern);
  }
  const patterns = { byKey, byForm };
  compiled.set(morphology, patterns);
  return patterns;
}

function stepOf(step: string, morphology: Morphology): Step {
  if (step.startsWith("~")) return { gap: Number(step.slice(1)) };
  const alternatives = step.split("|");
  const exact = alternatives.filter((each) => each.startsWith("=")).map((each) => folded(each.slice(1)));
  const lemmas = alternatives.filter((each) => !each.startsWith("="));
  return {
    forms: new Set(exact),
    // Only the likeliest lemma: a second reading of a pattern's word would match what nobody meant.
    keys: new Set(lemmas.map((lemma) => morphology.read(lemma).lemma)),
  };
}

function textOf(words: StyledSentence["words"], first: number, last: number): string {
  return words
    .slice(first, last + 1)
    .map((word) => word.text)
    .join(" ");
}
