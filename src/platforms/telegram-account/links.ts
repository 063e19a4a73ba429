/** What a `t.me` link leads to: a public name, or an invitation. */
export type ChatLink =
  | { readonly kind: "username"; readonly username: string }
  | { readonly kind: "invite"; readonly hash: string };

const host = /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.(?:me|dog)\//i;
/** Paths of t.me that are not chats. */
const reserved = new Set([
  "addstickers",
  "c",
  "iv",
  "joinchat",
  "proxy",
  "s",
  "setlanguage",
  "share",
  "socks",
]);

/** Reads `t.me/name`, `@name`, `t.me/+hash` and `t.me/joinchat/hash`; undefined if it is none of them. */
export function readChatLink(text: string): ChatLink | undefined {
  const trimmed = text.trim();
  const byName = /^@(\w{4,32})$/.exec(trimmed)?.[1];
  if (byName !== undefined) return { kind: "username", username: byName };
  if (!host.test(trimmed)) return undefined;
  const path = trimmed
    .replace(host, "")
    .replace(/[?#].*/s, "")
    .replace(/(?<!\/)\/+$/, "");
  const hash = /^(?:\+|joinchat\/)([\w-]{6,64})$/i.exec(path)?.[1];
  if (hash !== undefined) return { kind: "invite", hash };
  const username = /^(?:s\/)?(\w{4,32})(?:\/\d+)?$/.exec(path)?.[1];
  return username !== undefined && !reserved.has(username.toLowerCase())
    ? { kind: "username", username }
    : undefined;
}
