import { badRequest } from "../api-error.ts";
import { type Entity, type EntityType, type FormattedText, inOrder } from "./entity.ts";
import { checkedLink, mentionedUser } from "./link.ts";

/** As the provider calls them in its errors. */
type Kind =
  | "Bold"
  | "Italic"
  | "Underline"
  | "Strikethrough"
  | "Spoiler"
  | "Code"
  | "Pre"
  | "PreCode"
  | "TextUrl"
  | "CustomEmoji"
  | "BlockQuote";

interface OpenEntity {
  readonly kind: Kind;
  /** Where it begins, in the source and in the result. */
  readonly begin: number;
  readonly offset: number;
  readonly language?: string;
  expandable?: boolean;
}

const simpleTypes: Readonly<Partial<Record<Kind, EntityType>>> = {
  Bold: "bold",
  Italic: "italic",
  Underline: "underline",
  Strikethrough: "strikethrough",
  Spoiler: "spoiler",
  Code: "code",
  Pre: "pre",
  PreCode: "pre",
};

const closing: Readonly<Record<Kind, string>> = {
  Bold: "*",
  Italic: "_",
  Underline: "__",
  Strikethrough: "~",
  Spoiler: "||",
  Code: "`",
  Pre: "```",
  PreCode: "```",
  TextUrl: "]",
  CustomEmoji: "]",
  BlockQuote: "",
};

const reserved = "_*[]()~`>#+-=|{}.!\n";

