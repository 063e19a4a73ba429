import { limits } from "../limits.ts";
import { oneLine } from "../shapes.ts";

export interface YandexResult {
  readonly url: string;
  readonly title: string;
}

export type SearchXml =
  | { readonly kind: "results"; readonly results: readonly YandexResult[] }
  /** By the number of Yandex: 15 means that nothing was found. */
  | { readonly kind: "error"; readonly code: number; readonly text: string }
  | { readonly kind: "unreadable" };

/** Reads the XML of a search. Only two fields of each document are needed, so no XML reader is. */
export function readSearchXml(xml: string): SearchXml {
  if (!xml.includes("<yandexsearch")) return { kind: "unreadable" };
  const error = /<error code="(\d{1,6})">/.exec(xml);
  if (error)
    return {
      kind: "error",
      code: Number(error[1]),
      text: oneLine(textBetween(xml, error[0], "</error>"), 300),
    };
  const results = xml
    .split("<doc ")
    .slice(1)
    .map((doc) => ({
      url: plain(textBetween(doc, "<url>", "</url>")).trim(),
      title: oneLine(plain(textBetween(doc, "<title>", "</title>")), limits.title),
    }))
    .filter(({ url }) => /^https?:\/\//i.test(url) && url.length <= limits.url);
  return { kind: "results", results };
}

function textBetween(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  if (from < 0) return "";
  const to = text.indexOf(end, from);
  return to < 0 ? "" : text.slice(from + start.length, to);
}

/** Without the marks of found words, with entities as characters. */
function plain(text: string): string {
  return text
    .replace(/<\/?hlword[^<>]{0,50}>/g, "")
    .replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|\w{1,8});/gi, (whole, name: string) => {
      const known = entities[name.toLowerCase()];
      if (known !== undefined) return known;
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return Number.isInteger(code) && code > 31 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
