import { type Args, checkArgs, integers, invalidParams, pageArgs, rawText, texts, truthy } from "../args.ts";
import { readDate } from "../dates.ts";
import { RestError, refused } from "../errors.ts";
import { pageOf } from "../listing.ts";
import type { Post, PostStatus, Site, User } from "../model.ts";
import type { Call, Reply } from "../request.ts";
import { can, canDelete, canEdit, canRead } from "../roles.ts";
import { filterPost, filterTitle, guardTargets } from "../text/kses.ts";
import { slugOf, uniqueSlug } from "../text/slug.ts";
import { homeOf, restUrl } from "../twin.ts";
import { announce } from "../views.ts";
import { postView } from "../wire.ts";
import { applyMeta } from "./meta.ts";

const writable: readonly PostStatus[] = ["publish", "future", "draft", "pending", "private"];
const listable = [
  ..."publish future draft pending private trash auto-draft inherit".split(" "),
  ..."request-pending request-confirmed request-failed request-completed any".split(" "),
];

const writeArgs: Args = {
  date: { type: "date" },
  date_gmt: { type: "date" },
  slug: { type: "string" },
  status: { type: "string", among: writable },
  password: { type: "string" },
  author: { type: "integer" },
  featured_media: { type: "integer" },
  comment_status: { type: "string", among: ["open", "closed"] },
  ping_status: { type: "string", among: ["open", "closed"] },
  sticky: { type: "boolean" },
  template: { type: "string" },
  categories: { type: "integers" },
  tags: { type: "integers" },
};

const listArgs: Args = {
  ...pageArgs,
  after: { type: "date" },
  before: { type: "date" },
  author: { type: "integers" },
  status: { type: "list", among: listable },
  categories: { type: "integers" },
  tags: { type: "integers" },
  order: { type: "string", among: ["asc", "desc"] },
};

