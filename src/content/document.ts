/** The text of a post, independent of any platform. Immutable and JSON-serialisable. */
export interface Document {
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | Heading | List | Quote | Preformatted | Image | Table | Contents;

export interface Paragraph {
  readonly type: "paragraph";
  readonly children: readonly Inline[];
}

export interface Heading {
  readonly type: "heading";
  readonly level: number;
  /** Where jumps of the same text lead; no other heading has it. */
  readonly id?: string;
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

export interface Table {
  readonly type: "table";
  /** Rows with the names of the columns. */
  readonly head: readonly TableRow[];
  readonly rows: readonly TableRow[];
}

export type TableRow = readonly TableCell[];

export interface TableCell {
  /** Whether it names its row or column. */
  readonly isHeader: boolean;
  /** How many columns and rows it takes, if more than one. */
  readonly columns?: number;
  readonly rows?: number;
  readonly children: readonly Inline[];
}

/** A list of contents: jumps to headings of the same text. Only pages show it. */
export interface Contents {
  readonly type: "contents";
  readonly blocks: readonly Block[];
}

export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: Decoration; readonly children: readonly Inline[] }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
  /** A link to a heading of the same text. */
  | { readonly type: "jump"; readonly id: string; readonly children: readonly Inline[] }
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
