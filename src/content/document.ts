/** The text of a post, independent of any platform. Immutable and JSON-serialisable. */
export interface Document {
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | Heading | List | Quote | Preformatted | Image;

export interface Paragraph {
  readonly type: "paragraph";
  readonly children: readonly Inline[];
}

export interface Heading {
  readonly type: "heading";
  readonly level: number;
  readonly children: readonly Inline[];
}

export interface List {
  readonly type: "list";
  readonly ordered: boolean;
  /** The number of the first item of an ordered list. */
  readonly start: number;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  readonly blocks: readonly Block[];
}

export interface Quote {
  readonly type: "quote";
  /** Shown collapsed until the reader expands it. */
  readonly expandable: boolean;
  readonly blocks: readonly Block[];
}

export interface Preformatted {
  readonly type: "pre";
  readonly language?: string;
  readonly text: string;
}

/** One of the post's media inside its text, with the alt text and the caption that it has there. */
export interface Image {
  readonly type: "image";
  /** Its index among the post's media. */
  readonly media: number;
}

export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: Decoration; readonly children: readonly Inline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  | {
      readonly type: "mention";
      readonly network: Network;
      readonly userId: string;
      readonly children: readonly Inline[];
    }
  /** A custom emoji; `text` is the ordinary emoji shown where the custom one is unknown. */
  | { readonly type: "emoji"; readonly id: string; readonly text: string }
  | { readonly type: "break" };

export type Decoration = "bold" | "italic" | "underline" | "strike" | "spoiler" | "highlight";

/** The network of the mentioned person. */
export type Network = "telegram" | "max";

export const emptyDocument: Document = { blocks: [] };
