/** Formatting of a stripped text; the provider does not document the unit, UTF-16 is assumed. */
export interface Markup {
  type: MarkupType;
  from: number;
  length: number;
  url?: string;
  user_link?: string;
  user_id?: number;
}

export type MarkupType =
  | "strong"
  | "emphasized"
  | "strikethrough"
  | "underline"
  | "monospaced"
  | "link"
  | "heading"
  | "highlighted"
  | "quote"
  | "user_mention";

export interface FormattedText {
  text: string;
  markup: Markup[];
}

/** A mark without its position. */
export type Mark = Omit<Markup, "from" | "length">;

/** Collects a text and its marks. */
export interface TextWriter {
  write(text: string): void;
  /** Marks everything that `body` writes; a mark that is already open is not repeated. */
  marked(mark: Mark, body: () => void): void;
  result(): FormattedText;
}

export function createTextWriter(): TextWriter {
  let text = "";
  const markup: Markup[] = [];
  const open = new Set<MarkupType>();

  return {
    write(piece) {
      text += piece;
    },
    marked(mark, body) {
      if (open.has(mark.type)) return body();
      const placed = { ...mark, from: text.length, length: 0 };
      markup.push(placed);
      open.add(mark.type);
      body();
      open.delete(mark.type);
      placed.length = text.length - placed.from;
    },
    result: () => ({ text, markup: markup.filter((mark) => mark.length > 0) }),
  };
}

/** A link to `max://user/ID` mentions a person, any other link is a link. */
export function linkMark(url: string): Mark {
  const user = /^max:\/\/user\/(-?\d+)$/.exec(url)?.[1];
  return user === undefined ? { type: "link", url } : { type: "user_mention", user_id: Number(user) };
}
