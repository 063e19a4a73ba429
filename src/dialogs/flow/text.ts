/** Texts for people, plain or in Markdown, and how they look. */
import { z } from "zod";
import {
  createLossLog,
  joinMarkedTexts,
  type MarkedText,
  markedTextOf,
  parseContent,
  splitMarkedText,
} from "../../content/index.ts";

/** Markdown is CommonMark; what cannot be parsed is shown as it was written. */
export type Text = string | { readonly markdown: string };

/** A text with marks over it, as messengers show it. */
export type Formatted = MarkedText;

const place = { offset: z.number(), length: z.number() };
const kindShape = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["bold", "italic", "underline", "strike", "spoiler", "highlight", "code"]) }),
  z.object({ type: z.literal("pre"), language: z.string().exactOptional() }),
  z.object({ type: z.literal("link"), url: z.string() }),
  z.object({ type: z.literal("mention"), network: z.enum(["telegram", "max"]), userId: z.string() }),
  z.object({ type: z.literal("emoji"), id: z.string() }),
  z.object({ type: z.literal("heading"), level: z.number() }),
  z.object({ type: z.literal("quote"), expandable: z.boolean() }),
]);

/** As it is stored. */
export const formattedShape = z.object({
  text: z.string(),
  marks: z.array(z.object({ kind: kindShape, ...place })),
});

/** What every messenger opens; other addresses are written out. */
const linkSchemes: ReadonlySet<string> = new Set(["http:", "https:"]);

/** Joins parts by line breaks; absent ones leave no gap. */
export function laidOut(...parts: readonly (Text | Formatted | undefined)[]): Formatted {
  return joinMarkedTexts(parts.map((part) => (part === undefined ? plain("") : formatted(part))));
}

/** Splits into messages of at most this many UTF-16 units, at readable places. */
export function cut(whole: Formatted, longest: number): readonly Formatted[] {
  return splitMarkedText(whole, { longest, fits: () => true }) ?? [whole];
}

function formatted(text: Text | Formatted): Formatted {
  if (typeof text === "string") return plain(text);
  if ("text" in text) return text;
  const read = parseContent(text.markdown, "markdown");
  const flow = read.ok && markedTextOf(read.document, { linkSchemes, losses: createLossLog() });
  return flow && flow.text.trim() !== "" ? flow : plain(text.markdown);
}

function plain(text: string): Formatted {
  return { text, marks: [] };
}
