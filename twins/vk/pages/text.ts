import { type Html, html, linksIn } from "../../shared/index.ts";

const mention = /\[(club|public|id)(\d{1,15})\|([^\]\n]{1,200})\]|#[\p{L}\d_]{1,100}(?:@[\w.]{1,40})?/gu;

interface Piece {
  readonly at: number;
  readonly length: number;
  readonly shown: Html;
}

/** A post's text as VK shows it: addresses, mentions and hashtags are links, nothing else is markup. */
export function postText(text: string): Html[] {
  const links: Piece[] = linksIn(text).map(({ url, at }) => ({
    at,
    length: url.length,
    shown: html`<a href="${url}" rel="noreferrer">${shortened(url)}</a>`,
  }));
  const marks: Piece[] = [...text.matchAll(mention)].map((found) => ({
    at: found.index,
    length: found[0].length,
    shown: html`<span class="mark">${found[3] ?? found[0]}</span>`,
  }));
  const shown: Html[] = [];
  let from = 0;
  for (const piece of [...links, ...marks].sort((one, other) => one.at - other.at)) {
    // A hashtag within an address is part of the address.
    if (piece.at < from) continue;
    shown.push(html`${text.slice(from, piece.at)}`, piece.shown);
    from = piece.at + piece.length;
  }
  shown.push(html`${text.slice(from)}`);
  return shown;
}

const longest = 60;

function shortened(url: string): string {
  const bare = url.replace(/^https?:\/\/(?:www\.)?/i, "");
  return bare.length > longest ? `${bare.slice(0, longest)}…` : bare;
}
