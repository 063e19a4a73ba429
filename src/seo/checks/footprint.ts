import { wordsOf } from "../language/index.ts";
import { variationOf } from "../style/index.ts";
import { type Finding, finding } from "./finding.ts";

/** What a search engine sees of one published article. */
export interface PublishedPost {
  readonly words: number;
  readonly faq: number;
  /** Its first sentence. */
  readonly opening: string;
  /** Texts of its internal links. */
  readonly anchors: readonly string[];
}

export interface Footprint {
  /** How many posts were looked at. */
  readonly posts: number;
  /** Standard deviation of lengths divided by their mean. */
  readonly lengthSpread: number;
  /** Share of posts with the commonest number of questions. */
  readonly sameFaq: number;
  /** Share of posts whose opening begins like another's. */
  readonly sameOpening: number;
  /** Share of all links that have the commonest text. */
  readonly sameAnchor: number;
  /** Advice; nothing is blocked. */
  readonly warnings: readonly Finding[];
}

/** The last posts that are compared, and from how many on it means anything. */
const window = { most: 30, least: 5 };
const limits = { lengthSpread: 0.15, sameFaq: 0.8, sameOpening: 0.3, sameAnchor: 0.4 };
/** Openings are the same if they begin with the same words. */
const openingWords = 3;

/** How alike the latest posts of a site are; newest first. */
export function footprintOf(published: readonly PublishedPost[]): Footprint {
  const posts = published.slice(0, window.most);
  const openings = posts.map(({ opening }) =>
    wordsOf(opening)
      .slice(0, openingWords)
      .map((word) => word.folded)
      .join(" "),
  );
  const byOpening = counts(openings.filter((opening) => opening !== ""));
  const repeated = openings.filter((opening) => (byOpening.get(opening) ?? 0) > 1).length;
  const anchors = posts.flatMap((post) => post.anchors.map((anchor) => anchor.trim().toLowerCase()));
  const measured = {
    posts: posts.length,
    lengthSpread: variationOf(posts.map((post) => post.words)),
    sameFaq: commonest(posts.map((post) => post.faq)),
    sameOpening: posts.length === 0 ? 0 : repeated / posts.length,
    sameAnchor: commonest(anchors),
  };
  return { ...measured, warnings: posts.length < window.least ? [] : warningsOf(measured, anchors.length) };
}

function warningsOf(measured: Omit<Footprint, "warnings">, anchors: number): Finding[] {
  const { posts, lengthSpread, sameFaq, sameOpening, sameAnchor } = measured;
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const warnings: Finding[] = [];
  if (lengthSpread < limits.lengthSpread)
    warnings.push(
      finding(
        "same_length",
        `Последние статьи (${posts}) почти одной длины. Меняйте объём по теме.`,
        `The last ${posts} articles are almost of one length. Let the subject decide.`,
      ),
    );
  if (sameFaq > limits.sameFaq)
    warnings.push(
      finding(
        "same_faq",
        `У ${percent(sameFaq)} статей одинаковое число вопросов. Отвечайте на те, что задают.`,
        `${percent(sameFaq)} of the articles have the same number of questions. Answer those that are asked.`,
      ),
    );
  if (sameOpening > limits.sameOpening)
    warnings.push(
      finding(
        "same_opening",
        `${percent(sameOpening)} статей начинаются одинаково. Начните с факта или случая.`,
        `${percent(sameOpening)} of the articles begin alike. Begin with a fact or a case.`,
      ),
    );
  if (anchors >= window.least && sameAnchor > limits.sameAnchor)
    warnings.push(
      finding(
        "same_anchor",
        `У ${percent(sameAnchor)} ссылок один и тот же текст. Ссылайтесь словами фразы, в которой стоит ссылка.`,
        `${percent(sameAnchor)} of the links have the same text. Link by the words of the sentence.`,
      ),
    );
  if (warnings.length > 1)
    warnings.push(
      finding(
        "slow_down",
        "Статьи похожи: публикуйте реже и разнообразнее.",
        "The articles are alike: publish less often, and vary them.",
      ),
    );
  return warnings;
}

function counts<T>(values: readonly T[]): Map<T, number> {
  const found = new Map<T, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

function commonest<T>(values: readonly T[]): number {
  if (values.length === 0) return 0;
  let most = 0;
  for (const count of counts(values).values()) most = Math.max(most, count);
  return most / values.length;
}
