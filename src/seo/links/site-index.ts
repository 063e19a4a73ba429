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
  /** Pages by lemma: ids, then how much each page is about it. */
  const postings = new Map<string, { readonly ids: number[]; readonly shares: number[] }>();
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
      for (const [lemma, weight] of weights) {
        const posting = postings.get(lemma);
        if (!posting) continue;
        const gain = weight * weightOf(lemma);
        for (const [at, id] of posting.ids.entries())
          scores[id] = (scores[id] ?? 0) + gain * (posting.shares[at] ?? 0);
      }
      return indexed
        .flatMap((page) => ((scores[page.id] ?? 0) > 0 ? [{ page, score: scores[page.id] ?? 0 }] : []))
        .sort((a, b) => b.score - a.score || a.page.id - b.page.id)
        .slice(0, most);
    },
  };
}

const longestDescription = 300;
const titleShare = 3;

/** A word says more about a page with few words: lengths are divided out. */
function addPage(
  postings: Map<string, { readonly ids: number[]; readonly shares: number[] }>,
  id: number,
  title: ReadonlySet<string>,
  description: readonly string[],
): void {
  const shares = new Map<string, number>();
  for (const word of title) shares.set(word, titleShare / Math.sqrt(title.size));
  const share = 1 / Math.sqrt(Math.max(1, description.length));
  for (const word of description) shares.set(word, (shares.get(word) ?? 0) + share);
  for (const [word, amount] of shares) {
    const posting = postings.get(word) ?? { ids: [], shares: [] };
    posting.ids.push(id);
    posting.shares.push(amount);
    postings.set(word, posting);
  }
}

/** `Окна в Казани — Компания` is about windows: what follows the last divider is usually the site's name. */
export function withoutSiteName(title: string): string {
  const parts = title.split(/\s[—–|•·-]\s/);
  return parts.length < 2 ? title : parts.slice(0, -1).join(" ");
}
