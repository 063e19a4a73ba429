import { z } from "zod";
import { refusedAs, walk } from "../check-walk.ts";
import type { ChannelCheck, CheckContext, CheckFinding, CheckStep, SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import type { WithToken } from "../token-credential.ts";
import { type Connection, call } from "./client.ts";
import { chatIdOf } from "./target.ts";

const botShape = z.object({ id: z.int(), username: ifReadable(z.string()) });
const chatShape = z.object({
  type: z.string(),
  title: ifReadable(z.string()),
  first_name: ifReadable(z.string()),
});
const memberShape = z.object({
  status: z.string(),
  can_post_messages: ifReadable(z.boolean()),
  can_send_messages: ifReadable(z.boolean()),
});

/** Checks whose token it is, whether the chat exists, and whether the bot may write in it. */
export function check(connection: Connection<WithToken<CheckContext>>): Promise<ChannelCheck> {
  const chat_id = chatIdOf(connection.context.channel.targetId);
  let botId = 0;
  let chatType = "";

  return walk([
    async () => {
      const reply = await call("getMe", { json: {} }, botShape, connection);
      if (reply.kind !== "ok") return refusedAs("token", reply.error, () => "token_refused");
      botId = reply.result.id;
      return { step: "token", finding: "ok", facts: { bot: `@${reply.result.username ?? botId}` } };
    },
    async () => {
      const reply = await call("getChat", { json: { chat_id } }, chatShape, connection);
      if (reply.kind !== "ok") return refusedAs("chat", reply.error, absence);
      const { type, title, first_name } = reply.result;
      chatType = type;
      return { step: "chat", finding: "ok", facts: { chat: title ?? first_name ?? String(chat_id) } };
    },
    async () => {
      // A person is not joined; the chat exists only if the person has started the bot.
      if (chatType === "private") return { step: "member", finding: "ok" };
      const json = { chat_id, user_id: botId };
      const reply = await call("getChatMember", { json }, memberShape, connection);
      if (reply.kind !== "ok") return refusedAs("member", reply.error, absence);
      return rightsOf(reply.result, chatType);
    },
  ]);
}

/** What a refusal to show the chat or its members means. */
function absence({ code, message }: SendError): CheckFinding {
  if (code === "chat_migrated") return "moved";
  if (/blocked by the user|deactivated/i.test(message)) return "blocked";
  if (/member list is inaccessible|CHAT_ADMIN_REQUIRED/i.test(message)) return "not_administrator";
  if (/not a member|kicked|initiate conversation/i.test(message)) return "not_a_member";
  return "chat_not_found";
}

function rightsOf(
  { status, can_post_messages, can_send_messages }: z.infer<typeof memberShape>,
  chatType: string,
): CheckStep {
  if (status === "left" || status === "kicked") return { step: "member", finding: "not_a_member" };
  if (status === "creator") return { step: "rights", finding: "ok" };
  if (chatType !== "channel")
    return { step: "rights", finding: can_send_messages === false ? "may_not_post" : "ok" };
  if (status !== "administrator") return { step: "rights", finding: "not_administrator" };
  return { step: "rights", finding: can_post_messages ? "ok" : "may_not_post" };
}
