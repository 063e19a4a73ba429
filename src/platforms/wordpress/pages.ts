import type { Compiled } from "../contract.ts";
import type { PagesDefinition } from "../definition.ts";
import { picturePlaces } from "./html.ts";
import { type Page, pageShape } from "./page.ts";
import { publicationDate } from "./write-page.ts";

/** What a site's pages have to show once they are public. */
export const pages: PagesDefinition = {
  publicFrom({ compiled }, now) {
    const page = pageOf(compiled);
    if (page.status !== "publish") return undefined;
    const date = publicationDate(page, now) ?? now;
    return new Date(Math.max(date.getTime(), now.getTime()));
  },
  expected(compiled, lost) {
    const { title, content, seo } = pageOf(compiled);
    return {
      title,
      html: content,
      pictures: [...content.matchAll(picturePlaces)].length,
      // A site that cannot name the original has said so when the page was published.
      ...(seo?.canonical && !lost.has("original_untold") && { canonicalUrl: seo.canonical }),
      noindex: seo?.robots?.includes("noindex") ?? false,
    };
  },
};

const pageOf = (compiled: Compiled): Page => pageShape.parse(compiled.requests[0]?.body);
