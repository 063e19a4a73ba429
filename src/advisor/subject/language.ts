import type { Subject, SubjectTexts } from "./subject.ts";

export function languageOf(locale: string | null): "ru" | "en" {
  return locale?.toLowerCase().startsWith("en") ? "en" : "ru";
}

export function textsFor(locale: string | null, subject: Subject): SubjectTexts {
  return subject.texts[languageOf(locale)];
}
