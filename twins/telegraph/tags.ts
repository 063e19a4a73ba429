/** Every tag that a node may have. */
export const tags = [
  "a",
  "aside",
  "b",
  "blockquote",
  "br",
  "code",
  "em",
  "figcaption",
  "figure",
  "h3",
  "h4",
  "hr",
  "i",
  "iframe",
  "img",
  "li",
  "ol",
  "p",
  "pre",
  "s",
  "strong",
  "u",
  "ul",
  "video",
] as const;

export type Tag = (typeof tags)[number];

export function isTag(name: string): name is Tag {
  return tags.some((tag) => tag === name);
}
