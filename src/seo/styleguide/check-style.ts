import type { Language } from "../language/index.ts";
import { readArticle } from "../score/index.ts";
import { compareStyle, type StyleDeviation } from "./compare-style.ts";
import type { StyleFeatures } from "./guide.ts";
import { measureStyle } from "./measure-style.ts";

/** Where a text is unlike its project's style; empty if it is alike, or too short to tell. Never throws. */
export function checkStyle(
  { body, format }: { readonly body: string; readonly format: "markdown" | "html" },
  guide: StyleFeatures,
  { morphology }: Language,
): StyleDeviation[] {
  try {
    return compareStyle(guide, measureStyle([readArticle(body, format).blocks], morphology));
  } catch {
    // The dictionary failed: the score says so, and a style that cannot be measured has no deviations.
    return [];
  }
}

/** One deviation in a line of a language. */
export const deviationText = ({ label, found, usual, change }: StyleDeviation, lang: "ru" | "en"): string =>
  `${label[lang]}: ${found[lang]} (${lang === "ru" ? "обычно" : "usually"} ${usual[lang]}). ${change[lang]}`;
