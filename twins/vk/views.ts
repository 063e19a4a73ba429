import { type ChatView, linksIn, type MarkView, type MessageView } from "../shared/index.ts";
import { type Group, type Post, wallName } from "./model.ts";
import type { Vk } from "./twin.ts";

/** Walls for the list of chats: every community, and people who have written on their own wall. */
export function chatViews(vk: Vk): ChatView[] {
  const { groups, users } = vk.store.world;
  return [
    ...groups.map((group) => chatView(vk, -group.id, group.name, group)),
    ...users
      .filter(({ id }) => vk.store.wall(id).length > 0)
      .map((user) => chatView(vk, user.id, `${user.first_name} ${user.last_name}`)),
  ];
}

function chatView(vk: Vk, ownerId: number, title: string, group?: Group): ChatView {
  const posts = vk.store.wall(ownerId);
  const last = posts.at(-1);
  return {
    provider: "vk",
    id: wallName(ownerId),
    title,
    kind: "channel",
    ...(group && { username: group.screen_name }),
    writable: false,
    ...(last && { last: { text: last.text || "Фотография", at: last.createdAt } }),
    count: posts.length,
  };
}

export function messageView(vk: Vk, post: Post): MessageView {
  const link = post.attachments.find((each) => each.type === "link");
  return {
    id: String(post.id),
    at: post.publishAt,
    author: { name: nameOf(vk, post.fromId), bot: true, mine: false },
    text: post.text,
    marks: marksIn(post.text),
    media: post.attachments.flatMap((each) => {
      const photo = each.type === "photo" ? vk.store.photo(each.ownerId, each.id) : undefined;
      return photo
        ? [
            {
              kind: "photo" as const,
              url: photo.blob.path,
              width: photo.width,
              height: photo.height,
              size: photo.blob.size,
            },
          ]
        : [];
    }),
    buttons: [],
    ...(link && { linkPreview: { url: link.url } }),
    edited: post.editedAt !== undefined,
    silent: false,
    protected: false,
    views: 0,
  };
}

function marksIn(text: string): MarkView[] {
  return linksIn(text).map(({ url, at }) => ({ type: "link", offset: at, length: url.length, url }));
}

/** A community's or a person's name. */
export function nameOf({ store }: Vk, id: number): string {
  const user = store.user(id);
  return id < 0
    ? (store.group(-id)?.name ?? `club${-id}`)
    : user
      ? `${user.first_name} ${user.last_name}`
      : `id${id}`;
}

/** A post is new or has changed. */
export function tellOfPost(vk: Vk, post: Post): void {
  const chatId = wallName(post.ownerId);
  const chat = chatViews(vk).find(({ id }) => id === chatId);
  if (chat) vk.context.bus.publish({ type: "chat", provider: "vk", chat });
  vk.context.bus.publish({ type: "message", provider: "vk", chatId, message: messageView(vk, post) });
}
