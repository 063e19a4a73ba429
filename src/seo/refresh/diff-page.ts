/** The difference as a page for a browser: what goes is struck out, what comes is underlined. */
import type { ArticleDiff } from "./article-diff.ts";

export interface DiffWords {
  readonly title: string;
  readonly address: string;
  readonly lead: string;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const tags = { same: "p", added: "ins", removed: "del" } as const;

export function diffPage({ parts, title, url }: ArticleDiff, language: "ru" | "en", say: DiffWords): string {
  const heading =
    title.before === null || title.before === title.after
      ? escaped(title.after)
      : `<del>${escaped(title.before)}</del> <ins>${escaped(title.after)}</ins>`;
  const body = parts.map(({ kind, text }) => `<${tags[kind]}>${escaped(text)}</${tags[kind]}>`).join("\n");
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(say.title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }
p, ins, del { display: block; margin: 0 0 1rem; white-space: pre-wrap; }
h1 ins, h1 del { display: inline; }
ins { background: #e3f6e3; text-decoration: none; border-left: 4px solid #2e7d32; padding-left: .5rem; }
del { background: #fbe6e6; color: #8a1c1c; border-left: 4px solid #c62828; padding-left: .5rem; }
</style></head><body>
<h1>${heading}</h1>
<p>${escaped(say.address)} ${escaped(url)}</p>
<p>${escaped(say.lead)}</p>
${body}
</body></html>
`;
}
