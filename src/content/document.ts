/** A post's text as people mean it, before any platform has a say. Immutable and JSON-serialisable. */
export interface Document {
  readonly blocks: readonly Block[];
}

export type Block = Paragraph | Heading | List | Quote | Preformatted;

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
  /** Shown folded until the reader opens it. */
  readonly expandable: boolean;
  readonly blocks: readonly Block[];
}

export interface Preformatted {
  readonly type: "pre";
  readonly language?: string;
  readonly text: string;
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

/** The network in which a mentioned person is known. */
export type Network = "telegram" | "max";

export const emptyDocument: Document = { blocks: [] };
