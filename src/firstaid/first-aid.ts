import type { Emergency } from "./emergency-signs.ts";
import { en } from "./texts-en.ts";
import { ru } from "./texts-ru.ts";

export interface FirstAid {
  readonly alarm: string;
  /** First steps without drugs. */
  readonly steps: readonly string[];
  /** Search for clinics that are open now. */
  readonly clinics: { readonly label: string; readonly url: string };
}

export function firstAidFor(kind: Emergency, language: "ru" | "en"): FirstAid {
  const texts = language === "ru" ? ru : en;
  return { alarm: texts.alarm, steps: texts.steps[kind], clinics: texts.clinics };
}
