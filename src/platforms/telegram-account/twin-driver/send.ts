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

/** Sends text, a photo or an album; what is uploaded first is not yet a message. */
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

/** It is there already. Which message it is can be told by its words only. */
async function sentBefore(twin: TwinConnection, peer: Peer, { text }: AccountPost): Promise<Outcome> {
  const result = await twin.call("getOwnMessages", { peer, limit: 100 });
  const own = result.kind === "done" ? messagesIn(result.body) : [];
  const found = own.find((message) => message.text === text.text);
  return { kind: "sent", providerMessageId: String(found?.id ?? ""), raw: { duplicate: true } };
}

/** Those that can be read: that it was sent is certain without them. */
function messagesIn(body: unknown) {
  return messagesShape.safeParse(body).data?.messages ?? [];
}

/** A chat that is not in the storage may be among the account's own. */
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

/** It went wrong before the message was on its way. */
function before(result: Exclude<RpcResult, { kind: "done" }>): Exclude<Outcome, { kind: "sent" }> {
  return {
    kind: "failed",
    error: result.kind === "refused" ? sendErrorOf(result.refusal) : result.error,
  };
}

async function readAll(file: MediaFile): Promise<Buffer> {
  return buffer(await file.open());
}
