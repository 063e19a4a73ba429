import { fromHtml } from "./html.ts";
import { fromMarkdown } from "./markdown.ts";
import type { FormattedText } from "./markup.ts";

export type { FormattedText, Markup, MarkupType } from "./markup.ts";

export type TextFormat = "html" | "markdown";

/** The text as people see it, and its formatting. */
export function formatted(text: string, format: TextFormat | undefined): FormattedText {
  if (format === "html") return fromHtml(text);
  if (format === "markdown") return fromMarkdown(text);
  return { text, markup: [] };
}
