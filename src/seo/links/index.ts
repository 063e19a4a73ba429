/**
 * Internal links: which pages of a site an article links to, and which page already serves a phrase.
 *
 * @example
 * const index = indexSite(map, { site: "https://okna.test", lemmas });
 * const linked = insertLinks(markdown, chooseLinks(markdown, index, { most: 5, self: url }));
 *
 * const serving = findServingPage("пластиковые окна цена", map, posts, { site: "https://okna.test" });
 * if (serving) offer(["Обновить старую", "Другая тема"], serving.title, serving.reason);
 */
export { type Lemmas, meaningOf, remembered, stem } from "../language/index.ts";
export { type ChosenLink, chooseLinks, insertLinks, type LinkOptions } from "./choose-links.ts";
export { pageKey, siteReader } from "./site-address.ts";
export {
  type EarlierPost,
  findServingPage,
  type GuardOptions,
  type ServingPage,
  type SiteGuard,
  siteGuard,
} from "./site-guard.ts";
export { indexSite, mostPages, type SiteIndex, type SitePage } from "./site-index.ts";
