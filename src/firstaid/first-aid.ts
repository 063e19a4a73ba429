import type { Emergency } from "./signs.ts";
import { en } from "./texts-en.ts";
import { ru } from "./texts-ru.ts";

export interface FirstAid {
  /** That it is urgent, and where to go. */
  readonly alarm: string;
  /** What to do in the first minutes: hands only, never drugs or doses. */
  readonly steps: readonly string[];
  /** Where clinics that are open now are found. */
  readonly clinics: { readonly label: string; readonly url: string };
}

export function firstAidFor(kind: Emergency, language: "ru" | "en"): FirstAid {
  const texts = language === "ru" ? ru : en;
  return { alarm: texts.alarm, steps: texts.steps[kind], clinics: texts.clinics };
}
