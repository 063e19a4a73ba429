import { blocksOf, inlinesOnly, type Node } from "./blocks.ts";
import { deepest } from "./check-tags.ts";
import { cleanSource } from "./clean-source.ts";
import { at as placed } from "./clean-text.ts";
import type { Decoration, Inline } from "./document.ts";
import { isBlank } from "./inlines.ts";
import { linkTo } from "./link-to.ts";
import type { Parsed } from "./parse.ts";
import { type ContentErrorCode, positionAt } from "./problem.ts";

/** Markers that open and close, the longer first. */
const decorations: readonly (readonly [sign: string, type: Decoration])[] = [
  ["__", "underline"],
  ["||", "spoiler"],
  ["*", "bold"],
  ["_", "italic"],
  ["~", "strike"],
];

/** Characters with a meaning, and those that must be escaped. */
const reserved = /[_*[\]()~`>#+\-=|{}.!]/;

type Mark = Decoration | "link" | "emoji" | "quote";

interface Frame {
  readonly mark: Mark | "document";
  readonly sign: string;
  readonly offset: number;
  readonly nodes: Node[];
  expandable?: boolean;
}

/**
 * Telegram's MarkdownV2. An unclosed mark is refused, as by Telegram. A reserved character that opens nothing can only be
 * text, so it is read as text and reported.
 */
export function parseTelegramMarkdown(source: string): Parsed {
  const { text, log, original } = cleanSource(source);
  const document: Frame = { mark: "document", sign: "", offset: 0, nodes: [] };
  const open: Frame[] = [document];
  let at = 0;
  let lineStart = true;

  while (at < text.length) {
    const top = open.at(-1) ?? document;
    const character = text.charAt(at);
    if (character === "\\" && /[ -~]/.test(text.charAt(at + 1))) {
      write(text.charAt(at + 1));
      at += 2;
    } else if (character === "\n") {
      top.nodes.push({ type: "break" });
      at += 1;
      lineStart = true;
      const quote = open.find(({ mark }) => mark === "quote");
      if (quote && text[at] === ">" && !quote.expandable) at += 1;
      else if (quote) {
        if (top !== quote) return unclosed(top);
        closeQuote();
      }
    } else if (top.sign !== "" && closesHere(top)) {
      open.pop();
      at += top.sign.length;
      if (top.mark === "link" || top.mark === "emoji") {
        const refused = closeLink(top, top.mark);
        if (refused) return refused;
      } else if (top.mark !== "document" && top.mark !== "quote") addDecorated(top.mark, top.nodes);
    } else if (
      text.startsWith("||", at) &&
      top.mark === "quote" &&
      /^(?:\n|$)/.test(text.slice(at + 2, at + 3))
    ) {
      top.expandable = true;
      at += 2;
    } else if (character === "`") {
      const end = readCode();
      if (end === undefined) return refused("mark_unclosed", "code is not closed", at);
      at = end;
    } else if (!reserved.test(character)) {
      const [plain = character] = /^[^\\\n_*[\]()~`>#+\-=|{}.!]+/.exec(text.slice(at, at + 2_000)) ?? [];
      write(plain);
      at += plain.length;
    } else if (!begin(character)) {
      log.add("sign_as_text", at);
      write(character);
      at += 1;
    } else if (open.length > deepest) {
      return refused("nested_too_deeply", `marks lie more than ${deepest} deep`, at);
    }
  }
  if (open.at(-1)?.mark === "quote") closeQuote();
  const left = open.at(-1);
  if (left && left !== document) return unclosed(left);
  return { ok: true, document: { blocks: blocksOf(document.nodes) }, repairs: log.repairs };

  function write(written: string): void {
    open.at(-1)?.nodes.push({ type: "text", text: written });
    lineStart = false;
  }

  function closesHere({ sign, mark }: Frame): boolean {
    // Two of them mean underline, so one ends italic only if no second follows.
    if (mark === "italic" && text[at + 1] === "_") return false;
    return text.startsWith(sign, at);
  }

  /** Opens the mark that begins here; returns whether there is one. */
  function begin(character: string): boolean {
    const start = (mark: Mark, length: number, sign: string) => {
      open.push({ mark, sign, offset: at, nodes: [] });
      at += length;
      return true;
    };
    if (character === ">" && lineStart && open.length === 1) return start("quote", 1, "");
    const inLink = open.some(({ mark }) => mark === "link" || mark === "emoji");
    if (character === "[" && !inLink) return start("link", 1, "]");
    if (text.startsWith("![", at) && !inLink) return start("emoji", 2, "]");
    const found = decorations.find(([sign]) => text.startsWith(sign, at));
    return found ? start(found[1], found[0].length, found[0]) : false;
  }

  function addDecorated(type: Decoration, nodes: readonly Node[]): void {
    const children = inlinesOnly(nodes);
    open.at(-1)?.nodes.push(...(isBlank(children) ? children : [{ type, children }]));
  }

  function closeQuote(): void {
    const quote = open.pop();
    const blocks = blocksOf(quote?.nodes ?? []);
    if (blocks.length > 0)
      document.nodes.push({ type: "quote", expandable: quote?.expandable ?? false, blocks });
  }

  /** After `]`: the address follows in brackets, or the text is the address. */
  function closeLink(frame: Frame, mark: "link" | "emoji"): Parsed | undefined {
    const children = inlinesOnly(frame.nodes);
    const nodes = open.at(-1)?.nodes ?? [];
    if (text[at] !== "(") {
      log.add("sign_as_text", frame.offset);
      nodes.push({ type: "text", text: mark === "link" ? "[" : "![" }, ...children, {
        type: "text",
        text: "]",
      });
      return undefined;
    }
    const [whole, escaped = ""] = /^\(((?:\\[\s\S]|[^)\\])*)\)/.exec(text.slice(at)) ?? [];
    if (whole === undefined) return refused("mark_unclosed", "the address of a link is not closed", at);
    at += whole.length;
    const address = escaped.replace(/\\([ -~])/g, "$1");
    const emoji = mark === "emoji" ? /^tg:\/\/emoji\?id=(\d{1,20})$/.exec(address)?.[1] : undefined;
    if (emoji !== undefined && !isBlank(children))
      nodes.push({ type: "emoji", id: emoji, text: textOf(children) });
    else if (mark === "emoji") {
      log.add("link_dropped", frame.offset);
      nodes.push(...children);
    } else nodes.push(...linkTo(address, children, log, frame.offset));
    return undefined;
  }

  /** Adds the code that begins here and returns where it ends; undefined if it is not closed. */
  function readCode(): number | undefined {
    const fence = text.startsWith("```", at) ? "```" : "`";
    const inside = /^((?:\\[\s\S]|[^`\\])*)/.exec(text.slice(at + fence.length))?.[1] ?? "";
    const end = at + fence.length + inside.length;
    if (!text.startsWith(fence, end)) return undefined;
    const raw = inside.replace(/\\([ -~])/g, "$1");
    const nodes = open.at(-1)?.nodes ?? [];
    if (fence === "`") nodes.push(...codeOf(raw));
    else nodes.push(preOf(raw));
    lineStart = false;
    return end + fence.length;
  }

  function unclosed({ sign, mark, offset }: Frame): Parsed {
    return refused("mark_unclosed", mark === "link" ? "[ is not closed" : `${sign} is not closed`, offset);
  }

  function refused(code: ContentErrorCode, what: string, offset: number): Parsed {
    const position = positionAt(source, original(offset));
    return { ok: false, error: { code, message: `${what}, ${placed(position)}`, position } };
  }
}

export function codeOf(text: string): Inline[] {
  if (text === "") return [];
  return [text.trim() === "" ? { type: "text", text } : { type: "code", text }];
}

/** The word after the opening fence is the language if a line end follows it. */
export function preOf(inside: string): Node {
  const [head, language] = /^([\w#+.-]{1,30})?[ \t]*\n/.exec(inside) ?? [];
  const text = (head === undefined ? inside : inside.slice(head.length)).trimEnd();
  return text.trim() === ""
    ? { type: "text", text: "" }
    : { type: "pre", text, ...(language !== undefined && { language }) };
}

function textOf(inlines: readonly Inline[]): string {
  return inlines.map((inline) => ("text" in inline ? inline.text : "")).join("");
}
