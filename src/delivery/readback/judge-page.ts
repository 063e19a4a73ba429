import { parsedUrl } from "../../kernel/url/index.ts";
import type { ExpectedPage } from "../../platforms/index.ts";
import { found, type PageFinding } from "./findings.ts";
import { type HtmlPage, readHtml } from "./html-page.ts";
import { codeIn } from "./leftover-code.ts";

/** A page as it was fetched. */
export interface FetchedPage {
  /** Its address after redirects. */
  readonly url: string;
  readonly html: HtmlPage;
  /** The header `X-Robots-Tag`, in lower case; blank if there is none. */
  readonly robotsTag: string;
}

/** Compares a page with what should be on it and returns the errors. Does not check whether pictures open. Pure. */
export function judgePage(page: FetchedPage, expected: ExpectedPage): PageFinding[] {
  const sent = readHtml(`<!doctype html><body>${expected.html}`);
  return [
    ...titleFindings(page.html, expected),
    ...headingFindings(page.html, sent),
    ...pictureFindings(page.html, expected),
    ...codeFindings(page.html, sent),
    ...(expected.noindex ? [] : noindexFindings(page)),
    ...canonicalFindings(page, expected),
  ];
}

/** Sites change quotes, dashes and symbols, so only letters and digits are compared. */
export function letters(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll("×", "x")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

function titleFindings({ headings }: HtmlPage, { title }: ExpectedPage): PageFinding[] {
  const wanted = letters(title);
  return wanted === "" || headings.some((heading) => letters(heading) === wanted)
    ? []
    : [found("title_missing", title)];
}

/**
 * All headings that were sent must be headings on the page, in the same order; headings that the theme adds in between do not
 * matter.
 */
function headingFindings(page: HtmlPage, sent: HtmlPage): PageFinding[] {
  const there = page.headings.map(letters);
  const wanted = sent.headings.filter((heading) => letters(heading) !== "");
  const missing = wanted.filter((heading) => !there.includes(letters(heading)));
  if (missing.length > 0) return missing.slice(0, 5).map((heading) => found("heading_missing", heading));
  let from = 0;
  for (const heading of wanted) {
    const place = there.indexOf(letters(heading), from);
    if (place < 0) return [found("headings_disordered", heading)];
    from = place + 1;
  }
  return [];
}

function pictureFindings({ pictures }: HtmlPage, expected: ExpectedPage): PageFinding[] {
  return pictures.length < expected.pictures
    ? [found("picture_missing", `${pictures.length} / ${expected.pictures}`)]
    : [];
}

/** Code that the author shows on purpose is text in what was sent, too. */
function codeFindings(page: HtmlPage, sent: HtmlPage): PageFinding[] {
  const meant = letters(sent.readable.join(" "));
  for (const block of page.readable) {
    const kind = codeIn(block);
    if (kind && !meant.includes(letters(block)))
      return [found("code_visible", `${kind.toUpperCase()}, ${block}`)];
  }
  return [];
}

/** `none` means noindex and nofollow. A header may name a robot: `googlebot: noindex`; other names have their own values. */
const forbids = (said: string) =>
  said.split(",").some((directive) => {
    const [name = "", value = name] = directive.split(":");
    if (/^\s*(?:max-|unavailable_after)/.test(name)) return false;
    return value.split(/\s+/).some((word) => word === "noindex" || word === "none");
  });

function noindexFindings({ html, robotsTag }: FetchedPage): PageFinding[] {
  const meta = html.robots.find(forbids);
  if (meta !== undefined) return [found("noindex", `<meta name="robots" content="${meta}">`)];
  return forbids(robotsTag) ? [found("noindex", `X-Robots-Tag: ${robotsTag}`)] : [];
}

/** Expects the given address, or the page's own. A page without a canonical address leaves it to search engines. */
function canonicalFindings({ url, html }: FetchedPage, { canonicalUrl }: ExpectedPage): PageFinding[] {
  if (html.canonical === undefined)
    return canonicalUrl ? [found("canonical_differs", `none, not ${canonicalUrl}`)] : [];
  const named = addressOn({ url, html }, html.canonical);
  return named !== undefined && sameAddress(named, canonicalUrl ?? url)
    ? []
    : [found("canonical_differs", html.canonical)];
}

/** Resolves an address on the page; undefined if it is not valid. */
export function addressOn(
  { url, html }: Pick<FetchedPage, "url" | "html">,
  part: string,
): string | undefined {
  const base = (html.base !== undefined && parsedUrl(html.base, url)?.href) || url;
  return parsedUrl(part, base)?.href;
}

/** Search engines and sites treat addresses with and without a trailing slash as the same. */
function sameAddress(one: string, other: string): boolean {
  const plain = (address: string) => {
    const { origin, pathname, search } = new URL(address);
    return `${origin}${safelyDecoded(pathname).replace(/\/$/, "")}${search}`;
  };
  return parsedUrl(other) !== undefined && plain(one) === plain(other);
}

function safelyDecoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
