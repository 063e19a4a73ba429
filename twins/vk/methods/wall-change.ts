import { contentOf } from "../content.ts";
import { refuse } from "../errors.ts";
import { wallName } from "../model.ts";
import type { Call, Reply, Vk } from "../twin.ts";
import { tellOfPost } from "../views.ts";
import { ownPost, wallOf } from "../wall-access.ts";
import { publishTime } from "./wall-post.ts";

/** Replaces text and attachments as a whole: what an edit leaves out is removed from the post. */
export function wallEdit(vk: Vk, { token, params }: Call): Reply {
  const { store, context } = vk;
  const wall = wallOf(vk, token, params);
  const post = ownPost(vk, wall, token, params.needCount("post_id"));
  const now = context.clock.now();
  const planned = post.publishAt > now;
  if (!planned && now - post.publishAt > store.world.options.edit_hours * 3_600_000) {
    throw refuse(214, "edit time expired");
  }
  const content = contentOf(vk, token, params, wall.group);
  const publishAt = publishTime(vk, wall.ownerId, params);
  if (publishAt !== undefined && !planned) throw refuse(100, "publish_date: the post is published already");
  const copyright = params.text("copyright");
  Object.assign(post, content, {
    signed: params.flag("signed"),
    closeComments: params.flag("close_comments"),
    ads: params.flag("mark_as_ads"),
    ...(publishAt !== undefined && { publishAt }),
    ...(copyright !== undefined && { copyright }),
    // Readers have not seen the earlier version of a scheduled post.
    ...(!planned && { editedAt: now }),
  });
  store.changed();
  tellOfPost(vk, post);
  return { response: { post_id: post.id } };
}

export function wallDelete(vk: Vk, { token, params }: Call): Reply {
  const wall = wallOf(vk, token, params);
  const post = ownPost(vk, wall, token, params.needCount("post_id"));
  post.deleted = true;
  vk.store.changed();
  vk.context.bus.publish({
    type: "removed",
    provider: "vk",
    chatId: wallName(wall.ownerId),
    messageId: String(post.id),
  });
  return { response: 1 };
}
