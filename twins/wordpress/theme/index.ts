import type { Answer } from "../../shared/index.ts";
import type { Post, Site, Term } from "../model.ts";
import { escapeHtml } from "../text/kses.ts";
import { plainText } from "../text/render.ts";
import { slugOf } from "../text/slug.ts";
import { homeOf, type WordPress } from "../twin.ts";
import { isPublic } from "../views.ts";
import { linkOf } from "../wire.ts";
import { articlePage } from "./article.ts";
import { document } from "./document.ts";
import { frontPage } from "./front.ts";

/** The page at an address of the site. Drafts, trash and private posts are not shown. */
export function pageAt(wordpress: WordPress, site: Site, path: string, query: URLSearchParams): Answer {
  const home = homeOf(wordpress, site);
  const visible = site.posts
    .filter(isPublic)
    .toSorted((one, other) => other.date - one.date || other.id - one.id);
  const byId = query.get("p");
  if (path === "/" && byId !== null) {
    const post = visible.find(({ id }) => String(id) === byId);
    if (!post) return missing(site, home);
    // With pretty permalinks, `?p=` redirects there.
    const link = linkOf({ wordpress, site }, post);
    return link.includes("?p=")
      ? shown(wordpress, site, post)
      : { status: 301, body: "", headers: { location: link } };
  }
  if (path === "/" || path === "/index.php") {
    const term = termAsked(site, query.get("cat"), query.get("tag"));
    return { status: 200, body: frontPage(wordpress, site, ofTerm(visible, term), term) };
  }
  const steps = path.split("/").filter(Boolean);
  const last = steps.at(-1) ?? "";
  if (steps.length > 1 && (steps[0] === "category" || steps[0] === "tag")) {
    const taxonomy = steps[0] === "category" ? "category" : "post_tag";
    const term = site.terms.find((each) => each.taxonomy === taxonomy && each.slug === slugOf(last));
    return term
      ? { status: 200, body: frontPage(wordpress, site, ofTerm(visible, term), term) }
      : missing(site, home);
  }
  const post = steps.length === 1 ? visible.find(({ slug }) => slug === slugOf(last)) : undefined;
  return post && site.options.permalinks === "pretty" ? shown(wordpress, site, post) : missing(site, home);
}

const shown = (wordpress: WordPress, site: Site, post: Post): Answer => ({
  status: 200,
  body: articlePage(wordpress, site, post),
});

function termAsked(site: Site, category: string | null, tag: string | null): Term | undefined {
  return site.terms.find(
    ({ id, slug, taxonomy }) =>
      (taxonomy === "category" && String(id) === category) || (taxonomy === "post_tag" && slug === tag),
  );
}

const ofTerm = (posts: readonly Post[], term: Term | undefined) =>
  posts.filter(({ categories, tags }) => !term || [...categories, ...tags].includes(term.id));

function missing(site: Site, home: string): Answer {
  const ru = site.options.locale === "ru_RU";
  const title = ru ? "Страница не найдена" : "Page not found";
  const back = `<a href="${escapeHtml(home)}/">${ru ? "На главную" : "To the front page"}</a>`;
  const content = `<div class="empty"><h1>${plainText(title)}</h1><p>${back}</p></div>`;
  return { status: 404, body: document(site, { title, home: `${home}/`, content }) };
}
