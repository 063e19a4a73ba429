import { refuse } from "./errors.ts";
import { type Group, levelOf, type Post, type Token } from "./model.ts";
import type { Params } from "./params.ts";
import type { Vk } from "./twin.ts";

const editorLevel = 2;

/** The wall of a call, with its community. */
export interface Wall {
  readonly ownerId: number;
  readonly group?: Group;
}

/** The wall of `owner_id`; without it, the wall of the token's holder. */
export function wallOf({ store }: Vk, token: Token, params: Params): Wall {
  const ownerId = params.int("owner_id") ?? token.userId ?? -(token.groupId ?? 0);
  if (ownerId < 0) {
    const group = store.group(-ownerId);
    if (!group) throw refuse(100, "owner_id is invalid");
    if (group.wall === 0) throw refuse(15, "wall is disabled");
    return { ownerId, group };
  }
  const user = store.user(ownerId);
  if (!user) throw refuse(113);
  if (user.state !== "active") throw refuse(18);
  return { ownerId };
}

/** The author of a new post on this wall: the community, or the token's holder. */
export function authorOn({ ownerId, group }: Wall, token: Token, fromGroup: boolean): number {
  if (!group) {
    if (token.userId !== ownerId) throw refuse(214);
    return ownerId;
  }
  if (token.groupId !== undefined) {
    if (token.groupId !== group.id) throw refuse(15, "can't post to this wall");
    return ownerId;
  }
  const level = levelOf(group, token.userId);
  if (fromGroup && level < editorLevel) throw refuse(214, "access to adding post denied");
  const member = level > 0 || group.members.includes(token.userId ?? 0);
  if (group.is_closed > 0 && !member) throw refuse(15, "can't post to this wall");
  if (level < editorLevel && (group.wall !== 1 || group.type === "page")) {
    throw refuse(214, "access to adding post denied");
  }
  // On a public page everything that its editors write is by the page.
  return fromGroup || group.type === "page" ? ownerId : (token.userId ?? ownerId);
}

/** The post, if this token's holder may change it. */
export function ownPost(vk: Vk, wall: Wall, token: Token, postId: number): Post {
  const post = vk.store.post(wall.ownerId, postId);
  if (!post || post.deleted) throw refuse(210);
  const mine = post.createdBy === token.userId && post.createdBy !== 0;
  const rules = wall.group
    ? token.groupId === wall.group.id || levelOf(wall.group, token.userId) >= editorLevel
    : token.userId === wall.ownerId;
  if (!rules && !(mine && post.fromId === token.userId)) throw refuse(210);
  return post;
}

/** Whether a reader with this token sees scheduled posts. */
export function seesPlans(wall: Wall, token: Token): boolean {
  if (!wall.group) return token.userId === wall.ownerId;
  return token.groupId === wall.group.id || levelOf(wall.group, token.userId) >= editorLevel;
}

/** Only members see a closed community's wall. */
export function mayRead({ group }: Wall, token: Token): boolean {
  if (!group || group.is_closed === 0 || token.groupId === group.id) return true;
  return levelOf(group, token.userId) > 0 || group.members.includes(token.userId ?? 0);
}
