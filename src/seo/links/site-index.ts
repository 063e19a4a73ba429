import { type Lemmas, meaningOf, remembered, stem } from "../language/index.ts";
import { siteReader, wordsInAddress } from "./site-address.ts";

/** A page as a site's map lists it. */
export interface SitePage {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

export interface IndexedPage {
  readonly id: number;
  readonly url: string;
  readonly key: string;
  readonly title: string;
  /** Lemmas of the title; of the address if there is no title. */
  readonly words: ReadonlySet<string>;
}

export interface SiteIndex {
  readonly pages: readonly IndexedPage[];
  readonly lemmas: Lemmas;
  /** How much a lemma tells pages of this site apart. */
  weightOf(lemma: string): number;
  /** The nearest pages, best first. */
  search(weights: ReadonlyMap<string, number>, most: number): readonly { page: IndexedPage; score: number }[];
}

/** The largest map that is read. */
export const mostPages = 5000;

/** Indexes the pages of a site by meaning; pages of other sites and files are left out. */
export function indexSite(
  pages: readonly SitePage[],
  { site, lemmas = stem }: { readonly site: string; readonly lemmas?: Lemmas },
): SiteIndex {
  const lemmaOf = remembered(lemmas);
  const addressOf = siteReader(site);
  const indexed: IndexedPage[] = [];
  const postings = new Map<string, Posting>();
  const known = new Set<string>();
  const frequency = new Map<string, number>();
  for (const { url, title: given = "", description = "" } of pages.slice(0, mostPages)) {
    const address = addressOf(url);
    if (!address || known.has(address.key)) continue;
    known.add(address.key);
    const title = given.trim() || wordsInAddress(url);
    const words = new Set(meaningOf(withoutSiteName(title), lemmaOf));
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    const id = indexed.length;
    indexed.push({ id, ...address, title, words });
    addPage(postings, id, words, meaningOf(description.slice(0, longestDescription), lemmaOf));
  }
  const weightOf = (lemma: string) =>
    Math.log(1 + (indexed.length + 1) / ((frequency.get(lemma) ?? 0) + 0.5));
  return {
    pages: indexed,
    lemmas: lemmaOf,
    weightOf,
    search(weights, most) {
      const scores = new Float64Array(indexed.length);
      const found: number[] = [];
      for (const [lemma, weight] of weights) {
        const posting = postings.get(lemma);
        if (!posting) continue;
        const { ids, shares } = posting;
        const gain = weight * weightOf(lemma);
        for (let at = 0; at < ids.length; at++) {
          const id = ids[at] ?? 0;
          const before = scores[id] ?? 0;
          const after = before + gain * (shares[at] ?? 0);
          if (before === 0 && after > 0) found.push(id);
          scores[id] = after;
        }
      }
      return best(found, scores, most).flatMap((id) => {
        const page = indexed[id];
        return page ? [{ page, score: scores[id] ?? 0 }] : [];
      });
    },
  };
}

/** Pages that have a lemma: their ids, and how much each is about it. */
interface Posting {
  readonly ids: number[];
  readonly shares: number[];
}

/** The ids with the highest scores, highest first. Most of the others are left out before anything is sorted. */
function best(ids: number[], scores: Float64Array, most: number): number[] {
  const better = (one: number, other: number) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other;
  let kept: number[] = [];
  let least = 0;
  for (const id of ids) {
    if ((scores[id] ?? 0) < least) continue;
    kept.push(id);
    if (kept.length < most * 4) continue;
    kept = kept.sort(better).slice(0, most);
    least = scores[kept.at(-1) ?? 0] ?? 0;
  }
  return kept.sort(better).slice(0, most);
}

const longestDescription = 300;
const titleShare = 3;

/** A word says more about a page with few words: lengths are divided out. */
function addPage(
  postings: Map<string, Posting>,
  id: number,
  title: ReadonlySet<string>,
  description: readonly string[],
): void {
  const add = (word: string, amount: number) => {
    const posting = postings.get(word);
    if (!posting) return postings.set(word, { ids: [id], shares: [amount] });
    const last = posting.ids.length - 1;
    // Pages come in order: what a page says again is added to its share.
    if (posting.ids[last] === id) posting.shares[last] = (posting.shares[last] ?? 0) + amount;
    else {
      posting.ids.push(id);
      posting.shares.push(amount);
    }
  };
  for (const word of title) add(word, titleShare / Math.sqrt(title.size));
  const share = 1 / Math.sqrt(Math.max(1, description.length));
  for (const word of description) add(word, share);
}

/** `Окна в Казани — Компания` is about windows: what follows the last divider is usually the site's name. */
export function withoutSiteName(title: string): string {
  const parts = title.split(/\s[—–|•·-]\s/);
  return parts.length < 2 ? title : parts.slice(0, -1).join(" ");
}
