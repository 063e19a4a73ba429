import { buffer } from "node:stream/consumers";
import { Long, type tl } from "@mtcute/core";
import { uploadFile } from "@mtcute/core/methods.js";
import { createLossLog } from "../../../content/index.ts";
import type { MediaFile, Outcome } from "../../contract.ts";
import { entitiesOf } from "../../telegram/entities.ts";
import type { AccountPost } from "../contract.ts";
import { chatUnknown } from "../peers.ts";
import { sendErrorOf } from "../rpc-errors.ts";
import { loadDialogs } from "./chats.ts";
import { tlEntities } from "./entities.ts";
import { errorOf, refusalOf, silenceOf } from "./failure.ts";
import { messageUrl } from "./message-url.ts";
import type { MtcuteSession } from "./session.ts";

/**
 * Sends text, a photo or an album with the given ids: Telegram creates no second message for the same ids, so an
 * unknown outcome is retried safely.
 */
export async function send(
  session: MtcuteSession,
  post: AccountPost,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  let request: SendRequest;
  let peer: tl.TypeInputPeer | undefined;
  try {
    peer = await peerFor(session, post.chatId);
    if (!peer) return { kind: "failed", error: chatUnknown(post.chatId) };
    request = await requestFor(session, peer, post, signal);
    signal?.throwIfAborted();
  } catch (error) {
    // No message was sent up to here.
    return { kind: "failed", error: errorOf(error) };
  }
  const began = performance.now();
  try {
    const updates = await session.call(request, signal);
    const messageId = firstId(updates, post.randomIds);
    const url = await messageUrl(session, post.chatId, messageId);
    return {
      kind: "sent",
      providerMessageId: String(messageId ?? ""),
      ...(url !== undefined && { url }),
      raw: { updates: updates._ },
    };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal?.text === "RANDOM_ID_DUPLICATE") return sentBefore(session, peer, post);
    if (refusal) return { kind: "failed", error: sendErrorOf(refusal) };
    const silence = silenceOf(error);
    if (!silence) throw error;
    return { kind: session.heardSince(began) ? "unknown" : "failed", error: silence };
  }
}

type SendRequest =
  | tl.messages.RawSendMessageRequest
  | tl.messages.RawSendMediaRequest
  | tl.messages.RawSendMultiMediaRequest;

async function requestFor(
  session: MtcuteSession,
  peer: tl.TypeInputPeer,
  { text, photos, randomIds }: AccountPost,
  signal: AbortSignal | undefined,
): Promise<SendRequest> {
  const words = { message: text.text, entities: tlEntities(entitiesOf(text, createLossLog())) };
  const [photo] = photos;
  if (!photo) return { _: "messages.sendMessage", peer, ...words, randomId: idAt(randomIds, 0) };
  if (photos.length === 1) {
    const media = await uploaded(session, photo, signal);
    return { _: "messages.sendMedia", peer, media, ...words, randomId: idAt(randomIds, 0) };
  }
  const multiMedia: tl.RawInputSingleMedia[] = [];
  for (const [index, each] of photos.entries()) {
    const media = await kept(session, peer, await uploaded(session, each, signal), signal);
    const caption = index === 0 ? words : { message: "" };
    multiMedia.push({ _: "inputSingleMedia", media, ...caption, randomId: idAt(randomIds, index) });
  }
  return { _: "messages.sendMultiMedia", peer, multiMedia };
}

async function uploaded(
  session: MtcuteSession,
  file: MediaFile,
  signal: AbortSignal | undefined,
): Promise<tl.RawInputMediaUploadedPhoto> {
  const bytes = new Uint8Array(await buffer(await file.open()));
  const { fileName, contentType: fileMime } = file;
  const { inputFile } = await session.run(
    (client, abortSignal) => uploadFile(client, { file: bytes, fileName, fileMime, abortSignal }),
    signal,
  );
  return { _: "inputMediaUploadedPhoto", file: inputFile };
}

/** An album needs photos that Telegram has stored, not fresh uploads. */
async function kept(
  session: MtcuteSession,
  peer: tl.TypeInputPeer,
  media: tl.RawInputMediaUploadedPhoto,
  signal: AbortSignal | undefined,
): Promise<tl.RawInputMediaPhoto> {
  const result = await session.call({ _: "messages.uploadMedia", peer, media }, signal);
  if (result._ !== "messageMediaPhoto" || result.photo?._ !== "photo")
    throw new Error(`Telegram made ${result._} of a photo`);
  const { id, accessHash, fileReference } = result.photo;
  return { _: "inputMediaPhoto", id: { _: "inputPhoto", id, accessHash, fileReference } };
}

/** From the storage, or else from the account's own list of chats. A basic group needs only its number. */
async function peerFor(session: MtcuteSession, chatId: string): Promise<tl.TypeInputPeer | undefined> {
  const id = Number(chatId);
  if (!Number.isSafeInteger(id)) return undefined;
  await session.client.prepare();
  const { peers } = session.client.storage;
  const known = await peers.getById(id);
  if (known) return known;
  await loadDialogs(session);
  return (await peers.getById(id)) ?? undefined;
}

/** It was sent already. Which message it is can be told only by its text. */
async function sentBefore(
  session: MtcuteSession,
  peer: tl.TypeInputPeer,
  { text, chatId }: AccountPost,
): Promise<Outcome> {
  const history = await session
    .call({
      ...{ _: "messages.getHistory", peer, limit: 100, hash: Long.ZERO },
      ...{ offsetId: 0, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0 },
    })
    // The message id is optional: it was certainly sent.
    .catch(() => undefined);
  const messages = history && "messages" in history ? history.messages : [];
  const found = messages.find((each) => each._ === "message" && each.out && each.message === text.text);
  const url = await messageUrl(session, chatId, found?.id);
  return {
    kind: "sent",
    providerMessageId: String(found?.id ?? ""),
    ...(url !== undefined && { url }),
    raw: { duplicate: true },
  };
}

function firstId(updates: tl.TypeUpdates, randomIds: readonly string[]): number | undefined {
  if (updates._ === "updateShortSentMessage") return updates.id;
  if (!("updates" in updates)) return undefined;
  const [first] = randomIds;
  for (const update of updates.updates) {
    if (update._ === "updateMessageID" && update.randomId.toString() === first) return update.id;
  }
  return undefined;
}

function idAt(randomIds: readonly string[], index: number): Long {
  const id = randomIds[index];
  if (id === undefined) throw new Error(`the post has no random id for message ${index + 1}`);
  return Long.fromString(id);
}
