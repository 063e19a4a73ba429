/** What an update changes on its page: a line at the review, and a file with every paragraph. */
import type { Language } from "../../../dialogs/index.ts";
import { type ArticleDiff, articleDiff } from "../../refresh/article-diff.ts";
import { diffPage } from "../../refresh/diff-page.ts";
import { inStep, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";
import type { ArticleTurn } from "./article-states.ts";

export async function sendChanges(turn: ArticleTurn) {
  const { language, data } = turn;
  const diff = await ifFound(() => articleDiff(inStep(turn).sql, whoseOf(turn), data.runId));
  if (!diff) return { refuse: texts[language].articles.gone };
  const say = texts[language].articles.changes;
  const page = diffPage(diff, language, {
    title: say.title,
    address: say.address,
    lead: changesText(diff, language),
  });
  return {
    to: "@stay" as const,
    say: [{ document: { bytes: new TextEncoder().encode(page) }, name: say.fileName }],
  };
}

/** How much of the page changes. */
export function changesText(
  { is_known, added, removed, words }: Pick<ArticleDiff, "is_known" | "added" | "removed" | "words">,
  language: Language,
): string {
  const say = texts[language].articles.changes;
  return is_known ? say.line(added, removed, words.before ?? 0, words.after) : say.unknown;
}
