import { parsedUrl } from "../../kernel/url/index.ts";

/** Files and service pages that no reader is sent to from an article. */
const notPages =
  /\.(?:jpe?g|png|gif|webp|svg|pdf|docx?|xlsx?|zip|xml|json|css|js|txt|mp4)$|^\/(?:wp-admin|wp-login|wp-json|cart|checkout|login|register|feed|tag|author|search)(?:\/|$|\.)|\/page\/\d/i;

/** The address without what does not change the page, to compare pages. */
export function pageKey(url: string): string | undefined {
  const parsed = webUrl(url);
  return parsed && keyOf(parsed);
}

function keyOf(url: URL): string {
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
  return hostOf(url) + path.toLowerCase() + url.search;
}

export interface SiteAddress {
  readonly url: string;
  readonly key: string;
}

/** Reads addresses of a site: those of its pages that an article may link to, with their keys. */
export function siteReader(site: string): (url: string) => SiteAddress | undefined {
  const own = webUrl(site);
  const host = own && hostOf(own);
  return (url) => {
    const parsed = webUrl(url);
    if (!parsed || hostOf(parsed) !== host || notPages.test(parsed.pathname)) return undefined;
    const key = keyOf(parsed);
    parsed.hash = "";
    // Brackets would end a link in Markdown.
    return { url: parsed.href.replaceAll("(", "%28").replaceAll(")", "%29"), key };
  };
}

function webUrl(url: string): URL | undefined {
  const parsed = parsedUrl(url);
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.username === "" ? parsed : undefined;
}

const hostOf = ({ host }: URL): string => host.toLowerCase().replace(/^www\./, "");

/** What an address says about its page, for maps without titles: `/plastikovye-okna/` → `пластиковые окна`. */
export function wordsInAddress(url: string): string {
  const parsed = webUrl(url);
  const last = parsed?.pathname.split("/").findLast((part) => part !== "") ?? "";
  const name = decoded(last)
    .replace(/\.\w{1,5}$/, "")
    .split(/[-_+\s]+/);
  return name.map((word) => (/^[a-z']+$/i.test(word) ? inCyrillic(word.toLowerCase()) : word)).join(" ");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not UTF-8; the address still leads somewhere, but says nothing.
    return "";
  }
}

/** Spellings of addresses, longest first; what they share with another letter is left to the stemmer. */
const spellings: readonly (readonly [string, string])[] = [
  ...([
    ["shch", "щ"],
    ["sch", "щ"],
    ["zh", "ж"],
    ["kh", "х"],
    ["ts", "ц"],
    ["ch", "ч"],
    ["sh", "ш"],
  ] as const),
  ...([
    ["yu", "ю"],
    ["ju", "ю"],
    ["ya", "я"],
    ["ja", "я"],
    ["yo", "е"],
    ["iy", "ий"],
    ["yy", "ый"],
  ] as const),
  ...([
    ["ye", "ые"],
    ["ie", "ие"],
    ["oy", "ой"],
    ["ey", "ей"],
    ["ay", "ай"],
    ["uy", "уй"],
  ] as const),
];
const single: Readonly<Record<string, string>> = {
  ...{
    a: "а",
    b: "б",
    c: "ц",
    d: "д",
    e: "е",
    f: "ф",
    g: "г",
    h: "х",
    i: "и",
    j: "й",
    k: "к",
    l: "л",
    m: "м",
  },
  ...{
    n: "н",
    o: "о",
    p: "п",
    q: "к",
    r: "р",
    s: "с",
    t: "т",
    u: "у",
    v: "в",
    w: "в",
    x: "кс",
    y: "ы",
    z: "з",
  },
};

function inCyrillic(word: string): string {
  let result = "";
  for (let at = 0; at < word.length; ) {
    const [latin, cyrillic] = spellings.find(([spelt]) => word.startsWith(spelt, at)) ?? [
      word.charAt(at),
      single[word.charAt(at)] ?? "",
    ];
    result += cyrillic;
    at += latin.length;
  }
  return result;
}
