/** What the demos ask of the twins, which stand in for the providers. */

export interface TwinChat {
  readonly platform: "telegram" | "max";
  readonly chat: string;
  readonly title: string;
  /** The user name of the bot that posts there. */
  readonly bot: string;
}

export async function callTwins(
  twinsUrl: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await fetch(`${twinsUrl}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new Error(`the twins refused ${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** A channel in which the bot may post and delete. Repeating it changes nothing. */
export async function openTwinChat(
  twinsUrl: string,
  { platform, chat, title, bot }: TwinChat,
): Promise<void> {
  const channel =
    platform === "telegram"
      ? {
          id: Number(chat),
          members: [{ bot, status: "administrator", can_post_messages: true, can_delete_messages: true }],
        }
      : { chat_id: Number(chat), members: [{ bot, is_admin: true, permissions: ["write", "delete"] }] };
  await callTwins(twinsUrl, "POST", `/_control/${platform}/chats`, { type: "channel", title, ...channel });
}
