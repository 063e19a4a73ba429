import type { Site } from "../model.ts";
import { escapeHtml } from "../text/kses.ts";
import { styles } from "./styles.ts";

export interface Page {
  readonly title: string;
  /** HTML in `<head>` besides the title. */
  readonly head?: string;
  readonly home?: string;
  readonly content: string;
}

/** The frame of every page: the site's name above, the page, and a line below. */
export function document(site: Site, { title, head = "", home = "#", content }: Page): string {
  const { options } = site;
  const full = title === options.title ? title : `${title} – ${options.title}`;
  const initial = [...options.title][0] ?? "W";
  return `<!doctype html>
<html lang="${options.locale === "ru_RU" ? "ru" : "en"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(full)}</title>
${head}
<meta name="generator" content="WordPress ${escapeHtml(options.version)}">
<style>${styles}</style>
</head>
<body>
<header class="site"><a class="brand" href="${escapeHtml(home)}"><span class="mark">${escapeHtml(initial)}</span>
<span><strong>${escapeHtml(options.title)}</strong>${options.tagline && `<small>${escapeHtml(options.tagline)}</small>`}</span></a></header>
<main>
${content}
</main>
<footer class="site">${escapeHtml(options.title)} · WordPress ${escapeHtml(options.version)}</footer>
</body>
</html>
`;
}
