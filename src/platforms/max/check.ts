import { z } from "zod";
import { refusedAs, walk } from "../check-walk.ts";
import type { ChannelCheck, CheckContext, CheckFinding, CheckStep, SendError } from "../contract.ts";
import { idShape, ifReadable } from "../if-readable.ts";
import type { WithToken } from "../token-credential.ts";
import { type Connection, call, recipientOf } from "./client.ts";

const botShape = z.object({
  user_id: idShape,
  username: ifReadable(z.string()),
  first_name: ifReadable(z.string()),
});
const chatShape = z.object({
  type: z.string(),
  status: ifReadable(z.string()),
  title: ifReadable(z.string()),
});
const memberShape = z.object({
  is_admin: ifReadable(z.boolean()),
  permissions: ifReadable(z.array(z.string())),
});

/** Checks whose token it is, whether the bot is in the chat, and whether it may write there. */
export function check(connection: Connection<WithToken<CheckContext>>): Promise<ChannelCheck> {
  const { chat_id } = recipientOf(connection.context.channel.targetId);
  const get = <T>(path: string, shape: z.ZodType<T>) =>
    call({ method: "GET", path, query: {} }, shape, connection);
  let chatType = "";

  return walk([
    async () => {
      const reply = await get("/me", botShape);
      if (reply.kind !== "ok") return refusedAs("token", reply.error, () => "token_refused");
      const { username, first_name, user_id } = reply.result;
      return { step: "token", finding: "ok", facts: { bot: username ?? first_name ?? user_id } };
    },
    async () => {
      if (!chat_id) return { step: "chat", finding: "cannot_be_checked" };
      const reply = await get(`/chats/${encodeURIComponent(chat_id)}`, chatShape);
      if (reply.kind !== "ok") return refusedAs("chat", reply.error, absence);
      const { type, status, title } = reply.result;
      chatType = type;
      if (status === "suspended") return { step: "chat", finding: "blocked" };
      if (status !== undefined && status !== "active") return { step: "chat", finding: "not_a_member" };
      return { step: "chat", finding: "ok", facts: { chat: title ?? chat_id } };
    },
    async () => {
      if (chatType === "dialog") return { step: "member", finding: "ok" };
      const reply = await get(`/chats/${encodeURIComponent(chat_id ?? "")}/members/me`, memberShape);
      if (reply.kind !== "ok") return refusedAs("member", reply.error, absence);
      return rightsOf(reply.result, chatType);
    },
  ]);
}

function absence({ message, raw }: SendError): CheckFinding {
  if (/suspended/.test(message)) return "blocked";
  const status = z.object({ status: z.number() }).safeParse(raw).data?.status;
  return status === 403 ? "not_a_member" : "chat_not_found";
}

/** In a group every member may write; in a channel only administrators with the permission. */
function rightsOf({ is_admin, permissions }: z.infer<typeof memberShape>, chatType: string): CheckStep {
  if (chatType !== "channel") return { step: "rights", finding: "ok" };
  if (is_admin === false) return { step: "rights", finding: "not_administrator" };
  return { step: "rights", finding: permissions?.includes("write") === false ? "may_not_post" : "ok" };
}