export async function createPost(call: Call): Promise<Reply> {
  const { site, user, params, wordpress } = call;
  checkArgs(writeArgs, params);
  checkMetaShape(params.meta);
  if (params.id) throw new RestError(400, "rest_post_exists", "Cannot create existing post.");
  if (params.author !== undefined && Number(params.author) !== user?.id && !can(user, "edit_others_posts"))
    throw refused(
      user,
      "rest_cannot_edit_others",
      "Sorry, you are not allowed to create posts as this user.",
    );
  if (!user || !can(user, "edit_posts"))
    throw refused(user, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
  checkStatus(user, params.status);
  const wanted = textsOf(call);
  if (!wanted.title && !wanted.content && !wanted.excerpt)
    throw new RestError(400, "empty_content", "Content, title, and excerpt are empty.");
  checkAuthor(site, params.author);
  checkSticky(params);

  const now = wordpress.context.clock.now();
  const date = dateOf(site, params) ?? now;
  const status = statusAt(params.status ?? "draft", date, now);
  const id = site.lastId + 1;
  const post: Post = {
    id,
    author: params.author === undefined ? user.id : Number(params.author),
    title: wanted.title ?? "",
    content: wanted.content ?? "",
    excerpt: wanted.excerpt ?? "",
    status,
    slug: "",
    date,
    modified: now,
    guid: `${homeOf(wordpress, site)}/?p=${id}`,
    password: String(params.password ?? ""),
    categories: [],
    tags: [],
    featuredMedia: 0,
    commentStatus: params.comment_status === "closed" ? "closed" : "open",
    pingStatus: params.ping_status === "closed" ? "closed" : "open",
    sticky: truthy(params.sticky),
    format: "standard",
    template: "",
    meta: {},
    revisions: 0,
  };
  setSlug(site, user, post, params.slug);
  setTerms(site, post, params);
  setFeatured(site, post, params.featured_media);
  site.lastId = id;
  site.posts.push(post);
  // As in WordPress, a meta value of a wrong type is refused after the post has been stored.
  try {
    applyMeta(site, post, params.meta);
  } finally {
    announce(wordpress, site);
  }
  return {
    status: 201,
    body: postView(call, post, "edit"),
    headers: { location: restUrl(wordpress, site, `/wp/v2/posts/${id}`) },
    created: [String(id)],
  };
}

export async function updatePost(call: Call): Promise<Reply> {
  const { site, user, params, wordpress } = call;
  checkArgs(writeArgs, params);
  checkMetaShape(params.meta);
  const post = postOf(call);
  if (!user || !canEdit(user, post))
    throw refused(user, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
  if (params.author !== undefined && Number(params.author) !== user.id && !can(user, "edit_others_posts"))
    throw refused(
      user,
      "rest_cannot_edit_others",
      "Sorry, you are not allowed to update posts as this user.",
    );
  if (params.status !== post.status) checkStatus(user, params.status);
  checkAuthor(site, params.author);
  checkSticky(params);

  const now = wordpress.context.clock.now();
  const { title, content, excerpt } = textsOf(call);
  const changed = {
    ...post,
    title: title ?? post.title,
    content: content ?? post.content,
    excerpt: excerpt ?? post.excerpt,
  };
  if (!changed.title && !changed.content && !changed.excerpt)
    throw new RestError(400, "empty_content", "Content, title, and excerpt are empty.");
  const wasText = `${post.title}\n${post.content}\n${post.excerpt}`;
  Object.assign(post, { title: changed.title, content: changed.content, excerpt: changed.excerpt });
  if (`${post.title}\n${post.content}\n${post.excerpt}` !== wasText) {
    // A revision uses up an id.
    post.revisions += 1;
    site.lastId += 1;
  }
  const wasDraft = isUnpublished(post.status);
  const date = dateOf(site, params);
  // A draft without a date is published with the current time, not that of its creation.
  if (date !== undefined) post.date = date;
  else if (wasDraft && params.status === "publish") post.date = now;
  if (post.status === "trash" && params.status !== undefined && post.before) {
    post.slug = post.before.slug;
    delete post.before;
  }
  post.status = statusAt(params.status ?? post.status, post.date, now);
  post.modified = now;
  if (params.author !== undefined) post.author = Number(params.author);
  if (typeof params.password === "string") post.password = params.password;
  if (params.sticky !== undefined) post.sticky = truthy(params.sticky);
  if (params.comment_status === "open" || params.comment_status === "closed")
    post.commentStatus = params.comment_status;
  if (params.ping_status === "open" || params.ping_status === "closed") post.pingStatus = params.ping_status;
  setSlug(site, user, post, params.slug ?? post.slug);
  if (params.categories !== undefined || params.tags !== undefined) setTerms(site, post, params);
  setFeatured(site, post, params.featured_media);
  try {
    applyMeta(site, post, params.meta);
  } finally {
    announce(wordpress, site);
  }
  return { body: postView(call, post, "edit") };
}

export async function getPost(call: Call): Promise<Reply> {
  const { user, params } = call;
  checkArgs(pageArgs, params);
  const post = postOf(call);
  const context = params.context === "edit" ? "edit" : "view";
  if (context === "edit" && !canEdit(user, post))
    throw refused(user, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
  if (!canRead(user, post)) throw refused(user, "rest_forbidden", "Sorry, you are not allowed to do that.");
  const link = `<${postView(call, post, "view").link}>; rel="alternate"; type=text/html`;
  return { body: postView(call, post, context), headers: { link } };
}

export async function listPosts(call: Call): Promise<Reply> {
  const { site, user, params } = call;
  checkArgs(listArgs, params);
  const wanted = texts(params.status ?? "publish");
  if (wanted.some((status) => status !== "publish") && !can(user, "edit_posts"))
    throw invalidParams([
      [
        "status",
        {
          code: "rest_forbidden_status",
          message: "Status is forbidden.",
          data: { status: user ? 403 : 401 },
        },
      ],
    ]);
  if (params.context === "edit" && !can(user, "edit_posts"))
    throw refused(
      user,
      "rest_forbidden_context",
      "Sorry, you are not allowed to edit posts in this post type.",
    );
  const context = params.context === "edit" ? "edit" : "view";
  const found = site.posts.filter((post) => fits(site, post, params, wanted)).sort(newestFirst);
  if (params.order === "asc") found.reverse();
  // Posts that the caller may not read are left out of the page, but counted in the headers.
  const show = (post: Post) => (canRead(user, post) ? postView(call, post, context) : undefined);
  return pageOf(call, found, show, true);
}

export async function deletePost(call: Call): Promise<Reply> {
  const { site, user, params, wordpress } = call;
  checkArgs({ force: { type: "boolean" } }, params);
  const post = postOf(call);
  if (!canDelete(user, post))
    throw refused(user, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
  if (truthy(params.force)) {
    const { _links, ...previous } = postView(call, post, "edit");
    site.posts.splice(site.posts.indexOf(post), 1);
    announce(wordpress, site);
    return { body: { deleted: true, previous } };
  }
  if (post.status === "trash")
    throw new RestError(410, "rest_already_trashed", "The post has already been deleted.");
  post.before = { status: post.status, slug: post.slug };
  post.slug = post.slug && `${post.slug}__trashed`;
  post.status = "trash";
  post.modified = wordpress.context.clock.now();
  announce(wordpress, site);
  return { body: postView(call, post, "edit") };
}

export function postOf({ site, params }: Call): Post {
  const post = site.posts.find(({ id }) => id === Number(params.id));
  if (!post) throw new RestError(404, "rest_post_invalid_id", "Invalid post ID.");
  return post;
}

/** Scheduled posts are published when somebody makes a request, as WP-Cron does. */
export function publishDue(site: Site, now: number): Post[] {
  const due = site.posts.filter((post) => post.status === "future" && post.date <= now);
  for (const post of due) post.status = "publish";
  return due;
}

function textsOf({ user, params }: Call): { title?: string; content?: string; excerpt?: string } {
  const free = can(user, "unfiltered_html");
  const title = rawText(params.title);
  const content = rawText(params.content);
  const excerpt = rawText(params.excerpt);
  const body = (html: string) => (free ? guardTargets(html) : filterPost(guardTargets(html)));
  return {
    ...(title !== undefined && { title: (free ? title : filterTitle(title)).trim() }),
    ...(content !== undefined && { content: body(content) }),
    ...(excerpt !== undefined && { excerpt: body(excerpt) }),
  };
}

function checkMetaShape(meta: unknown): void {
  if (meta === undefined || meta === null || (typeof meta === "object" && meta !== null)) return;
  throw new RestError(400, "rest_invalid_param", "Invalid parameter(s): %s", {
    values: ["meta"],
    data: { params: { meta: "Invalid parameter." }, details: [] },
  });
}

function checkStatus(user: User, status: unknown): void {
  const needs = status === "publish" || status === "future" || status === "private";
  if (!needs || can(user, "publish_posts")) return;
  throw refused(
    user,
    "rest_cannot_publish",
    status === "private"
      ? "Sorry, you are not allowed to create private posts in this post type."
      : "Sorry, you are not allowed to publish posts in this post type.",
  );
}

function checkAuthor(site: Site, author: unknown): void {
  if (author === undefined || site.users.some(({ id }) => id === Number(author))) return;
  throw new RestError(400, "rest_invalid_author", "Invalid author ID.");
}

function checkSticky({ sticky, password }: Call["params"]): void {
  if (truthy(sticky) && password)
    throw new RestError(400, "rest_invalid_field", "A post can not be sticky and have a password.");
}

function dateOf({ options }: Site, { date, date_gmt }: Call["params"]): number | undefined {
  if (typeof date === "string") return readDate(date, options.timezone);
  return typeof date_gmt === "string" ? readDate(date_gmt, "UTC") : undefined;
}

function statusAt(wanted: unknown, date: number, now: number): PostStatus {
  const status = writable.find((each) => each === wanted) ?? "draft";
  if (status === "publish" && date > now) return "future";
  return status === "future" && date <= now ? "publish" : status;
}

const isUnpublished = (status: PostStatus) =>
  status === "draft" || status === "pending" || status === "trash";

function setSlug(site: Site, user: User, post: Post, wanted: unknown): void {
  // Users who may not publish cannot choose the slug of a pending post.
  const mayChoose = post.status !== "pending" || can(user, "publish_posts");
  const given = mayChoose && typeof wanted === "string" ? slugOf(wanted) : "";
  const slug = given || (isUnpublished(post.status) ? "" : slugOf(post.title) || String(post.id));
  post.slug = slug && uniqueSlug(slug, (each) => isTaken(site, each, post));
}

function isTaken(site: Site, slug: string, post: Post): boolean {
  return (
    site.posts.some((other) => other !== post && other.slug === slug) ||
    site.media.some((media) => media.slug === slug)
  );
}

function setTerms(site: Site, post: Post, { categories, tags }: Call["params"]): void {
  const known = (ids: number[], taxonomy: string) =>
    [...new Set(ids)].filter((id) => site.terms.some((term) => term.id === id && term.taxonomy === taxonomy));
  if (categories !== undefined) post.categories = known(integers(categories), "category");
  // A post without a category gets the default one; one with only unknown categories gets none.
  else if (post.categories.length === 0) post.categories = [1];
  if (categories !== undefined && integers(categories).length === 0) post.categories = [1];
  if (tags !== undefined) post.tags = known(integers(tags), "post_tag");
}

/** An unknown picture is silently ignored. */
function setFeatured(site: Site, post: Post, featured: unknown): void {
  if (featured === undefined) return;
  const media = site.media.find(({ id, mime }) => id === Number(featured) && mime.startsWith("image/"));
  if (media || Number(featured) === 0) post.featuredMedia = media?.id ?? 0;
}

function fits(site: Site, post: Post, params: Call["params"], statuses: readonly string[]): boolean {
  const matches = statuses.includes("any") ? post.status !== "trash" : statuses.includes(post.status);
  const zone = site.options.timezone;
  const after = typeof params.after === "string" ? readDate(params.after, zone) : undefined;
  const before = typeof params.before === "string" ? readDate(params.before, zone) : undefined;
  const haystack = `${post.title}\n${post.content}\n${post.excerpt}`.toLowerCase();
  const words =
    typeof params.search === "string" ? params.search.toLowerCase().split(/\s+/).filter(Boolean) : [];
  return (
    matches &&
    (params.slug === undefined || texts(params.slug).map(slugOf).includes(post.slug)) &&
    (params.include === undefined || integers(params.include).includes(post.id)) &&
    (params.author === undefined || integers(params.author).includes(post.author)) &&
    (params.categories === undefined ||
      integers(params.categories).some((id) => post.categories.includes(id))) &&
    (params.tags === undefined || integers(params.tags).some((id) => post.tags.includes(id))) &&
    (after === undefined || post.date > after) &&
    (before === undefined || post.date < before) &&
    words.every((word) => haystack.includes(word))
  );
}

const newestFirst = (one: Post, other: Post) => other.date - one.date || other.id - one.id;
