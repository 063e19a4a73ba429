import { z } from "zod";
import type { CompiledMedia, CompiledRequest, MediaBytes, SendError } from "../contract.ts";
import { mediaTooLarge, mediaUnavailable, missingOrigin } from "../send-error.ts";
import type { RequestOutcome } from "../send-series.ts";
import type { Connection } from "./client.ts";
import { uploadLimits } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { sendMessage } from "./send-message.ts";
import { upload } from "./upload.ts";
import { defaultUploadPolicy } from "./upload-policy.ts";

/** A file as a message refers to it. */
interface Attachment {
  readonly type: string;
  readonly payload: { readonly token: string } | { readonly url: string };
}

/** Send a request that carries media: each is uploaded in order, then one message holds them all. */
export async function sendMedia(request: CompiledRequest, connection: Connection): Promise<RequestOutcome> {
  const attachments: unknown[] = [];
  for (const [index, media] of request.media.entries()) {
    if (index > 0) await connection.context.turn?.();
    const attachment = await attachmentOf(media, index, connection);
    if ("category" in attachment) return { kind: "failed", error: attachment };
    attachments.push(attachment);
  }
  const keyboard = z.array(z.unknown()).parse(request.body.attachments ?? []);
  return sendMessage(request, { ...request.body, attachments: [...attachments, ...keyboard] }, connection);
}

async function attachmentOf(
  media: CompiledMedia,
  index: number,
  connection: Connection,
): Promise<Attachment | SendError> {
  const { settings, context } = connection;
  const type = uploadTypeOf(media);
  const policy = settings.uploadPolicy ?? defaultUploadPolicy;
  if (type === "image" && media.url && policy.image === "url_allowed")
    return { type, payload: { url: media.url } };

  const known = await context.media.known?.(media);
  if (known) return { type, payload: { token: known } };
  let file: MediaBytes | undefined;
  try {
    file = await context.media.open(media);
  } catch (cause) {
    return mediaUnavailable(index, cause);
  }
  if (!file) return missingOrigin(index);
  const limit = uploadLimits[type];
  if (file.bytes.length > limit) return mediaTooLarge(index, file.bytes.length, limit);
  const uploaded = await upload(type, file, connection);
  if (!uploaded.ok) return uploaded.error;
  // Only a cache: a token that cannot be kept costs one more upload.
  await context.media.remember?.(media, uploaded.token).catch(() => {});
  return { type, payload: { token: uploaded.token } };
}
