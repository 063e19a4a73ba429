import { cut } from "../words/index.ts";
import { limits } from "./limits.ts";

/**
 * What may leave of a message: the words a programmer wrote. An error often quotes what it is about, which people may have
 * written: quotations stay only if they look like a name in code, letters outside ASCII never, and addresses lose their query.
 */
export function ownWords(message: string): string {
  const words = cut(message, 10 * limits.message)
    .replace(/https?:\/\/[^\s"']+/g, (address) => address.replace(/[?#].*/, "?…"))
    .replace(/"([^"\n]*)"/g, quoted)
    .replace(/`([^`\n]*)`/g, quoted)
    .replace(/(?<![\p{L}\d])'([^'\n]*)'(?![\p{L}\d])/gu, quoted)
    .replace(/\P{ASCII}+/gu, (run) => (/\p{L}/u.test(run) ? "[text]" : run))
    .replace(/\[text\](?:[\s,.!?-]{1,3}\[text\])+/g, "[text]");
  return cut(words, limits.message);
}

const name = /^[\w.:/@*[\]-]{0,80}$/;

function quoted(whole: string, inside: string): string {
  return name.test(inside) ? whole : `${whole.slice(0, 1)}[text]${whole.slice(-1)}`;
}
