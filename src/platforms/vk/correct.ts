import { z } from "zod";
import type {
  CheckContext,
  Compiled,
  CorrectionRefusal,
  CorrectionRules,
  Outcome,
  Posted,
  SendContext,
  SendError,
} from "../contract.ts";
import { trackProgress } from "../progress.ts";
import { sendSeries } from "../send-series.ts";
import { type WithToken, withToken } from "../token-credential.ts";
import { type Connection, call, type VkSettings } from "./client.ts";
import { editableMs } from "./limits.ts";
import { withoutDoubt } from "./send.ts";
import { groupIdOf, ownerOf, postShape } from "./wall.ts";
import { writePost } from "./write-post.ts";

/** What VK refuses for certain, told before it is asked. */
export function corrections(settings: VkSettings): CorrectionRules {
  return {
    editRefusal(posted, next, now) {
      if (now.getTime() - posted.sentAt.getTime() > editableMs)
        return { code: "edit_too_late", message: "VK lets a post be changed for 24 hours after it appeared" };
      if (next.requests.length > posted.providerMessageIds.length)
        return {
          code: "more_messages",
          message: "the new post needs more posts than the old one has, and VK cannot insert one",
        };
      return idsRefusal(posted);
    },
    removeRefusal: idsRefusal,
    accountCheck: (context) => keyRefusal({ settings, context: withToken(context) }),
  };
}

/** Only a community's key has rights of its own to tell of, and it may neither change posts nor take them back. */
async function keyRefusal(
  connection: Connection<WithToken<CheckContext>>,
): Promise<CorrectionRefusal | undefined> {
  const reply = await call("groups.getTokenPermissions", {}, z.unknown(), connection);
  if (reply.kind !== "ok") return undefined;
  return {
    code: "person_key_needed",
    message:
      "VK lets a community's key neither change posts nor take them back: do it on the wall by hand, or give the channel a person's key",
  };
}

function idsRefusal({ compiled, providerMessageIds }: Posted): CorrectionRefusal | undefined {
  if (providerMessageIds.length === compiled.requests.length) return undefined;
  return { code: "message_ids_unknown", message: "VK's numbers of some posts are not on record" };
}

/** Replaces text and pictures as a whole, and deletes posts that are no longer needed. */
export async function edit(next: Compiled, posted: Posted, connection: Connection): Promise<Outcome> {
  const { settings, context } = connection;
  const group = await groupIdOf(connection);
  if (group.kind !== "ok") return { kind: "failed", error: withoutDoubt(group.error) };
  // All parts are written each time, so that a repeated edit changes nothing.
  const progress = trackProgress([], async () => {});
  const changed = await sendSeries(next, { ...context, progress }, async (request, paced) => {
    const post_id = posted.providerMessageIds[next.requests.indexOf(request)] ?? "";
    const writing = { method: "wall.edit", groupId: group.result, params: { post_id } } as const;
    return writePost(request, writing, { settings, context: paced });
  });
  if (changed.kind !== "sent") return changed;
  const surplus = posted.providerMessageIds.slice(next.requests.length);
  return (await takeDown(surplus, group.result, connection)) ?? changed;
}

export async function remove({ providerMessageIds }: Posted, connection: Connection): Promise<Outcome> {
  const group = await groupIdOf(connection);
  if (group.kind !== "ok") return { kind: "failed", error: withoutDoubt(group.error) };
  const missed = await takeDown(providerMessageIds, group.result, connection);
  const [providerMessageId = ""] = providerMessageIds;
  return missed ?? { kind: "sent", providerMessageId, raw: { removed: providerMessageIds } };
}

/** Deletes one by one, from the last, so that readers never see the beginning missing. Returns the error, if any. */
async function takeDown(
  ids: readonly string[],
  groupId: number,
  connection: Connection<WithToken<SendContext>>,
): Promise<Exclude<Outcome, { kind: "sent" }> | undefined> {
  const owner_id = ownerOf(groupId);
  for (const [index, post_id] of ids.toReversed().entries()) {
    if (index > 0) await connection.context.turn?.();
    const reply = await call("wall.delete", { owner_id, post_id }, z.literal(1), connection);
    if (reply.kind === "ok" || (await isGone(reply.error, `${owner_id}_${post_id}`, connection))) continue;
    return reply;
  }
  return undefined;
}

const foundShape = z.union([
  z.object({ items: z.array(postShape) }).transform(({ items }) => items),
  z.array(postShape),
]);

/** VK has one number for a deleted post and for one without access, so the wall is checked. */
async function isGone({ code }: SendError, post: string, connection: Connection): Promise<boolean> {
  if (code !== "post_unavailable") return false;
  const reply = await call("wall.getById", { posts: post }, foundShape, connection);
  return reply.kind === "ok" && reply.result.length === 0;
}
