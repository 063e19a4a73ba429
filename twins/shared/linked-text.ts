import { type Html, html } from "./html-page.ts";

const address = /https?:\/\/[^\s<>"']+/g;

/** Finds addresses in a plain text, as networks without markup do. */
export function linksIn(text: string): { url: string; at: number }[] {
  return [...text.matchAll(address)].map((found) => ({
    url: withoutTail(found[0]),
    at: found.index,
  }));
}

/** Plain text for a page: its style keeps lines, addresses become links. */
export function linkedText(text: string): Html[] {
  const shown: Html[] = [];
  let from = 0;
  for (const { url, at } of linksIn(text)) {
    shown.push(html`${text.slice(from, at)}`, html`<a href="${url}" rel="noreferrer">${url}</a>`);
    from = at + url.length;
  }
  shown.push(html`${text.slice(from)}`);
  return shown;
}

/** Punctuation at the end of a sentence is not part of the address. */
function withoutTail(url: string): string {
  let end = url.length;
  while (end > 0 && ".,;:!?)»".includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}
