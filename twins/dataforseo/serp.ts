import { resultsFor } from "../web/results.ts";
import type { PlacedPage } from "./model.ts";
import type { Target } from "./task.ts";

/** How many results a page of Google has. */
const perPage = 10;

export interface Serp {
  readonly items: readonly OrganicItem[];
  /** Pages of results that were crawled, and are paid for. */
  readonly pages: number;
}

interface OrganicItem {
  readonly type: "organic";
  readonly rank_group: number;
  readonly rank_absolute: number;
  readonly domain: string;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly breadcrumb: string;
}

interface Asked {
  readonly keyword: string;
  readonly depth: number;
  readonly stopOn: readonly Target[];
}

/** Results of Google, with the pages that were placed among them, up to the page of results on which a target is. */
export function serpOf({ keyword, depth, stopOn }: Asked, placed: readonly PlacedPage[]): Serp {
  const own = placed.filter((each) => each.keyword === keyword);
  const usual = resultsFor(keyword, "google");
  const found = usual.length === 0 && own.length === 0 ? [] : filled(usual, depth);
  for (const { url, position } of own.toSorted((one, other) => one.position - other.position)) {
    const domain = new URL(url).hostname;
    found.splice(position - 1, 0, { url, domain, title: domain, snippet: keyword });
  }
  const all = found.slice(0, depth).map(({ url, domain, title, snippet }, at) => ({
    ...{ type: "organic" as const, rank_group: at + 1, rank_absolute: at + 1, domain, title, url },
    ...{ description: snippet, breadcrumb: domain },
  }));
  const match = stopOn.length === 0 ? -1 : all.findIndex((item) => stopOn.some((each) => isAt(each, item)));
  const pages = Math.max(1, Math.ceil((match < 0 ? all.length : match + 1) / perPage));
  return { items: all.slice(0, pages * perPage), pages };
}

/** Nobody's pages behind the usual ten. */
function filled(usual: ReturnType<typeof resultsFor>, depth: number) {
  const more = Array.from({ length: Math.max(0, depth - usual.length) }, (_, at) => {
    const domain = `result-${at + usual.length + 1}.example`;
    return { url: `https://${domain}/page/`, domain, title: domain, snippet: domain };
  });
  return [...usual, ...more];
}

function isAt({ match_value: value, match_type: type }: Target, { domain, url }: OrganicItem): boolean {
  if (type === "domain") return domain === value;
  if (type === "with_subdomains") return domain === value || domain.endsWith(`.${value}`);
  const { pathname, search } = new URL(url);
  return isLike(value, pathname + search);
}

/** A star stands for any characters. */
function isLike(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
