/** What the bot shows, as lines of a script. */
import type { SeenButton, SeenMessage } from "../support/seo-bot.ts";

/** What changed in the chat since it was looked at before. */
export function linesOf(
  before: readonly SeenMessage[],
  after: readonly SeenMessage[],
  toast: string | undefined,
): string[] {
  const known = new Map(before.map((message) => [message.id, message]));
  const present = new Set(after.map(({ id }) => id));
  const lines: string[] = toast === undefined ? [] : [`Бот, подсказкой: ${toast}`];
  for (const message of before) {
    if (present.has(message.id)) continue;
    lines.push(message.author.bot ? "Бот, убирая своё сообщение:" : "Бот, удаляя сообщение человека:");
    lines.push(...quoted(message.author.bot ? [message.text.split("\n")[0] ?? ""] : ["•••"]));
  }
  for (const [at, message] of after.entries()) {
    if (!message.author.bot) continue;
    const was = known.get(message.id);
    const newer = after.slice(at + 1).filter(({ id, author }) => author.bot && !known.has(id));
    if (!was) lines.push("Бот:", ...quoted(wordsOf(message)));
    else if (isChanged(was, message) && !isPassing(message, newer))
      lines.push("Бот, на том же месте:", ...quoted(wordsOf(message)));
  }
  return lines;
}

/** A word while something is done, or a screen that stands again further below: whether it was seen is a matter of chance. */
function isPassing({ text, buttons }: SeenMessage, newer: readonly SeenMessage[]): boolean {
  if (newer.some((each) => text.endsWith(each.text))) return true;
  return newer.length > 0 && buttons.length === 0 && /^[^\n]*…$/.test(text);
}

/** Buttons that are merely taken away are no news. */
function isChanged(was: SeenMessage, now: SeenMessage): boolean {
  if (was.text !== now.text) return true;
  return now.buttons.length > 0 && JSON.stringify(was.buttons) !== JSON.stringify(now.buttons);
}

const signs: Readonly<Record<string, string>> = { photo: "фото", document: "файл", voice: "голосовое" };

function wordsOf({ text, buttons, buttonsBelow, media = [] }: SeenMessage): string[] {
  const attached = media.map(({ kind, name }) => `(${signs[kind] ?? kind}${name ? ` ${name}` : ""})`);
  const rows = buttons.map((row) => row.map(buttonOf).join(" "));
  const keyboard = buttonsBelow && rows.length > 0 ? ["Под чатом:", ...rows] : rows;
  const words = text === "" ? [] : text.split("\n");
  return [...attached, ...words, ...(keyboard.length > 0 && words.length > 0 ? [""] : []), ...keyboard];
}

function buttonOf({ text, url, copy, style }: SeenButton): string {
  const more = [
    ...(style ? [style] : []),
    ...(url === undefined ? [] : [url]),
    ...(copy === undefined ? [] : [`копирует ${copy}`]),
  ];
  return more.length > 0 ? `[${text}](${more.join(", ")})` : `[${text}]`;
}

function quoted(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? ">" : `> ${line}`));
}
