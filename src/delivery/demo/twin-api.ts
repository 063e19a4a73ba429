/** The demos' requests to the twins, which emulate the providers. */

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

/** Creates a chat in which the bot may post. Idempotent. */
export async function openTwinChat(twinsUrl: string, chat: TwinChat): Promise<void> {
  const described = twinChatOf(chat);
  if (!described) throw new Error(`the twins have no chat such as ${chat.chat}`);
  await callTwins(twinsUrl, "POST", `/_control/${chat.platform}/chats`, described);
}

/**
 * The chat in the form of the twins' control API, recognised by the messenger's ranges of ids; undefined if the id is in none
 * of them.
 */
export function twinChatOf({ platform, chat, title, bot }: TwinChat): object | undefined {
  // A suffix after # distinguishes several channels of one chat.
  const target = chat.replace(/#\d+$/, "");
  const id = Number(target);
  return platform === "telegram" ? telegramChat(target, id, title, bot) : maxChat(target, id, title, bot);
}

function telegramChat(target: string, id: number, title: string, bot: string): object | undefined {
  const poster = { bot, status: "administrator", can_post_messages: true, can_delete_messages: true };
  if (/^-100\d{5,13}$/.test(target)) return { type: "channel", id, title, members: [poster] };
  if (/^@\w{4,32}$/.test(target))
    return { type: "channel", username: target.slice(1), title, members: [poster] };
  if (/^-[1-9]\d{0,15}$/.test(target)) return { type: "group", id, title, members: [{ bot }] };
  if (/^[1-9]\d{0,15}$/.test(target))
    return { type: "private", id, first_name: title, members: [{ bot, status: "member" }] };
  return undefined;
}

function maxChat(target: string, id: number, title: string, bot: string): object | undefined {
  const members = [{ bot, is_admin: true, permissions: ["write", "delete"] }];
  const person = /^user:([1-9]\d{0,15})$/.exec(target)?.[1];
  if (person)
    return { type: "dialog", user: { user_id: Number(person), first_name: title }, members: [{ bot }] };
  if (!/^-?[1-9]\d{0,15}$/.test(target)) return undefined;
  return { type: id < 0 ? "channel" : "chat", chat_id: id, title, members };
}
