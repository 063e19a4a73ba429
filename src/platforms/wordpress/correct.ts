import { z } from "zod";
import { createLossLog } from "../../content/index.ts";
import type {
  Compiled,
  CorrectionRefusal,
  CorrectionRules,
  Outcome,
  Posted,
  SendContext,
} from "../contract.ts";
import { afterTheFirst } from "../send-series.ts";
import { codeIn } from "./classify.ts";
import { call, type Line, withoutDoubt } from "./client.ts";
import { postShape, type SitePost } from "./look-up.ts";
import { markerIn, markerOf } from "./marker.ts";
import { type Page, pageShape } from "./page.ts";
import { pageJson } from "./page-json.ts";
import { atSite, type Desk } from "./send.ts";
import { lineTo, type Site } from "./site.ts";
import { arrived, toldBy } from "./write-page.ts";

/** A page can be changed and removed at any age; whether the account still may is known only from the site's answer. */
export const corrections: CorrectionRules = { editRefusal: idRefusal, removeRefusal: idRefusal };

function idRefusal({ providerMessageIds }: Posted): CorrectionRefusal | undefined {
  if (providerMessageIds.length === 1 && /^\d+$/.test(providerMessageIds[0] ?? "")) return undefined;
  return { code: "message_ids_unknown", message: "the site's number of the post is not on record" };
}

/** Replaces text, pictures and terms; address, state and date stay, and so does the delivery's marker. */
export function edit(next: Compiled, posted: Posted, context: SendContext, desk: Desk): Promise<Outcome> {
  return atSite(context, desk, (site) =>
    editAt(next, posted, { site, line: lineTo(site, desk.settings, context), context }),
  );
}

interface At {
  readonly site: Site;
  readonly line: Line;
  readonly context: SendContext;
}

async function editAt(next: Compiled, posted: Posted, at: At): Promise<Outcome> {
  const { line, context } = at;
  const [request] = next.requests;
  const [postId = ""] = posted.providerMessageIds;
  if (!request) throw new Error("a compiled post without requests cannot be written");
  const standing = await read(postId, line);
  if ("error" in standing) return { kind: "failed", error: standing.error };

  const losses = createLossLog();
  const page = pageShape.parse(request.body);
  const marker = markerIn(standing.post.content?.raw ?? "") ?? markerOf(context.idempotencyKey);
  const publishedAt = `${standing.post.date_gmt ?? context.clock.now().toISOString().slice(0, 19)}Z`;
  const paced = { ...context, turn: afterTheFirst(context.turn) };
  const written = await pageJson(page, request, { marker, publishedAt }, { ...at, context: paced, losses });
  if ("kind" in written) return written;
  await paced.turn();
  const json = { ...written.json, ...withoutLabels(page, posted) };
  const route = `/wp/v2/posts/${postId}`;
  const reply = await call({ method: "POST", route, json }, postShape, line);
  if (reply.kind !== "ok") return reply;
  const { message } = await arrived(reply.result, page, written.featuredId, { ...at, losses });
  const { id: providerMessageId, url } = message;
  return { kind: "sent", providerMessageId, ...(url && { url }), raw: { edited: postId }, ...toldBy(losses) };
}

/** Categories and tags of the old page that the new one does not have; those that the owner added by hand stay. */
function withoutLabels(
  page: Page,
  { compiled, mayDiffer }: Posted,
): { categories?: number[]; tags?: number[] } {
  const old = pageShape.safeParse(compiled.requests[0]?.body).data;
  const had = (labels: readonly string[] | undefined) => mayDiffer || (labels?.length ?? 0) > 0;
  return {
    ...(!page.categories && had(old?.categories) && { categories: [] }),
    ...(!page.tags && had(old?.tags) && { tags: [] }),
  };
}

const lost = {
  category: "PERMANENT",
  scope: "delivery",
  code: "post_unavailable",
  message: "the post lies in the site's trash: restore it there before it is changed",
} as const;

async function read(
  postId: string,
  line: Line,
): Promise<{ readonly post: SitePost } | Pick<Extract<Outcome, { kind: "failed" }>, "error">> {
  const query = { context: "edit", _fields: "id,status,date_gmt,content" };
  const reply = await call({ method: "GET", route: `/wp/v2/posts/${postId}`, query }, postShape, line);
  if (reply.kind !== "ok") return withoutDoubt(reply);
  return reply.result.status === "trash" ? { error: lost } : { post: reply.result };
}

/** Moves the page to the trash, from which the owner may restore it; a site without a trash deletes it for good. */
export function remove(posted: Posted, context: SendContext, desk: Desk): Promise<Outcome> {
  return atSite(context, desk, async (site) => {
    const line = lineTo(site, desk.settings, context);
    const [postId = ""] = posted.providerMessageIds;
    const done: Outcome = { kind: "sent", providerMessageId: postId, raw: { removed: postId } };
    const asked = { method: "DELETE", route: `/wp/v2/posts/${postId}` } as const;
    const reply = await call(asked, z.unknown(), line);
    if (reply.kind === "ok" || reply.error.code === "post_unavailable") return done;
    if (codeIn(reply.error) !== "rest_trash_not_supported") return reply;
    const forGood = await call({ ...asked, query: { force: "true" } }, z.unknown(), line);
    return forGood.kind === "ok" || forGood.error.code === "post_unavailable" ? done : forGood;
  });
}
