/** What a page of Telegraph is made of. */
export type TelegraphNode = string | TelegraphElement;

export interface TelegraphElement {
  readonly tag: TelegraphTag;
  readonly attrs?: { readonly href?: string; readonly src?: string };
  readonly children?: readonly TelegraphNode[];
}

/** Those of Telegraph's tags that a document needs. */
export type TelegraphTag =
  | "a"
  | "b"
  | "blockquote"
  | "br"
  | "code"
  | "figcaption"
  | "figure"
  | "h3"
  | "h4"
  | "i"
  | "img"
  | "li"
  | "ol"
  | "p"
  | "pre"
  | "s"
  | "u"
  | "ul";
