import type { TargetDefinition } from "../definition.ts";

/**
 * `chat_id` for the Bot API: a number, or the `@name` of a public chat. A channel's target may also be `user:42`, and
 * `#2` distinguishes several channels of one chat.
 */
export function chatIdOf(targetId: string): number | string {
  const plain = targetId.replace(/#\d+$/, "").replace(/^user:/, "");
  return /^-?\d+$/.test(plain) ? Number(plain) : plain;
}

const linkTo = "^(?:https?://)?(?:www\\.)?(?:t|telegram)\\.(?:me|dog)/";
const name = "([a-z][a-z0-9_]{3,31})";
/** Paths of t.me that are not chats. */
const notChats =
  "(?:addemoji|addlist|addstickers|addtheme|boost|contact|invoice|joinchat|login|proxy|setlanguage|share|socks)";

const otherwise =
  "Give the chat's number, such as -1001234567890, its @name or its link https://t.me/name (a name has 4 to 32 letters, digits or _); a person is user:42.";

/** -1001234567890, @name (in lower case) and user:42 (a person); t.me links become one of these. */
export const target: TargetDefinition = {
  about:
    "Telegram: the chat's number, its `@name` or its link, of which the number is kept; a person is `user:<id>`",
  unsaid: "user:",
  rules: [
    { pattern: "^(-[1-9][0-9]{0,15}|user:[1-9][0-9]{0,15})$", keep: "{1}" },
    {
      pattern: `${linkTo}(?:\\+|joinchat/)`,
      ignoreCase: true,
      fault:
        "A bot cannot follow an invitation: add it to the chat and give the chat's number, such as -1001234567890.",
    },
    { pattern: `${linkTo}c/([1-9][0-9]{4,12})(?:[/?#].*)?$`, ignoreCase: true, keep: "-100{1}" },
    {
      pattern: `(?:${linkTo}(?:s/)?@?|^@|^tg://resolve\\?domain=)${notChats}(?:[/?#&].*)?$`,
      ignoreCase: true,
      fault: otherwise,
    },
    { pattern: `${linkTo}(?:s/)?@?${name}(?:[/?#].*)?$`, ignoreCase: true, keep: "@{1:lower}" },
    { pattern: `^tg://resolve\\?domain=${name}(?:&.*)?$`, ignoreCase: true, keep: "@{1:lower}" },
    { pattern: `^@${name}$`, ignoreCase: true, keep: "@{1:lower}" },
    { pattern: "^(100[0-9]{10})$", fault: "The number of a channel begins with a minus: -{1}." },
    {
      pattern: "^([0-9]+)$",
      fault:
        "The number of a channel or a group begins with a minus, such as -1001234567890. A person is user:{1}.",
    },
  ],
  otherwise,
};
