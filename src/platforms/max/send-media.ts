import { z } from "zod";
import type { CompiledMedia, CompiledRequest, LentFile, SendError } from "../contract.ts";
import { mediaError } from "../send-error.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Connection, mediaOrder } from "./client.ts";
import { tokenGoodForMs, type UploadType } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { sendMessage } from "./send-message.ts";
import { upload } from "./upload.ts";
import { defaultUploadPolicy } from "./upload-policy.ts";

/** A file as a message refers to it. */
interface Attachment {
  readonly type: string;
  readonly payload: { readonly token: string } | { readonly url: string };
}

/** Writes a complete message body: creates a message or replaces one. */
export type WriteMessage = (
  request: CompiledRequest,
  body: Readonly<Record<string, unknown>>,
  connection: Connection,
) => Promise<RequestOutcome>;

/** Sends a request with media: uploads each in order, then sends one message with all of them. */
export async function sendMedia(
  request: CompiledRequest,
  connection: Connection,
  write: WriteMessage = sendMessage,
): Promise<RequestOutcome> {
  const outcome = await offer(request, connection, write);
  // A token from an hour ago may have expired, and a refused request has posted nothing: upload again.
  return outcome.refused ? offer(request, connection, write, outcome.refused) : outcome;
}

type Offered = RequestOutcome & { readonly refused?: readonly string[] };

async function offer(
  request: CompiledRequest,
  connection: Connection,
  write: WriteMessage,
  refused: readonly string[] = [],
): Promise<Offered> {
  const found: Found[] = [];
  for (const [index, media] of request.media.entries()) {
    const one = await attachmentOf(media, index, connection, refused);
    if ("error" in one) return { kind: "failed", error: one.error };
    found.push(one);
  }
  const keyboard = z.array(z.unknown()).parse(request.body.attachments ?? []);
  const attachments = [...found.map(({ attachment }) => attachment), ...keyboard];
  if (found.some(({ waited }) => waited)) await connection.context.turn?.();
  const outcome = await write(request, { ...request.body, attachments }, connection);
  const used = found.flatMap(({ remembered }) => remembered ?? []);
  const lapsed =
    outcome.kind === "failed" && refusals.has(outcome.error.code) && used.length > 0 && refused.length === 0;
  return lapsed ? { ...outcome, refused: used } : outcome;
}

/** Codes by which MAX refuses a token that it no longer knows. */
const refusals: ReadonlySet<string> = new Set(["max_bad_request", "media_rejected"]);

interface Found {
  readonly attachment: Attachment;
  /** The token, if it comes from an earlier upload. */
  readonly remembered?: string;
  readonly waited?: boolean | undefined;
}

async function attachmentOf(
  media: CompiledMedia,
  index: number,
  connection: Connection,
  refused: readonly string[],
): Promise<Found | { readonly error: SendError }> {
  const { settings, context } = connection;
  const policy = settings.uploadPolicy ?? defaultUploadPolicy;
  if (uploadTypeOf(media) === "image" && media.url && policy.image === "url_allowed")
    return { attachment: { type: "image", payload: { url: media.url } } };

  const order = { ...mediaOrder(context.token), refused };
  const lent = await context.media.lend([media], order, async ([file]) => {
    if (!file) throw new Error("one file was asked for and none was lent");
    if (file.kind === "upload") return uploaded(file, connection);
    const { as, reference, waited } = file;
    return { attachment: { type: as, payload: { token: reference } }, remembered: reference, waited };
  });
  return lent.ok ? lent.value : { error: mediaError(lent.fault, index) };
}

async function uploaded(
  { as, file, uploaded: report }: Extract<LentFile, { kind: "upload" }>,
  connection: Connection,
): Promise<Found | { readonly error: SendError }> {
  const result = await upload(uploadType.parse(as), file, connection);
  if (!result.ok) return { error: result.error };
  // Only a cache: a token that cannot be stored costs one more upload.
  await report(result.token, tokenGoodForMs).catch(() => {});
  return { attachment: { type: as, payload: { token: result.token } } };
}

const uploadType = z.enum(["image", "video", "audio", "file"]) satisfies z.ZodType<UploadType>;
