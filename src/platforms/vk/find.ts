import type { Compiled, CompiledRequest, Found, SendContext } from "../contract.ts";
import { fingerprint } from "../fingerprint.ts";
import { lookBack, type ReadBack, type Unavailable, unavailable } from "../look-back.ts";
import type { WithToken } from "../token-credential.ts";
import { type Connection, call, type VkSettings } from "./client.ts";
import { clockSlackMs, pagesRead, postsRead } from "./limits.ts";
import { mediaOrder } from "./pictures.ts";
import { groupIdOf, ownerOf, photosOf, postUrl, type WallPost, wallShape } from "./wall.ts";

interface ReadPost extends ReadBack {
  readonly photos: readonly string[];
}

/**
 * Checks whether a post arrived, by reading the wall. A community's key may not read it; then only the guid prevents
 * duplicates.
 */
export async function find(
  compiled: Compiled,
  context: WithToken<SendContext>,
  settings: VkSettings,
): Promise<Found> {
  const connection = { settings, context };
  const group = await groupIdOf(connection);
  if (group.kind !== "ok") return { kind: "unavailable", error: group.error };
  const groupId = group.result;
  return lookBack(compiled, context, {
    async alike(request) {
      const wall = await newestPosts(groupId, connection);
      if ("kind" in wall) return wall;
      const alike = wall.posts.filter((post) => fingerprintIn(post) === fingerprintOf(request));
      return { messages: alike.map((post) => asReadBack(post, groupId)) };
    },
    ownAmong: (posts, request) => ownAmong(posts, request, groupId, context),
  });
}

const asReadBack = (post: WallPost, groupId: number): ReadPost => ({
  id: post.id,
  url: postUrl(groupId, post.id),
  at: post.date === undefined ? undefined : post.date * 1000,
  photos: photosOf(post),
});

/**
 * A post is recognised by its text; pictures alone identify it only if they are the photos that were uploaded for it.
 */
async function ownAmong(
  posts: readonly ReadPost[],
  request: CompiledRequest,
  groupId: number,
  { media, token }: WithToken<SendContext>,
): Promise<ReadPost | undefined> {
  if (request.text.trim() !== "") return posts[0];
  const uploaded: string[] = [];
  for (const item of request.media) {
    const known = await media.known(item, mediaOrder(token, groupId));
    if (known === undefined) return undefined;
    uploaded.push(known);
  }
  return posts.find(({ photos }) => JSON.stringify(photos) === JSON.stringify(uploaded));
}

/**
 * Posts of the community since the first attempt, the oldest first, read page by page, because VK returns the newest
 * first.
 */
async function newestPosts(
  groupId: number,
  connection: Connection,
): Promise<{ readonly posts: readonly WallPost[] } | Unavailable> {
  const since = connection.context.since.getTime() - clockSlackMs;
  const isOlder = ({ date }: WallPost) => date !== undefined && date * 1000 < since;
  const posts = new Map<string, WallPost>();
  for (let page = 0; page < pagesRead; page++) {
    const params = {
      owner_id: ownerOf(groupId),
      filter: "owner",
      count: postsRead,
      offset: page * postsRead,
    };
    const reply = await call("wall.get", params, wallShape, connection);
    if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
    for (const post of reply.result.posts) posts.set(post.id, post);
    // An older post may be pinned at the top, so the last post of the page decides.
    const oldest = reply.result.posts.at(-1);
    if (reply.result.length < postsRead || (oldest && isOlder(oldest)))
      return { posts: [...posts.values()].filter((post) => !isOlder(post)).reverse() };
  }
  return unavailable(`the wall could not be read back to the first try: ${posts.size} posts have come since`);
}

const fingerprintOf = ({ body, media }: CompiledRequest): string =>
  fingerprint(
    typeof body.message === "string" ? body.message : "",
    media.map(() => "photo"),
  );

const fingerprintIn = (post: WallPost): string =>
  fingerprint(
    post.text ?? "",
    photosOf(post).map(() => "photo"),
  );
