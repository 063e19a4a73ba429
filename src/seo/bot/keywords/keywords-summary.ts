/** What a search for phrases has brought, in a few lines. */
import type { Language } from "../../../dialogs/index.ts";
import type { KeywordsResult } from "../../keywords/keywords-run.ts";
import { texts } from "../texts/index.ts";
import { placesLine, topLines } from "./cluster-lines.ts";

interface Counts {
  readonly clusters: number;
  readonly phrases: number;
  /** How many were ordered. */
  readonly wanted?: number;
}

type Brought = Pick<KeywordsResult, "country" | "region" | "warning" | "notes">;

/** "15 кластеров (100 фраз)", and what is missing. The category's screen below it names the places of the volumes. */
export function broughtText({ clusters, phrases, wanted = 0 }: Counts, brought: Brought, language: Language) {
  const { keywords } = texts[language];
  return [
    keywords.result.done(keywords.counts(clusters, phrases)),
    ...(phrases < wanted ? [keywords.result.fewer(phrases, wanted)] : []),
    ...(brought.warning ? [keywords.result.warning(brought.warning[language])] : []),
    ...brought.notes.map((note) => note[language]),
  ].join("\n");
}

/** The same with the places of the volumes, for those who do not see the category's screen next. */
export function placedText(counts: Counts, brought: Brought, language: Language): string {
  const { country, region } = brought;
  const places = placesLine(
    { google: country?.[language] ?? "", yandex: region?.[language] ?? "" },
    language,
  );
  return [broughtText(counts, brought, language), ...(places === undefined ? [] : [places])].join("\n");
}

/** And with the best clusters. */
export function keywordsSummary(result: KeywordsResult, wanted: number, language: Language): string {
  const { clusters, phrases } = result;
  const brought = placedText({ clusters: clusters.length, phrases, wanted }, result, language);
  return `${brought}\n\n${topLines(clusters, language).join("\n")}`;
}
