import { buffer } from "node:stream/consumers";
import type { CompiledRequest, MediaOrder, SendContext } from "../contract.ts";
import { mediaError } from "../send-error.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, call } from "./client.ts";
import { pictureRules } from "./limits.ts";
import { pinShape, pinUrl, wordsShape } from "./pin.ts";

/** Creates a Pin. Its picture is part of the request: Pinterest returns no reference for sending a picture again. */
export async function sendMedia(
  request: CompiledRequest,
  boardId: string,
  connection: Connection,
): Promise<RequestOutcome> {
  const { context } = connection;
  const lent = await context.media.lend(request.media, orderOf(context), async ([file]) => {
    if (file?.kind !== "upload") throw new Error("a Pin's picture was not lent to be uploaded");
    const data = (await buffer(await file.file.open())).toString("base64");
    await context.turn?.();
    const json = {
      board_id: boardId,
      ...wordsShape.parse(request.body),
      media_source: { source_type: "image_base64", content_type: file.file.contentType, data },
    };
    return call({ method: "POST", path: "/pins", json, makesPin: true }, pinShape, connection);
  });
  if (!lent.ok) return { kind: "failed", error: mediaError(lent.fault) };
  const reply = lent.value;
  if (reply.kind !== "ok") return reply;
  const { id } = reply.result;
  return { kind: "sent", message: { id, url: pinUrl(id), raw: { pin_id: id } } };
}

/** Uploads are not stored, so no other delivery has to wait for this one. */
function orderOf({ idempotencyKey }: SendContext): MediaOrder {
  return { account: `pinterest:${idempotencyKey}`, rulesFor: () => pictureRules };
}