/** MarkdownV2: every reserved character is markup or must be escaped; entities nest. */
export function parseMarkdownV2(source: string): FormattedText {
  const open: OpenEntity[] = [];
  const entities: Entity[] = [];
  let text = "";
  let at = 0;

  while (at < source.length) {
    const character = source.charAt(at);
    const top = open.at(-1);
    if (character === "\\" && isEscapable(source.charCodeAt(at + 1))) {
      text += source.charAt(at + 1);
      at += 2;
    } else if (!(isLiteral(top) ? "`" : reserved).includes(character)) {
      text += character;
      at += 1;
    } else if (character === "\n") {
      text += character;
      at += 1;
      if (open.some((each) => each.kind === "BlockQuote")) at = continueOrEndQuote();
    } else if (top && closesHere(top)) {
      open.pop();
      at = close(top, at + closing[top.kind].length);
    } else {
      at = begin(character);
    }
  }
  endQuote();
  const unclosed = open.at(-1);
  if (unclosed) throw unclosedError(unclosed);
  return { text, entities: inOrder(entities) };

  function closesHere({ kind }: OpenEntity): boolean {
    if (kind === "BlockQuote") return false;
    // Two underscores are underline, so a single one closes italic only when none follows it.
    if (kind === "Italic" && source[at + 1] === "_") return false;
    return source.startsWith(closing[kind], at);
  }

  function begin(character: string): number {
    const start = (kind: Kind, length: number, language?: string) => {
      open.push({ kind, begin: at, offset: text.length, ...(language && { language }) });
      return at + length;
    };
    switch (character) {
      case "_":
        return source[at + 1] === "_" ? start("Underline", 2) : start("Italic", 1);
      case "*":
        return start("Bold", 1);
      case "~":
        return start("Strikethrough", 1);
      case "[":
        return start("TextUrl", 1);
      case "|":
        if (source[at + 1] !== "|") break;
        return markExpandable() ? at + 2 : start("Spoiler", 2);
      case "!":
        if (source[at + 1] !== "[") break;
        return start("CustomEmoji", 2);
      case "`": {
        if (!source.startsWith("```", at)) return start("Code", 1);
        const language = preLanguage(source.slice(at + 3));
        if (language === undefined) return start("Pre", 3 + lineBreakAt(at + 3));
        const length = 3 + language.length;
        return start("PreCode", length + lineBreakAt(at + length), language);
      }
      case ">":
        if (!canBeginQuote()) break;
        return start("BlockQuote", 1);
    }
    throw parseError(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
  }

  /** `||` at the end of a quote's line makes the quote expandable; it does not begin a spoiler. */
  function markExpandable(): boolean {
    const top = open.at(-1);
    const next = source[at + 2];
    if (top?.kind !== "BlockQuote" || (next !== undefined && next !== "\n" && next !== "\r")) return false;
    top.expandable = true;
    return true;
  }

  function canBeginQuote(): boolean {
    return !open.some((each) => each.kind === "BlockQuote") && (text === "" || /[\n\r]$/.test(text));
  }

  /** After a line break inside a quote: `>` continues it, anything else ends it. */
  function continueOrEndQuote(): number {
    const folded = open.some((each) => each.kind === "BlockQuote" && each.expandable);
    if (source[at] === ">" && !folded) return at + 1;
    endQuote();
    return at;
  }

  function endQuote(): void {
    if (!open.some((each) => each.kind === "BlockQuote")) return;
    const top = open.pop();
    if (top?.kind !== "BlockQuote") throw unclosedError(top);
    push(top.expandable ? "expandable_blockquote" : "blockquote", top.offset);
  }

  /** Closes `entity`, whose closing delimiter has been read; returns where parsing continues. */
  function close(entity: OpenEntity, from: number): number {
    const { kind, offset } = entity;
    const simple = simpleTypes[kind];
    if (simple) {
      push(simple, offset, entity.language === undefined ? {} : { language: entity.language });
      return from;
    }
    if (source[from] !== "(") {
      if (kind === "CustomEmoji") throw parseError("Custom emoji entity must contain a tg://emoji URL");
      pushLink(offset, text.slice(offset));
      return from;
    }
    const address = readAddress(from + 1, kind);
    if (kind === "CustomEmoji") push("custom_emoji", offset, { custom_emoji_id: emojiId(address.text) });
    else pushLink(offset, address.text);
    return address.end;
  }

  function readAddress(from: number, kind: Kind): { text: string; end: number } {
    let address = "";
    let end = from;
    while (end < source.length && source[end] !== ")") {
      if (source[end] === "\\" && isEscapable(source.charCodeAt(end + 1))) end += 1;
      address += source.charAt(end);
      end += 1;
    }
    if (end >= source.length) {
      const what = kind === "CustomEmoji" ? "a custom emoji URL" : "a URL";
      throw parseError(`Can't find end of ${what} at byte offset ${byteAt(from)}`);
    }
    return { text: address, end: end + 1 };
  }

  function pushLink(offset: number, address: string): void {
    const user = mentionedUser(address);
    const url = checkedLink(address);
    if (user !== undefined) push("text_mention", offset, { user: { id: user } });
    else if (url !== undefined) push("text_link", offset, { url });
  }

  function push(type: EntityType, offset: number, extra: Partial<Entity> = {}): void {
    const length = text.length - offset;
    if (length > 0) entities.push({ type, offset, length, ...extra });
  }

  function lineBreakAt(index: number): number {
    return /^(\n\r|\r\n|\n|\r)/.exec(source.slice(index, index + 2))?.[0].length ?? 0;
  }

  function unclosedError(entity: OpenEntity | undefined) {
    return parseError(
      `Can't find end of ${entity?.kind} entity at byte offset ${byteAt(entity?.begin ?? 0)}`,
    );
  }

  function byteAt(index: number): number {
    return Buffer.byteLength(source.slice(0, index));
  }
}

/** The word right after the fence, if something other than the closing fence follows it. */
export function preLanguage(afterFence: string): string | undefined {
  const word = /^[^\s`]+(?=[^`])/.exec(afterFence)?.[0];
  return word !== undefined && /^\s/.test(afterFence.slice(word.length)) ? word : undefined;
}

function emojiId(address: string): string {
  const [, scheme = "", host = "", query = ""] =
    /^([a-z]+):(?:\/\/)?([^/?#]*)\/?(?:\?([^#]*))?/i.exec(address) ?? [];
  if (scheme.toLowerCase() !== "tg") throw parseError("Custom emoji URL must have scheme tg");
  if (host.toLowerCase() !== "emoji") throw parseError('Custom emoji URL must have host "emoji"');
  const id = new URLSearchParams(query).get("id");
  if (id === null) throw parseError("Custom emoji URL must have an emoji identifier");
  if (!/^[1-9]\d*$/.test(id)) throw parseError("Invalid custom emoji identifier specified");
  return id;
}

function isLiteral(entity: OpenEntity | undefined): boolean {
  return entity?.kind === "Code" || entity?.kind === "Pre" || entity?.kind === "PreCode";
}

/** A backslash escapes ASCII characters only; before anything else it is a backslash. */
function isEscapable(code: number): boolean {
  return code > 0 && code <= 126;
}

function parseError(reason: string) {
  return badRequest(`can't parse entities: ${reason}`);
}
