import type { FastifyReply } from "fastify";
import { escapeHtml, readerPageHeaders } from "./html.ts";

/** Marks text as HTML; everything else in a page is escaped. */
export interface Html {
  readonly html: string;
}

export type HtmlPart = Html | readonly HtmlPart[] | string | number | false | undefined;

/** A template for pages: html`<b>${name}</b>`. Values are escaped unless they are HTML. */
export function html(texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = texts.map((text, index) => text + (index < parts.length ? written(parts[index]) : ""));
  return { html: pieces.join("") };
}

function written(part: HtmlPart): string {
  if (part === undefined || part === false) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map(written).join("");
}

export interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  readonly status?: number;
  readonly lang?: "ru" | "en";
  /** Whether it contains a form to submit. */
  readonly form?: boolean;
}

/** A page without scripts. */
export function sendPage(reply: FastifyReply, page: PageParts): FastifyReply {
  const { title, style, body, status = 200, lang = "ru", form = false } = page;
  const policy = readerPageHeaders["content-security-policy"] ?? "";
  return reply
    .code(status)
    .headers({
      ...readerPageHeaders,
      // The form's answer redirects to the program's own address, so no target can be named here.
      ...(form && { "content-security-policy": policy.replace("; form-action 'none'", "") }),
    })
    .send(
      `<!doctype html><html lang="${lang}"><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>` +
        `<style>${style}</style><body>${body.html}</body></html>`,
    );
}
