import { cut } from "../../kernel/words/index.ts";

/** Links to chats as people paste them: one per line, possibly with other text. */

interface ReadLinks {
  /** Normalised, unique, in their order. */
  readonly links: readonly string[];
  /** Lines that are not links to a chat, so that typos are noticed. */
  readonly ignored: readonly IgnoredLine[];
}

export interface IgnoredLine {
  readonly line: number;
  readonly text: string;
}

export function readLinks(text: string): ReadLinks {
  const links = new Map<string, string>();
  const ignored: IgnoredLine[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const written = raw.trim();
    if (!written) continue;
    const link = linkOf(written);
    if (link) links.set(keyOf(link), links.get(keyOf(link)) ?? link);
    else ignored.push({ line: index + 1, text: cut(written, 200) });
  }
  return { links: [...links.values()], ignored };
}

/** `https://t.me/name` for a public chat, `https://t.me/+hash` for an invitation, undefined for other text. */
export function linkOf(written: string): string | undefined {
  const found =
    /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/([^\s?#]+)(?:[?#]\S*)?$/i.exec(written);
  const [first = "", second = ""] = found?.[1]?.split("/") ?? [];
  const invitation = first.startsWith("+")
    ? first.slice(1)
    : first.toLowerCase() === "joinchat"
      ? second
      : "";
  if (/^[\w-]{8,64}$/.test(invitation)) return `https://t.me/+${invitation}`;
  // `/s/` is the web preview of a public channel.
  const name = first.toLowerCase() === "s" && second ? second : first;
  return isChatName(name) ? `https://t.me/${name}` : undefined;
}

/** Usernames are case-insensitive, invitations case-sensitive. */
export function keyOf(link: string): string {
  return link.includes("/+") ? link : link.toLowerCase();
}

/** Paths that t.me reserves; most are too short or too long to be usernames anyway. */
const reserved = new Set([
  "addemoji",
  "addlist",
  "addstickers",
  "addtheme",
  "boost",
  "confirmphone",
  "contact",
  "giftcode",
  "invoice",
  "joinchat",
  "login",
  "proxy",
  "setlanguage",
  "share",
  "socks",
]);

function isChatName(name: string): boolean {
  return /^[a-z][a-z0-9_]{3,31}$/i.test(name) && !reserved.has(name.toLowerCase());
}
