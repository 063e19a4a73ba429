import type { Language } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import type { CompetitorResult } from "../../competitors/competitor-run.ts";
import { texts } from "../texts/index.ts";

/** A message holds 4096 characters; every part gets its share. */
const most = { line: 160, lines: 5, meta: 500, title: 150 } as const;

/** Pages, topics, gaps and advice. */
export function competitorText(found: CompetitorResult, language: Language): string {
  const say = texts[language].analysis.competitor.found;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : ["", title, ...lines.slice(0, most.lines).map((line) => `• ${cut(line, most.line)}`)];
  return [
    say.title(cut(found.url, 200)),
    ...(found.title === "" ? [] : [cut(found.title, most.title)]),
    found.pages === null ? say.noPages : say.pages(found.pages),
    ...part(say.topics, found.key_topics),
    ...part(say.gaps, found.content_gaps),
    ...(found.meta_analysis === "" ? [] : ["", say.meta, cut(found.meta_analysis, most.meta)]),
    ...part(say.advice, found.recommendations),
  ].join("\n");
}
