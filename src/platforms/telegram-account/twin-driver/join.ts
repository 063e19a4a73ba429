import { no, yes } from "../answers.ts";
import type { Answer, JoinedChat } from "../contract.ts";
import { readChatLink } from "../links.ts";
import { badLink } from "../peers.ts";
import { sendErrorOf } from "../rpc-errors.ts";
import type { TwinConnection } from "./connection.ts";
import type { RpcResult } from "./rpc.ts";
import { chatShape, inviteShape, joinedChat, type TwinChat } from "./shapes.ts";

/** Joins by a public name or an invitation. If the account is in the chat already, no join is spent. */
export async function join(twin: TwinConnection, link: string): Promise<Answer<JoinedChat>> {
  const target = readChatLink(link);
  if (!target) return no(badLink(link));
  if (target.kind === "invite") {
    const checked = await twin.call("checkInvite", { invite: target.hash });
    if (checked.kind !== "done") return refused(checked);
    if (inviteShape.parse(checked.body).joined) return joined(twin, chatShape.parse(checked.body), true);
    return entered(twin, await twin.call("joinChat", { invite: target.hash }));
  }
  const resolved = await twin.call("resolveUsername", { username: target.username });
  if (resolved.kind !== "done") return refused(resolved);
  const chat = chatShape.parse(resolved.body);
  if (chat.joined) return joined(twin, chat, true);
  const peer = { id: chat.id, accessHash: chat.accessHash };
  return entered(twin, await twin.call("joinChat", { peer }));
}

async function entered(twin: TwinConnection, result: RpcResult): Promise<Answer<JoinedChat>> {
  if (result.kind !== "done") return refused(result);
  return joined(twin, chatShape.parse(result.body), false);
}

async function joined(
  twin: TwinConnection,
  chat: TwinChat,
  alreadyMember: boolean,
): Promise<Answer<JoinedChat>> {
  await twin.remember([chat]);
  const shown = joinedChat(chat, alreadyMember);
  return shown ? yes(shown) : no(badLink(chat.username ?? chat.title));
}

export function refused(result: Exclude<RpcResult, { kind: "done" }>) {
  return no(result.kind === "refused" ? sendErrorOf(result.refusal) : result.error);
}
