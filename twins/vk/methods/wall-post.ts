import { type Content, contentOf } from "../content.ts";
import { refuse } from "../errors.ts";
import { ads, dayMs, lifetimes } from "../limits.ts";
import type { Post, Token } from "../model.ts";
import type { Params } from "../params.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { tellOfPost } from "../views.ts";
import { authorOn, wallOf } from "../wall-access.ts";

export function wallPost(vk: Vk, { token, params }: Call): Reply {
  const { store, context } = vk;
  const wall = wallOf(vk, token, params);
  const fromId = authorOn(wall, token, params.flag("from_group"));
  const content = contentOf(vk, token, params, wall.group);
  const publishAt = publishTime(vk, wall.ownerId, params);
  const asAd = params.flag("mark_as_ads");

  const guid = params.text("guid");
  const earlier = guid ? repeated(vk, wall.ownerId, token, guid, content) : undefined;
  if (earlier && store.world.options.guid_repeat === "refused") throw refuse(100, "guid was already used");
  if (earlier && store.world.options.guid_repeat === "first") return { response: { post_id: earlier.id } };

  if (asAd) checkAds(vk, wall.ownerId);
  checkQuotas(vk, wall.ownerId, publishAt);

  const copyright = params.text("copyright");
  const post: Post = {
    id: store.newId(),
    ownerId: wall.ownerId,
    fromId,
    createdBy: token.userId ?? 0,
    createdAt: context.clock.now(),
    publishAt: publishAt ?? context.clock.now(),
    ...content,
    signed: params.flag("signed"),
    closeComments: params.flag("close_comments"),
    ads: asAd,
    ...(copyright && { copyright }),
    ...(guid && { guid }),
    deleted: false,
  };
  store.world.posts.push(post);
  store.changed();
  tellOfPost(vk, post);
  return { response: { post_id: post.id }, created: [String(post.id)] };
}

/** When a scheduled post is published; undefined for a post that appears at once. */
export function publishTime({ store, context }: Vk, ownerId: number, params: Params): number | undefined {
  const seconds = params.count("publish_date");
  if (seconds === undefined || seconds === 0) return undefined;
  const at = seconds * 1000;
  const now = context.clock.now();
  if (at <= now || at > now + lifetimes.planAheadMs) throw refuse(100, "publish_date is invalid");
  const taken = store
    .wall(ownerId)
    .some((post) => post.publishAt === at && post.id !== params.count("post_id"));
  if (taken) throw refuse(214, "a post is already scheduled for this time");
  return at;
}

/** The post that the same call has created before. Another text or wall makes another post, even with the same guid. */
function repeated(
  { store, context }: Vk,
  ownerId: number,
  token: Token,
  guid: string,
  { text, attachments }: Content,
): Post | undefined {
  const since = context.clock.now() - store.world.options.guid_seconds * 1000;
  const content = JSON.stringify(attachments);
  return store.world.posts.find(
    (post) =>
      post.guid === guid &&
      post.ownerId === ownerId &&
      post.createdBy === (token.userId ?? 0) &&
      post.createdAt > since &&
      post.text === text &&
      JSON.stringify(post.attachments) === content,
  );
}

function checkAds({ store, context }: Vk, ownerId: number): void {
  const now = context.clock.now();
  const published = store.wall(ownerId).filter((post) => post.ads && post.createdAt > now - dayMs);
  if (published.some((post) => post.createdAt > now - ads.restMs)) throw refuse(219);
  if (published.length >= ads.perDay) throw refuse(224);
}

function checkQuotas({ store, context }: Vk, ownerId: number, publishAt: number | undefined): void {
  if (!context.options.rateLimits) return;
  const { posts_per_day, postponed_posts } = store.world.options;
  const now = context.clock.now();
  const wall = store.wall(ownerId);
  if (publishAt !== undefined) {
    const waiting = wall.filter((post) => post.publishAt > now).length;
    if (waiting >= postponed_posts) {
      throw refuse(214, `a maximum of ${postponed_posts} posts can be scheduled`);
    }
    return;
  }
  const today = wall.filter((post) => post.createdAt > now - dayMs).length;
  if (today >= posts_per_day) throw refuse(214, `you can only add ${posts_per_day} posts a day`);
}
