import { type Args, checkArgs, integers, pageArgs, texts, truthy } from "../args.ts";
import { RestError, refused } from "../errors.ts";
import { pageOf } from "../listing.ts";
import type { Site, Term } from "../model.ts";
import type { Call, Reply } from "../request.ts";
import { can } from "../roles.ts";
import { filterTitle } from "../text/kses.ts";
import { plainText } from "../text/render.ts";
import { slugOf } from "../text/slug.ts";
import { restUrl } from "../twin.ts";
import { termView } from "../wire.ts";

type Taxonomy = Term["taxonomy"];

const bases: Readonly<Record<Taxonomy, string>> = { category: "categories", post_tag: "tags" };

const writeArgs: Args = {
  name: { type: "string" },
  slug: { type: "string" },
  description: { type: "string" },
  parent: { type: "integer" },
};

export function termCalls(taxonomy: Taxonomy) {
  return {
    list: async (call: Call) => listTerms(call, taxonomy),
    get: async (call: Call): Promise<Reply> => ({ body: termView(call, termOf(call, taxonomy)) }),
    create: async (call: Call) => createTerm(call, taxonomy),
    remove: async (call: Call) => removeTerm(call, taxonomy),
  };
}

function listTerms(call: Call, taxonomy: Taxonomy): Reply {
  const { site, params } = call;
  checkArgs({ ...pageArgs, hide_empty: { type: "boolean" }, post: { type: "integer" } }, params);
  const search = typeof params.search === "string" ? params.search.toLowerCase() : "";
  const post = site.posts.find(({ id }) => id === Number(params.post));
  const found = site.terms
    .filter((term) => term.taxonomy === taxonomy)
    // Names are stored escaped, so a search for `&` finds nothing.
    .filter(({ name, slug }) => name.toLowerCase().includes(search) || slug.includes(search))
    .filter(({ slug }) => params.slug === undefined || texts(params.slug).map(slugOf).includes(slug))
    .filter(({ id }) => params.include === undefined || integers(params.include).includes(id))
    .filter(({ id }) => !post || [...post.categories, ...post.tags].includes(id))
    .filter((term) => !truthy(params.hide_empty) || site.posts.some((each) => holds(each, term)))
    .sort((one, other) => one.name.localeCompare(other.name, "ru") || one.id - other.id);
  return pageOf(call, found, (term) => termView(call, term), false);
}

const holds = ({ status, categories, tags }: Site["posts"][number], { id }: Term) =>
  status === "publish" && (categories.includes(id) || tags.includes(id));

function createTerm(call: Call, taxonomy: Taxonomy): Reply {
  const { site, user, params, wordpress } = call;
  checkArgs({ ...writeArgs, name: { type: "string", required: true } }, params);
  // Only editors create categories; everybody who writes may create tags.
  const may = can(user, taxonomy === "category" ? "manage_categories" : "edit_posts");
  if (taxonomy === "post_tag" && params.parent !== undefined)
    throw new RestError(
      400,
      "rest_taxonomy_not_hierarchical",
      "Cannot set parent term, taxonomy is not hierarchical.",
    );
  if (!may)
    throw refused(user, "rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy.");
  const parent = Number(params.parent ?? 0);
  const above = site.terms.find(({ id }) => id === parent);
  if (parent && above?.taxonomy !== taxonomy)
    throw new RestError(400, "rest_term_invalid", "Parent term does not exist.");
  const name = termName(String(params.name));
  if (name === "")
    throw new RestError(500, "empty_term_name", "A name is required for this term.", {
      more: { data: null },
    });

  const wanted = typeof params.slug === "string" ? slugOf(params.slug) : "";
  const twin = site.terms.find(
    (term) => term.taxonomy === taxonomy && term.parent === parent && sameName(term.name, name),
  );
  if (twin && (wanted === "" || wanted === twin.slug))
    throw new RestError(
      400,
      "term_exists",
      taxonomy === "category"
        ? "A term with the name provided already exists with this parent."
        : "A term with the name provided already exists in this taxonomy.",
      { data: { term_id: twin.id }, more: { additional_data: [twin.id, twin.id] } },
    );
  site.lastTermId += 1;
  const term: Term = {
    id: site.lastTermId,
    taxonomy,
    name,
    slug: uniqueTermSlug(site, wanted || slugOf(name), above),
    description: filterTitle(String(params.description ?? "")),
    parent,
  };
  site.terms.push(term);
  wordpress.store.changed();
  const location = restUrl(wordpress, site, `/wp/v2/${bases[taxonomy]}/${term.id}`);
  return { status: 201, body: termView(call, term), headers: { location } };
}

function removeTerm(call: Call, taxonomy: Taxonomy): Reply {
  const { site, user, params, wordpress } = call;
  const term = termOf(call, taxonomy);
  if (!can(user, "manage_categories"))
    throw refused(user, "rest_cannot_delete", "Sorry, you are not allowed to delete this term.");
  if (!truthy(params.force))
    throw new RestError(
      501,
      "rest_trash_not_supported",
      "Terms do not support trashing. Set 'force=true' to delete.",
    );
  const { _links, ...previous } = termView(call, term);
  site.terms.splice(site.terms.indexOf(term), 1);
  for (const post of site.posts) {
    post.categories = post.categories.filter((id) => id !== term.id);
    post.tags = post.tags.filter((id) => id !== term.id);
    if (post.categories.length === 0) post.categories = [1];
  }
  wordpress.store.changed();
  return { body: { deleted: true, previous } };
}

function termOf({ site, params }: Call, taxonomy: Taxonomy): Term {
  const term = site.terms.find((each) => each.id === Number(params.id) && each.taxonomy === taxonomy);
  if (!term) throw new RestError(404, "rest_term_invalid", "Term does not exist.");
  return term;
}

/** Names are stored with ampersands and brackets escaped. */
function termName(name: string): string {
  return plainText(name)
    .replace(/&(?!#?\w{1,8};)/g, "&amp;")
    .replaceAll("<", "&lt;");
}

/** Databases compare Latin letters case-insensitively; other letters only if the collation supports them. */
const sameName = (one: string, other: string) => lowerLatin(one) === lowerLatin(other);
const lowerLatin = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function uniqueTermSlug(site: Site, slug: string, parent: Term | undefined): string {
  const taken = (each: string) => site.terms.some((term) => term.slug === each);
  if (!taken(slug)) return slug;
  // The parent distinguishes children of the same name.
  const byParent = parent ? `${slug}-${parent.slug}` : slug;
  if (!taken(byParent)) return byParent;
  let number = 2;
  while (taken(`${byParent}-${number}`)) number += 1;
  return `${byParent}-${number}`;
}
