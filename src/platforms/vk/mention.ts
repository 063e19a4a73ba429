const page = /^https?:\/\/(?:www\.|m\.)?vk\.(?:com|ru)\/(id|club|public|event)([1-9]\d{0,14})\/?$/i;

/** Writes a link to a VK community or person as a mention; undefined if the address or the words do not allow it. */
export function mentionOf(url: string, words: string): string | undefined {
  const [, kind, number] = page.exec(url) ?? [];
  if (!kind || /[\]|\n]/.test(words)) return undefined;
  return `[${kind.toLowerCase()}${number}|${words}]`;
}

export interface ReadMention {
  readonly offset: number;
  readonly length: number;
  readonly url: string;
}

const written = /\[(id|club|public|event)([1-9]\d{0,14})\|([^\]|\n]{1,1000})\]/g;

/** A message as its readers see it: mentions replaced by their words, and their links. */
export function readMentions(message: string): { readonly text: string; readonly mentions: ReadMention[] } {
  const mentions: ReadMention[] = [];
  let text = "";
  let from = 0;
  for (const { 0: whole, 1: kind, 2: number, 3: words = "", index } of message.matchAll(written)) {
    text += message.slice(from, index);
    mentions.push({ offset: text.length, length: words.length, url: `https://vk.com/${kind}${number}` });
    text += words;
    from = index + whole.length;
  }
  return { text: text + message.slice(from), mentions };
}
