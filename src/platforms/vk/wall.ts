import { z } from "zod";
import type { SendContext } from "../contract.ts";
import { idShape, ifReadable, readableItems } from "../if-readable.ts";
import type { WithToken } from "../token-credential.ts";
import { type CallContext, type Connection, call, type Reply } from "./client.ts";
import { communityOf } from "./target.ts";

/** `owner_id` of a community is its number with a minus. */
export const ownerOf = (groupId: number): number => -groupId;

export const postUrl = (groupId: number, postId: string): string =>
  `https://vk.com/wall${ownerOf(groupId)}_${postId}`;

export const groupShape = z.object({
  id: z.int().positive(),
  name: ifReadable(z.string()),
  screen_name: ifReadable(z.string()),
  deactivated: ifReadable(z.string()),
  is_admin: ifReadable(z.int()),
  admin_level: ifReadable(z.int()),
  members_count: ifReadable(z.int()),
  wall: ifReadable(z.int()),
});
export type Group = z.infer<typeof groupShape>;

/** Since 5.139 the groups are in a field; before, the answer was a bare list. */
const groupsShape = z
  .union([
    z.object({ groups: readableItems(groupShape) }).transform(({ groups }) => groups),
    readableItems(groupShape),
  ])
  .transform(([group], context) => {
    if (group) return group;
    context.addIssue("no group in the answer");
    return z.NEVER;
  });

/** A community by number or short name; without a name, the community of the key itself. */
export function groupNamed(
  name: string | number | undefined,
  connection: Connection<CallContext>,
): Promise<Reply<Group>> {
  const params = { ...(name !== undefined && { group_id: name }), fields: "members_count,wall" };
  return call("groups.getById", params, groupsShape, connection);
}

/** The number of the channel's community, looked up if only its short name is known. */
export async function groupIdOf(
  connection: Connection<WithToken<Pick<SendContext, "channel" | "http" | "clock" | "signal">>>,
): Promise<Reply<number>> {
  const community = communityOf(connection.context.channel.targetId);
  if ("id" in community) return { kind: "ok", result: community.id };
  const reply = await groupNamed(community.name, connection);
  return reply.kind === "ok" ? { kind: "ok", result: reply.result.id } : reply;
}

/** The fields that we read of a wall post; only its id is required. */
export const postShape = z.object({
  id: idShape,
  /** In seconds; if missing, the time of the post is unknown. */
  date: ifReadable(z.int()),
  text: ifReadable(z.string()),
  attachments: ifReadable(
    readableItems(
      z.object({
        type: z.string(),
        photo: ifReadable(z.object({ id: z.int(), owner_id: z.int() })),
      }),
    ),
  ),
});
export type WallPost = z.infer<typeof postShape>;

/** A page of a wall. Its length includes posts that cannot be parsed, as VK counts them. */
export const wallShape = z.object({ items: z.array(z.unknown()) }).transform(({ items }) => ({
  length: items.length,
  posts: readableItems(postShape).parse(items),
}));

export const photosOf = ({ attachments }: WallPost): string[] =>
  (attachments ?? []).flatMap(({ type, photo }) =>
    type === "photo" ? [photo ? `photo${photo.owner_id}_${photo.id}` : "photo"] : [],
  );
