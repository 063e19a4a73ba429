import { RestError, refused } from "../errors.ts";
import type { Post, Site } from "../model.ts";
import type { Call, Reply } from "../request.ts";
import { canEdit } from "../roles.ts";
import { announce } from "../views.ts";

/** Keys that REST shows; others are silently ignored. */
export function shownMeta(site: Site, post: Post): Record<string, unknown> {
  const keys = [...site.options.registeredMeta, "footnotes"];
  return Object.fromEntries(keys.map((key) => [key, post.meta[key] ?? ""]));
}

export function applyMeta(site: Site, post: Post, meta: unknown): void {
  if (typeof meta !== "object" || meta === null) return;
  for (const [key, value] of Object.entries(meta)) {
    if (!site.options.registeredMeta.includes(key) && key !== "footnotes") continue;
    if (value === null) delete post.meta[key];
    else if (typeof value === "string") post.meta[key] = value;
    else {
      const param = `meta.${key}`;
      throw new RestError(400, "rest_invalid_type", `${param} is not of type string.`, {
        more: { additional_data: [{ param }] },
      });
    }
  }
}

/** Rank Math's own route, which writes what `meta` does not accept. An empty value removes the key. */
export async function updateRankMath({ site, user, params, wordpress }: Call): Promise<Reply> {
  const post = site.posts.find(({ id }) => id === Number(params.objectID));
  if (params.objectType !== "post" || !post || !canEdit(user, post))
    throw refused(user, "rest_forbidden", "Sorry, you are not allowed to do that.");
  const meta = typeof params.meta === "object" && params.meta !== null ? params.meta : {};
  for (const [key, value] of Object.entries(meta)) {
    if (value === "" || value === null) delete post.meta[key];
    else post.meta[key] = value;
  }
  announce(wordpress, site);
  return { body: { slug: true, schemas: [] } };
}
