import type { Schema } from "hast-util-sanitize";

/**
 * The tags that a model's text may have: the list of seeds/1 §5.8. `script` is missing because only our own structured data are
 * one; `pre` and `code` are added because an unreadable text is shown as `pre` (E47).
 */
export const allowedTags = [
  ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "img", "ul", "ol", "li", "strong", "em", "b", "i"],
  ...["blockquote", "table", "thead", "tbody", "tr", "th", "td", "span", "br", "hr", "figure", "figcaption"],
  ...["pre", "code"],
] as const;

/** Attributes by tag, by their names in hast. Values are checked in `sanitise.ts`. */
export const allowedAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title", "target", "rel"],
  img: ["src", "alt", "width", "height", "loading"],
  span: ["style"],
  td: ["colSpan", "rowSpan"],
  th: ["colSpan", "rowSpan"],
};

/** Their content is never text, so it is dropped with them. */
const neverText = [
  ...["script", "style", "iframe", "object", "embed", "template", "svg", "math", "noscript", "head", "title"],
  ...["textarea", "select", "button", "audio", "video", "canvas", "xmp", "noembed", "noframes", "plaintext"],
];

const inTable = ["table"];

export const allowedByDocument: Schema = {
  tagNames: [...allowedTags],
  attributes: Object.fromEntries(Object.entries(allowedAttributes).map(([tag, names]) => [tag, [...names]])),
  // Out of their place, parsers move these, so a page would not be read as it was written.
  ancestors: {
    ...{ thead: inTable, tbody: inTable, tr: inTable, th: inTable, td: inTable },
    ...{ li: ["ul", "ol"], figcaption: ["figure"] },
  },
  protocols: { href: ["http", "https", "mailto", "tel"] },
  strip: neverText,
  clobber: [],
  clobberPrefix: "",
  required: {},
  allowComments: false,
  allowDoctypes: false,
};

/** Schemes of links; relative addresses are completed before they are checked. */
export const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** How deep elements may nest; the documents of posts have the same limit. */
export const deepest = 50;
