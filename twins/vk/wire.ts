import {
  type Attachment,
  type Group,
  levelOf,
  type Photo,
  type Post,
  type Token,
  type User,
} from "./model.ts";
import type { Vk } from "./twin.ts";

/** VK's names for the sizes of a photo, by its longer side. */
const sizes = [
  ["s", 75],
  ["m", 130],
  ["x", 604],
  ["y", 807],
  ["z", 1080],
  ["w", 2560],
] as const;

export function wirePhoto({ context }: Vk, photo: Photo) {
  const { width, height } = photo;
  const longer = Math.max(width, height);
  const url = `${context.options.baseUrl}${photo.blob.path}`;
  return {
    id: photo.id,
    owner_id: photo.ownerId,
    album_id: photo.albumId,
    user_id: photo.userId,
    access_key: photo.accessKey,
    date: seconds(photo.date),
    text: photo.caption,
    // Sizes larger than the photo are listed once, as the photo itself.
    sizes: sizes
      .filter((_, index) => index === 0 || longer > (sizes[index - 1]?.[1] ?? 0))
      .map(([type, side]) => {
        const scale = Math.min(1, side / longer);
        return { type, url, width: Math.round(width * scale), height: Math.round(height * scale) };
      }),
    orig_photo: { type: "base", url, width, height },
  };
}

export function wirePost(vk: Vk, post: Post) {
  const now = vk.context.clock.now();
  return {
    id: post.id,
    owner_id: post.ownerId,
    from_id: post.fromId,
    ...(post.signed && post.createdBy !== 0 && { signer_id: post.createdBy }),
    date: seconds(post.publishAt),
    ...(post.editedAt !== undefined && { edited: seconds(post.editedAt) }),
    post_type: post.publishAt > now ? "postpone" : "post",
    type: "post",
    text: post.text,
    attachments: post.attachments.map((each) => wireAttachment(vk, each)),
    marked_as_ads: post.ads ? 1 : 0,
    comments: { count: 0, can_post: post.closeComments ? 0 : 1 },
    likes: { count: 0, user_likes: 0, can_like: 1, can_publish: 1 },
    reposts: { count: 0, user_reposted: 0 },
    views: { count: 0 },
    is_favorite: false,
    ...(post.copyright !== undefined && {
      copyright: { link: post.copyright, name: post.copyright, type: "external_link" },
    }),
  };
}

function wireAttachment(vk: Vk, attachment: Attachment) {
  if (attachment.type === "link") {
    const { url, title = "" } = attachment;
    const caption = new URL(url).host;
    return { type: "link", link: { url, title, caption, description: "", is_favorite: false } };
  }
  const photo = vk.store.photo(attachment.ownerId, attachment.id);
  return { type: "photo", photo: photo && wirePhoto(vk, photo) };
}

export function wireUser({ id, first_name, last_name, screen_name, state }: User) {
  return {
    id,
    first_name,
    last_name,
    screen_name,
    ...(state === "active"
      ? { can_access_closed: true, is_closed: false }
      : { deactivated: state === "deleted" ? "deleted" : "banned" }),
  };
}

export function wireGroup({ context }: Vk, group: Group, token: Token) {
  const level = levelOf(group, token.userId);
  const own = token.groupId === group.id;
  const photo = `${context.options.baseUrl}/vk/avatar/${group.id}.svg`;
  return {
    id: group.id,
    name: group.name,
    screen_name: group.screen_name,
    is_closed: group.is_closed,
    type: group.type,
    ...(!own &&
      token.userId !== undefined && {
        is_admin: level > 0 ? 1 : 0,
        is_member: level > 0 || group.members.includes(token.userId) ? 1 : 0,
        is_advertiser: level === 3 ? 1 : 0,
        ...(level > 0 && { admin_level: level }),
      }),
    photo_50: photo,
    photo_100: photo,
    photo_200: photo,
  };
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
