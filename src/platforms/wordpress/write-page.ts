import type { Loss, LossLog } from "../../content/index.ts";
import type { CompiledRequest, SendContext } from "../contract.ts";
import type { RequestOutcome } from "../send-series.ts";
import { codeIn } from "./classify.ts";
import { call } from "./client.ts";
import { lookUp, postShape, type SitePost } from "./look-up.ts";
import { markerOf } from "./marker.ts";
import { type Page, pageShape } from "./page.ts";
import { pageJson, type Writing } from "./page-json.ts";
import { noteSeoLosses, tellRankMath } from "./seo.ts";

/** The page's slug; if the title cannot be written in Latin letters, the delivery's marker. */
export function slugFor({ slug }: Page, { idempotencyKey }: Pick<SendContext, "idempotencyKey">): string {
  return (
    slug || markerOf(idempotencyKey).slice("<!-- ".length, -" -->".length).replace(" ", "-").toLowerCase()
  );
}

/** Writes a new page. Whenever the site may have stored it before it refused, the page is looked for. */
export async function writePage(request: CompiledRequest, writing: Writing): Promise<RequestOutcome> {
  const { context, line } = writing;
  const page = pageShape.parse(request.body);
  const marker = markerOf(context.idempotencyKey);
  const date = publicationDate(page, context.clock.now());
  const publishedAt = (date ?? context.clock.now()).toISOString();
  const written = await pageJson(page, request, { marker, publishedAt }, writing);
  if ("kind" in written) return written;
  await context.turn?.();
  const slug = slugFor(page, context);
  const json = {
    ...written.json,
    slug,
    status: page.status,
    ...(date && { date_gmt: date.toISOString().slice(0, 19) }),
  };
  const reply = await create(json, writing);
  if (reply.kind === "ok") return arrived(reply.result, page, written.featuredId, writing);
  if (reply.kind === "unknown" || !mayBeStored(reply.error)) return reply;

  const looked = await lookUp({ slug, marker, since: context.since }, line);
  if (looked.kind === "found") return arrived(looked.post, page, written.featuredId, writing);
  if (looked.kind === "unavailable")
    return {
      kind: "unknown",
      error: { ...reply.error, category: "TRANSIENT", scope: "platform", code: "outcome_unknown" },
    };
  if (!isAboutMeta(reply.error)) return reply;
  const { meta: _, ...plain } = { meta: undefined, ...json };
  const again = await create(plain, writing);
  return again.kind === "ok" ? arrived(again.result, page, written.featuredId, writing) : again;
}

const create = (json: Readonly<Record<string, unknown>>, { line }: Writing) =>
  call({ method: "POST", route: "/wp/v2/posts", json }, postShape, line);

/** A plugin that crashes, or a field that a site refuses, fails the request after the post has been stored. */
const mayBeStored = (error: Parameters<typeof codeIn>[0]): boolean =>
  isAboutMeta(error) || error.code === "upstream_unavailable" || error.code === "unexpected_status";

const metaCodes: ReadonlySet<string | undefined> = new Set([
  "rest_cannot_update",
  "rest_invalid_type",
  "rest_meta_database_error",
]);
const isAboutMeta = (error: Parameters<typeof codeIn>[0]): boolean => metaCodes.has(codeIn(error));

export function publicationDate({ publish_at, publish_after_minutes }: Page, now: Date): Date | undefined {
  if (publish_at !== undefined) return new Date(publish_at);
  return publish_after_minutes === undefined
    ? undefined
    : new Date(now.getTime() + publish_after_minutes * 60_000);
}

/** Runs what follows after a page was stored: updates SEO plugins, and notes what the site has dropped. */
export async function arrived(
  post: SitePost,
  page: Page,
  featuredId: number | undefined,
  writing: Omit<Writing, "context">,
): Promise<Extract<RequestOutcome, { kind: "sent" }>> {
  const { site, line, losses } = writing;
  if (page.seo) {
    const rankMathTold = await tellRankMath(page.seo, post.id, site, line);
    noteSeoLosses(page.seo, post.meta ?? {}, { site, rankMathTold }, losses);
  }
  if (featuredId !== undefined && featuredId > 0 && post.featured_media !== featuredId)
    losses.add("cover_left_out");
  const { id, link, status } = post;
  return {
    kind: "sent",
    message: { id, ...(link !== undefined && { url: link }), raw: { ...(status && { status }) } },
  };
}

/** Losses that only the site could report. */
export const toldBy = (losses: LossLog): { losses?: readonly Loss[] } =>
  losses.losses.length > 0 ? { losses: losses.losses } : {};
