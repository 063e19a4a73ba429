import { type Lemmas, meaningOf, remembered, stem } from "../language/index.ts";
import { pageKey, type SiteAddress, siteReader, wordsInAddress } from "./site-address.ts";
import { type SitePage, withoutSiteName } from "./site-index.ts";

/** A post that was published before, with the phrase it was written for. */
export interface EarlierPost {
  readonly url?: string;
  readonly title: string;
  readonly phrase?: string;
}

export interface ServingPage {
  readonly url?: string;
  readonly title: string;
  /** 0–1: how much of the phrase and of the page are the same. */
  readonly score: number;
  /** `same_phrase`: a post was written for it. `title`: a title says it. `description`: only title and description together do. */
  readonly reason: "same_phrase" | "title" | "description";
  readonly isOwnPost: boolean;
}

export interface GuardOptions {
  readonly site: string;
  readonly lemmas?: Lemmas;
  readonly leastScore?: number;
}

const defaultLeastScore = 0.75;
/** Words of buying are part of almost every phrase and change no subject. */
const commonWeight = 0.25;
const commonWords =
  "купить цена цены стоимость заказать недорого дешево лучший лучшие официальный сайт отзывы онлайн доставка рейтинг топ";

/** Finds the page that already serves a phrase; undefined if its subject is new. */
export type SiteGuard = (phrase: string) => ServingPage | undefined;

/** The guard of a site for one phrase. */
export const findServingPage = (phrase: string, ...site: Parameters<typeof siteGuard>) =>
  siteGuard(...site)(phrase);

/**
 * Keeps two articles from competing for a phrase: knows earlier posts by their phrases, all pages by their titles. The site is read
 * once, for as many phrases as are asked about.
 */
export function siteGuard(
  pages: readonly SitePage[],
  posts: readonly EarlierPost[],
  { site, lemmas = stem, leastScore = defaultLeastScore }: GuardOptions,
): SiteGuard {
  const lemmaOf = remembered(lemmas);
  const addressOf = siteReader(site);
  const home = pageKey(site);
  const common = new Set(meaningOf(commonWords, lemmaOf));
  const known = [
    ...posts.map(fromPost),
    ...pages.flatMap((page) => fromPage(page, addressOf(page.url), home)),
  ].map((page) => ({
    ...page,
    title: page.title,
    words: new Set(meaningOf(withoutSiteName(page.title), lemmaOf)),
    told: new Set(meaningOf(`${page.title} ${page.description}`, lemmaOf)),
    written: new Set(meaningOf(page.phrase, lemmaOf)),
  }));
  const frequency = new Map<string, number>();
  for (const { words } of known)
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weightOf = (word: string) =>
    Math.log(2 + (known.length + 1) / ((frequency.get(word) ?? 0) + 1)) *
    (common.has(word) ? commonWeight : 1);

  return (phrase) => {
    const asked = new Set(meaningOf(phrase, lemmaOf));
    if (asked.size === 0) return undefined;
    let best: ServingPage | undefined;
    for (const { url, title, isOwnPost, words, told, written } of known) {
      const byPhrase = written.size > 0 ? likeness(asked, written, weightOf) : 0;
      const byTitle = likeness(asked, words, weightOf);
      // A description mentions much, so it counts only for what the title leaves open.
      const byDescription = Math.min(0.9, (byTitle + coverage(asked, told, weightOf)) / 2);
      const ways = [
        { score: byPhrase, reason: "same_phrase" },
        { score: byTitle, reason: "title" },
        { score: byDescription, reason: "description" },
      ] as const;
      const way = ways.reduce((a, b) => (b.score > a.score ? b : a));
      if (way.score >= leastScore && way.score > (best?.score ?? 0))
        best = { ...(url !== undefined && { url }), title, ...way, isOwnPost };
    }
    return best && { ...best, score: Math.round(best.score * 100) / 100 };
  };
}

interface KnownPage {
  readonly url?: string;
  readonly title: string;
  readonly description: string;
  readonly phrase: string;
  readonly isOwnPost: boolean;
}

function fromPost({ url, title, phrase = "" }: EarlierPost): KnownPage {
  return { ...(url !== undefined && { url }), title, description: "", phrase, isOwnPost: true };
}

function fromPage(
  { url, title = "", description = "" }: SitePage,
  address: SiteAddress | undefined,
  home: string | undefined,
): KnownPage[] {
  // A front page is about everything, so it serves no single phrase.
  if (!address || address.key === home) return [];
  return [
    {
      url: address.url,
      title: title.trim() || wordsInAddress(url),
      description,
      phrase: "",
      isOwnPost: false,
    },
  ];
}

type Weigh = (word: string) => number;

/** The harmonic mean of how much of each is in the other, by weight. */
function likeness(asked: ReadonlySet<string>, page: ReadonlySet<string>, weigh: Weigh): number {
  const there = coverage(asked, page, weigh);
  const back = coverage(page, asked, weigh);
  return there + back === 0 ? 0 : (2 * there * back) / (there + back);
}

function coverage(of: ReadonlySet<string>, by: ReadonlySet<string>, weigh: Weigh): number {
  let whole = 0;
  let common = 0;
  for (const word of of) {
    whole += weigh(word);
    if (by.has(word)) common += weigh(word);
  }
  return whole === 0 ? 0 : common / whole;
}
