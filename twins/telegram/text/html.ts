import { badRequest } from "../api-error.ts";
import { type Entity, type EntityType, type FormattedText, inOrder } from "./entity.ts";
import { checkedLink, mentionedUser } from "./link.ts";

interface OpenTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Where its text begins in the result. */
  readonly offset: number;
}

const plainTags: Readonly<Record<string, EntityType>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  span: "spoiler",
  "tg-spoiler": "spoiler",
  pre: "pre",
};
const richTags = new Set(["a", "code", "blockquote", "tg-emoji", "tg-time"]);

/** The provider's HTML: a short list of tags; any other one is refused with its byte offset. */
export function parseHtml(source: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: Entity[] = [];
  let text = "";
  let at = 0;

  while (at < source.length) {
    const character = source[at];
    if (character === "&") {
      const decoded = decodeReference(source, at);
      text += decoded.text;
      at += decoded.length;
    } else if (character !== "<") {
      text += character;
      at += 1;
    } else if (source[at + 1] === "/") {
      at = closeTag(at);
    } else {
      const tag = readStartTag(source, at);
      open.push({ name: tag.name, attributes: tag.attributes, offset: text.length });
      at = tag.end;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw parseError(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: inOrder(joinPreAndCode(entities)) };

  function closeTag(begin: number): number {
    const tag = open.pop();
    if (!tag) throw parseError(`Unexpected end tag at byte offset ${byteAt(source, begin)}`);
    let end = begin + 2;
    while (end < source.length && !isSpace(source[end]) && source[end] !== ">") end += 1;
    const name = source.slice(begin + 2, end).toLowerCase();
    end = skipSpace(source, end);
    if (source[end] !== ">") throw parseError(`Unclosed end tag at byte offset ${byteAt(source, begin)}`);
    if (name !== "" && name !== tag.name) {
      throw parseError(
        `Unmatched end tag at byte offset ${byteAt(source, begin)}, expected "</${tag.name}>", found "</${name}>"`,
      );
    }
    if (text.length > tag.offset) {
      const entity = entityOf(tag, text.slice(tag.offset));
      if (entity) entities.push(entity);
    }
    return end + 1;
  }
}

function entityOf({ name, attributes, offset }: OpenTag, content: string): Entity | undefined {
  const place = { offset, length: content.length };
  const plain = plainTags[name];
  if (plain) return { type: plain, ...place };
  switch (name) {
    case "code": {
      const language = /^language-(.+)$/s.exec(attributes.get("class") ?? "")?.[1];
      return { type: "code", ...place, ...(language && { language }) };
    }
    case "blockquote":
      return { type: attributes.has("expandable") ? "expandable_blockquote" : "blockquote", ...place };
    case "a": {
      const address = attributes.get("href") || content;
      const user = mentionedUser(address);
      if (user !== undefined) return { type: "text_mention", ...place, user: { id: user } };
      const url = checkedLink(address);
      return url === undefined ? undefined : { type: "text_link", ...place, url };
    }
    case "tg-emoji": {
      const id = attributes.get("emoji-id") ?? "";
      if (!/^[1-9]\d*$/.test(id)) throw parseError("Invalid custom emoji identifier specified");
      return { type: "custom_emoji", ...place, custom_emoji_id: id };
    }
    case "tg-time": {
      const unix = attributes.get("unix") ?? "";
      if (!/^\d+$/.test(unix)) throw parseError("Invalid Unix time specified");
      const format = attributes.get("format");
      return {
        type: "date_time",
        ...place,
        unix_time: Number(unix),
        ...(format && { date_time_format: format }),
      };
    }
    default:
      throw new Error(`no entity is known for the tag ${name}`);
  }
}

/**
 * `pre` and `code` with a language over the same text are one block of that language; elsewhere the language is
 * dropped.
 */
function joinPreAndCode(entities: readonly Entity[]): Entity[] {
  const sameText = (a: Entity, b: Entity) => a.offset === b.offset && a.length === b.length;
  const named = entities.filter((each) => each.type === "code" && each.language !== undefined);
  const joined = named.filter((code) => entities.some((each) => each.type === "pre" && sameText(each, code)));
  return entities
    .filter((each) => !joined.includes(each))
    .map((each) => {
      const { language: _, ...bare } = each;
      const language =
        each.type === "pre" ? joined.find((code) => sameText(code, each))?.language : undefined;
      return language === undefined ? bare : { ...bare, language };
    });
}

interface StartTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** The index after `>`. */
  readonly end: number;
}

function readStartTag(source: string, begin: number): StartTag {
  const byteOffset = byteAt(source, begin);
  let at = begin + 1;
  while (at < source.length && !isSpace(source[at]) && source[at] !== ">") at += 1;
  if (at >= source.length) throw parseError(`Unclosed start tag at byte offset ${byteOffset}`);
  const name = source.slice(begin + 1, at).toLowerCase();
  if (!Object.hasOwn(plainTags, name) && !richTags.has(name)) {
    throw parseError(`Unsupported start tag "${name}" at byte offset ${byteOffset}`);
  }

  const attributes = new Map<string, string>();
  for (;;) {
    at = skipSpace(source, at);
    if (source[at] === ">") break;
    const nameBegin = at;
    while (at < source.length && !isSpace(source[at]) && source[at] !== "=" && source[at] !== ">") at += 1;
    const attribute = source.slice(nameBegin, at).toLowerCase();
    if (attribute === "") {
      throw parseError(`Empty attribute name in the tag "${name}" at byte offset ${byteOffset}`);
    }
    at = skipSpace(source, at);
    if (at >= source.length) throw parseError(`Unclosed start tag "${name}" at byte offset ${byteOffset}`);
    if (source[at] !== "=") {
      attributes.set(attribute, "");
      continue;
    }
    at = skipSpace(source, at + 1);
    if (at >= source.length) throw parseError(`Unclosed start tag "${name}" at byte offset ${byteOffset}`);
    const value = readAttributeValue(source, at, byteOffset);
    attributes.set(attribute, value.text);
    at = value.end;
  }
  if (name === "span" && attributes.get("class") !== "tg-spoiler") {
    throw parseError(`Tag "span" must have class "tg-spoiler" at byte offset ${byteOffset}`);
  }
  return { name, attributes, end: at + 1 };
}

function readAttributeValue(source: string, begin: number, tagOffset: number): { text: string; end: number } {
  const quote = source[begin];
  if (quote !== '"' && quote !== "'") {
    const [token = ""] = /^[a-zA-Z0-9.-]*/.exec(source.slice(begin)) ?? [];
    const end = begin + token.length;
    if (!isSpace(source[end]) && source[end] !== ">") {
      throw parseError(`Unexpected end of name token at byte offset ${byteAt(source, end)}`);
    }
    return { text: token, end };
  }
  let text = "";
  let at = begin + 1;
  while (at < source.length && source[at] !== quote) {
    const decoded = source[at] === "&" ? decodeReference(source, at) : { text: source[at], length: 1 };
    text += decoded.text;
    at += decoded.length;
  }
  if (at >= source.length) throw parseError(`Unclosed start tag at byte offset ${tagOffset}`);
  return { text, end: at + 1 };
}

const namedReferences: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** Four names and numbers; anything else that begins with an ampersand stays as it is. */
function decodeReference(source: string, at: number): { text: string; length: number } {
  const found = /^&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?/i.exec(source.slice(at, at + 16));
  const [whole = "&", hex, decimal, name] = found ?? [];
  const asWritten = { text: "&", length: 1 };
  if (name !== undefined) {
    // The semicolon may be missing, so `&ltimes` would read as `<imes`: only exact names count.
    const text = Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined;
    return text === undefined ? asWritten : { text, length: whole.length };
  }
  const code = hex ? Number.parseInt(hex, 16) : Number(decimal ?? 0);
  const isCharacter = code > 0 && code < 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? { text: String.fromCodePoint(code), length: whole.length } : asWritten;
}

function parseError(reason: string) {
  return badRequest(`can't parse entities: ${reason}`);
}

function byteAt(source: string, index: number): number {
  return Buffer.byteLength(source.slice(0, index));
}

/** The end of the text counts as space, as with zero-terminated strings. */
function isSpace(character: string | undefined): boolean {
  return character === undefined || /[ \t\r\n\v\0]/.test(character);
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (at < source.length && isSpace(source[at])) at += 1;
  return at;
}
