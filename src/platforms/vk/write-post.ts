import { z } from "zod";
import type { CompiledRequest, SendError } from "../contract.ts";
import { idShape } from "../if-readable.ts";
import type { RequestOutcome } from "../send-series.ts";
import { numberOf } from "./classify.ts";
import { type Connection, call, type Params } from "./client.ts";
import { attach } from "./pictures.ts";
import { ownerOf, postUrl } from "./wall.ts";

/** How a post is written: as a new one, or over an existing one. */
export interface Writing {
  readonly method: "wall.post" | "wall.edit";
  readonly groupId: number;
  /** `guid` of a new post, `post_id` of one that is edited. */
  readonly params: Params;
}

const paramsShape = z.looseObject({}).catchall(z.union([z.string(), z.number()]));
const doneShape = z.object({ post_id: idShape });

/** Writes a post after uploading its pictures; a photo that VK has lost is uploaded once more. */
export async function writePost(
  request: CompiledRequest,
  writing: Writing,
  connection: Connection,
): Promise<RequestOutcome> {
  const outcome = await offer(request, writing, connection);
  return outcome.refused ? offer(request, writing, connection, outcome.refused) : outcome;
}

type Offered = RequestOutcome & { readonly refused?: readonly string[] };

async function offer(
  request: CompiledRequest,
  { method, groupId, params }: Writing,
  connection: Connection,
  refused: readonly string[] = [],
): Promise<Offered> {
  const pictures = await attach(request.media, groupId, connection, refused);
  if ("error" in pictures) return { kind: "failed", error: pictures.error };
  const body = paramsShape.parse(request.body);
  const attachments = [...pictures.attachments, ...(body.attachments ? [body.attachments] : [])].join(",");
  if (pictures.waited) await connection.context.turn?.();
  await connection.context.turn?.();
  const all = {
    owner_id: ownerOf(groupId),
    from_group: 1,
    ...body,
    ...(attachments !== "" && { attachments }),
    ...params,
  };
  const reply = await call(method, all, doneShape, connection);
  if (reply.kind === "ok") {
    const id = reply.result.post_id;
    return { kind: "sent", message: { id, url: postUrl(groupId, id), raw: { post_id: id } } };
  }
  if (reply.kind === "failed" && leavesDoubt(reply.error))
    return {
      kind: "unknown",
      error: { ...reply.error, category: "TRANSIENT", scope: "platform", code: "outcome_unknown" },
    };
  const lapsed =
    reply.kind === "failed" &&
    reply.error.code === "media_rejected" &&
    pictures.remembered.length > 0 &&
    refused.length === 0;
  return lapsed ? { ...reply, refused: pictures.remembered } : reply;
}

/** VK failed internally, perhaps after storing the post; or it says that this very post exists already. */
function leavesDoubt(error: SendError): boolean {
  const number = numberOf(error);
  return number === 1 || number === 10 || (number === 100 && /\bguid\b/.test(error.message));
}
