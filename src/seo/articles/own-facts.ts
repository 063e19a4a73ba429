import { checkableIn, quantitiesIn } from "../claims/index.ts";
import { meaningOf, sentenceSpans, stem } from "../language/index.ts";

/** What a business tells about itself, by whether a competitor could say the same. */
export interface SortedFacts {
  /** True of this business only. */
  readonly own: readonly string[];
  /** Anybody could say it: without a figure or a name of its own, or a competitor does say it. */
  readonly common: readonly string[];
}

export interface Told {
  /** Texts of the business: experience, advantages, descriptions, answers, reviews. */
  readonly texts: readonly string[];
  /** `Кухня — 90 000 ₽`; whoever else sells it has another price. */
  readonly prices: readonly string[];
  /** Names that prove nothing, because they go with the brand: the company, its city, its phrases. */
  readonly names: readonly string[];
}

/** How much of a fact a competitor's sentence has to say for both to say the same. */
const sameThing = 0.6;

/**
 * Puts another brand in the place of this one: which facts would still be true? Pure. Contacts are not asked about: they change with
 * the brand.
 */
export function sortFacts({ texts, prices, names }: Told, competitors: readonly string[]): SortedFacts {
  const known = names.join(" ");
  const said = competitors.flatMap((text) => sentencesOf(text).map(thingSaid));
  const facts = [...new Set(texts.flatMap(sentencesOf))];
  const isOwn = (fact: string) => {
    const found = checkableIn(fact, known, stem);
    if (!found?.kinds.some((kind) => kind !== "attribution")) return false;
    const own = thingSaid(fact);
    return !said.some((other) => isSame(own, other));
  };
  return {
    own: [...facts.filter(isOwn), ...prices],
    common: facts.filter((fact) => !isOwn(fact)),
  };
}

interface Thing {
  readonly figures: readonly string[];
  readonly words: ReadonlySet<string>;
}

const sentencesOf = (text: string) =>
  sentenceSpans(text).flatMap(({ start, end }) => text.slice(start, end).trim() || []);

function thingSaid(sentence: string): Thing {
  const figures = quantitiesIn(sentence).map((each) =>
    each.kind === "number" ? String(each.value) : each.text,
  );
  return { figures, words: new Set(meaningOf(sentence, stem)) };
}

function isSame({ figures, words }: Thing, other: Thing): boolean {
  if (!figures.every((figure) => other.figures.includes(figure))) return false;
  const shared = [...words].filter((word) => other.words.has(word)).length;
  return words.size > 0 && shared / words.size >= sameThing;
}
