import { z } from "zod";
import type { SendError } from "../contract.ts";
import { idShape, ifReadable, readableItems } from "../if-readable.ts";
import { call, type Line } from "./client.ts";
import { clockSlackMs, listsRead, postsListed } from "./limits.ts";

/** A post as the site shows it to its editors; only its number is required. */
export const postShape = z.object({
  id: idShape,
  link: ifReadable(z.string()),
  status: ifReadable(z.string()),
  date_gmt: ifReadable(z.string()),
  featured_media: ifReadable(z.int()),
  meta: ifReadable(z.record(z.string(), z.unknown())),
  content: ifReadable(z.object({ raw: ifReadable(z.string()), rendered: ifReadable(z.string()) })),
});
export type SitePost = z.infer<typeof postShape>;

export type LookedUp =
  | { readonly kind: "found"; readonly post: SitePost }
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly error: SendError };

/** A post in the trash has arrived, too. */
const everyStatus = "publish,future,draft,pending,private,trash";

/**
 * Looks for the post of a delivery: among posts since its first attempt whose slug is the given one, or that with a
 * number, the one with the delivery's marker.
 */
export async function lookUp(
  { slug, marker, since }: { readonly slug: string; readonly marker: string; readonly since: Date },
  line: Line,
): Promise<LookedUp> {
  const candidates = await addressedLike(slug, since, line);
  if ("error" in candidates) return { kind: "unavailable", error: candidates.error };
  for (let from = 0; from < candidates.ids.length; from += postsRead) {
    const query = {
      include: candidates.ids.slice(from, from + postsRead).join(","),
      status: everyStatus,
      context: "edit",
      per_page: postsRead,
      _fields: "id,link,status,date_gmt,featured_media,meta,content",
    };
    const reply = await call({ method: "GET", route: "/wp/v2/posts", query }, readableItems(postShape), line);
    if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
    const post = reply.result.find(({ content }) =>
      (content?.raw ?? content?.rendered ?? "").includes(marker),
    );
    if (post) return { kind: "found", post };
  }
  return { kind: "absent" };
}

/** Whole posts are long, so they are read a few at a time. */
const postsRead = 10;

const listedShape = readableItems(z.object({ id: idShape, slug: ifReadable(z.string()) }));

async function addressedLike(
  slug: string,
  since: Date,
  line: Line,
): Promise<{ readonly ids: readonly string[] } | { readonly error: SendError }> {
  const ids: string[] = [];
  for (let page = 1; page <= listsRead; page++) {
    const query = {
      after: new Date(since.getTime() - clockSlackMs).toISOString(),
      status: everyStatus,
      per_page: postsListed,
      page,
      _fields: "id,slug",
    };
    const reply = await call({ method: "GET", route: "/wp/v2/posts", query }, listedShape, line);
    if (reply.kind !== "ok") return { error: reply.error };
    ids.push(...reply.result.filter((post) => isAddress(post.slug ?? "", slug)).map(({ id }) => id));
    if (page >= Number(reply.headers["x-wp-totalpages"] ?? 1)) return { ids };
  }
  const message = `more than ${listsRead * postsListed} posts have come since the first try`;
  return { error: { category: "PERMANENT", scope: "delivery", code: "cannot_look_up", message } };
}

/** Users who may not choose a slug have posts without one. */
function isAddress(given: string, slug: string): boolean {
  const plain = given.replace(/__trashed(?:-\d+)?$/, "");
  return (
    plain === "" ||
    plain === slug ||
    (plain.startsWith(`${slug}-`) && /^\d+$/.test(plain.slice(slug.length + 1)))
  );
}
