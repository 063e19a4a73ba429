import { buffer } from "node:stream/consumers";
import { createLossLog } from "../../../content/index.ts";
import type { MediaFile, Outcome } from "../../contract.ts";
import { entitiesOf } from "../../telegram/entities.ts";
import type { AccountPost } from "../contract.ts";
import { chatUnknown } from "../peers.ts";
import { sendErrorOf } from "../rpc-errors.ts";
import type { Peer, TwinConnection } from "./connection.ts";
import type { RpcResult } from "./rpc.ts";
import { dialogsShape, fileShape, messagesShape } from "./shapes.ts";

/** Sends text, a photo or an album; uploads come first and are not messages yet. */
export async function send(
  twin: TwinConnection,
  post: AccountPost,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const peer = await peerFor(twin, post.chatId);
  if (!("id" in peer)) return peer;
  const uploaded: string[] = [];
  for (const photo of post.photos) {
    const data = (await readAll(photo)).toString("base64");
    const result = await twin.call("uploadPhoto", { fileName: photo.fileName, data }, signal);
    if (result.kind !== "done") return before(result);
    uploaded.push(fileShape.parse(result.body).fileId);
  }
  const { method, params } = requestOf(peer, post, uploaded);
  const result = await twin.call(method, params, signal);
  return outcomeOf(twin, peer, post, result);
}

function requestOf(peer: Peer, { text, randomIds }: AccountPost, files: readonly string[]) {
  const words = { text: text.text, entities: entitiesOf(text, createLossLog()) };
  const [fileId] = files;
  if (fileId === undefined) return { method: "sendText", params: { peer, ...words, randomId: randomIds[0] } };
  if (files.length === 1)
    return { method: "sendPhoto", params: { peer, fileId, ...words, randomId: randomIds[0] } };
  const items = files.map((file, index) => ({
    fileId: file,
    ...(index === 0 ? words : { text: "" }),
    randomId: randomIds[index],
  }));
  return { method: "sendMultiMedia", params: { peer, items } };
}

async function outcomeOf(
  twin: TwinConnection,
  peer: Peer,
  post: AccountPost,
  result: RpcResult,
): Promise<Outcome> {
  if (result.kind === "unanswered")
    return { kind: result.mayHaveArrived ? "unknown" : "failed", error: result.error };
  if (result.kind === "refused") {
    if (result.refusal.text === "RANDOM_ID_DUPLICATE") return sentBefore(twin, peer, post);
    return { kind: "failed", error: sendErrorOf(result.refusal) };
  }
  const [first] = messagesIn(result.body);
  return { kind: "sent", providerMessageId: String(first?.id ?? ""), raw: result.body };
}

/** It was sent already. Which message it is can be told only by its text. */
async function sentBefore(twin: TwinConnection, peer: Peer, { text }: AccountPost): Promise<Outcome> {
  const result = await twin.call("getOwnMessages", { peer, limit: 100 });
  const own = result.kind === "done" ? messagesIn(result.body) : [];
  const found = own.find((message) => message.text === text.text);
  return { kind: "sent", providerMessageId: String(found?.id ?? ""), raw: { duplicate: true } };
}

/** Messages that can be parsed: it was certainly sent, even without them. */
function messagesIn(body: unknown) {
  return messagesShape.safeParse(body).data?.messages ?? [];
}

/** A chat that is not in the storage may be in the account's list of chats. */
export async function peerFor(
  twin: TwinConnection,
  chatId: string,
): Promise<Peer | Exclude<Outcome, { kind: "sent" }>> {
  const known = await twin.peer(chatId);
  if (known) return known;
  const result = await twin.call("getDialogs", {});
  if (result.kind !== "done") return before(result);
  await twin.remember(dialogsShape.parse(result.body).chats);
  return (await twin.peer(chatId)) ?? { kind: "failed", error: chatUnknown(chatId) };
}

/** It failed before the message was sent. */
function before(result: Exclude<RpcResult, { kind: "done" }>): Exclude<Outcome, { kind: "sent" }> {
  return {
    kind: "failed",
    error: result.kind === "refused" ? sendErrorOf(result.refusal) : result.error,
  };
}

async function readAll(file: MediaFile): Promise<Buffer> {
  return buffer(await file.open());
}
