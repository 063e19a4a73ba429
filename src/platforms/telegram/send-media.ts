import { z } from "zod";
import type { CompiledMedia, CompiledRequest, MediaBytes, SendContext, SendError } from "../contract.ts";
import { mediaTooLarge, mediaUnavailable, missingOrigin } from "../send-error.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, call } from "./client.ts";
import { uploadLimits } from "./limits.ts";
import { mediaMethods } from "./media.ts";
import { fileIdOf, type Message, messageShape, sentMessage } from "./message.ts";
import { chatIdOf } from "./target.ts";

/** How Telegram gets one file: by a reference it understands, or with the request. */
type Source =
  | { readonly kind: "reference"; readonly reference: string }
  | { readonly kind: "upload"; readonly file: MediaBytes };

/** Send a request that carries media: one file, or an album. */
export async function sendMedia(request: CompiledRequest, connection: Connection): Promise<RequestOutcome> {
  const { context } = connection;
  const sources: Source[] = [];
  for (const [index, media] of request.media.entries()) {
    const source = await sourceOf(media, index, context);
    if ("category" in source) return { kind: "failed", error: source };
    sources.push(source);
  }
  const body = { chat_id: chatIdOf(context.channel.targetId), ...withMedia(request, sources.map(nameOf)) };
  const uploads = sources.map((source) => (source.kind === "upload" ? source.file : undefined));
  const payload = uploads.some(Boolean) ? formOf(body, uploads) : body;
  const reply = await call(request.method, payload, resultShape, connection);
  if (reply.kind !== "ok") return reply;
  await remember(request.media, reply.result, context);
  return { kind: "sent", message: sentMessage(reply.result) };
}

/** One message or an album of them. */
const resultShape = z.union([
  messageShape.transform((message): [Message, ...Message[]] => [message]),
  z.tuple([messageShape], messageShape),
]);

/**
 * A reference costs nothing and comes first. Our own bytes come next: unlike an address they do not depend
 * on Telegram reaching it, and files by address have the smaller limits.
 */
async function sourceOf(
  media: CompiledMedia,
  index: number,
  context: SendContext,
): Promise<Source | SendError> {
  const known = media.fileId ?? (await context.media.known?.(media));
  if (known) return { kind: "reference", reference: known };
  let file: MediaBytes | undefined;
  try {
    file = await context.media.open(media);
  } catch (cause) {
    return mediaUnavailable(index, cause);
  }
  if (file) {
    const limit = uploadLimits[media.kind];
    return file.bytes.length > limit
      ? mediaTooLarge(index, file.bytes.length, limit)
      : { kind: "upload", file };
  }
  return media.url ? { kind: "reference", reference: media.url } : missingOrigin(index);
}

function nameOf(source: Source, index: number): string {
  return source.kind === "reference" ? source.reference : `attach://${fieldOf(index)}`;
}

function fieldOf(index: number): string {
  return `file${index}`;
}

/** The request's body with the files in the fields where its method expects them. */
function withMedia(
  { method, body, media }: CompiledRequest,
  names: readonly string[],
): Record<string, unknown> {
  if (method === "sendMediaGroup") {
    const items = z.array(z.record(z.string(), z.unknown())).parse(body.media);
    return { ...body, media: items.map((item, index) => ({ ...item, media: names[index] })) };
  }
  const [only] = media;
  if (!only) throw new Error(`${method} was compiled without media`);
  return { ...body, [mediaMethods[only.kind].field]: names[0] };
}

/** In a form, nested values are JSON strings. */
function formOf(
  body: Readonly<Record<string, unknown>>,
  uploads: readonly (MediaBytes | undefined)[],
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  for (const [index, file] of uploads.entries()) {
    if (file) form.set(fieldOf(index), new Blob([file.bytes], { type: file.contentType }), file.fileName);
  }
  return form;
}

/** What Telegram calls these files now. Only a cache: when it cannot be written, the message has still arrived. */
async function remember(
  media: readonly CompiledMedia[],
  messages: readonly Message[],
  { media: source }: SendContext,
): Promise<void> {
  for (const [index, item] of media.entries()) {
    const fileId = fileIdOf(messages[index]);
    if (fileId && !item.fileId) await source.remember?.(item, fileId).catch(() => {});
  }
}
