import { inTime } from "../kernel/words/index.ts";
import type { Failure } from "./result.ts";

export type Language = "ru" | "en";

interface Texts {
  /** The last paragraph of a page whose article did not fit. */
  readonly shortened: string;
  /** The title of a page whose article has none. */
  readonly untitled: string;
  /** The text of a page that was removed. */
  readonly removed: { readonly title: string; readonly text: string };
  readonly failure: (failure: Failure) => string;
}

const ru: Texts = {
  shortened: "Предпросмотр сокращён: статья целиком не помещается на странице Telegraph.",
  untitled: "Предпросмотр статьи",
  removed: { title: "Предпросмотр удалён", text: "Этого предпросмотра больше нет." },
  failure(failure) {
    switch (failure.code) {
      case "unreachable":
        return "Telegraph сейчас не отвечает, предпросмотр не готов. Попробуйте позже.";
      case "uncertain":
        return "Telegraph не ответил, и неизвестно, появилась ли страница. Попробуйте позже.";
      case "busy":
        return `Telegraph просит подождать. Попробуйте ${inTime(failure.retryAfterMs / 1000, "ru")}.`;
      case "empty":
        return "В статье нет текста, показывать нечего.";
      case "not_editable":
        return "Эту страницу Telegraph изменить нельзя: её нет или она создана другим аккаунтом.";
      case "refused":
        return `Telegraph не принял страницу: ${failure.providerCode}.`;
    }
  },
};

const en: Texts = {
  shortened: "This preview is shortened: the whole article does not fit on a Telegraph page.",
  untitled: "Preview of an article",
  removed: { title: "Preview removed", text: "This preview is no longer here." },
  failure(failure) {
    switch (failure.code) {
      case "unreachable":
        return "Telegraph does not answer now, so there is no preview. Try again later.";
      case "uncertain":
        return "Telegraph did not answer, and it is unknown whether the page was made. Try again later.";
      case "busy":
        return `Telegraph asks to wait. Try again ${inTime(failure.retryAfterMs / 1000, "en")}.`;
      case "empty":
        return "The article has no text, so there is nothing to show.";
      case "not_editable":
        return "This Telegraph page cannot be changed: it is gone, or another account made it.";
      case "refused":
        return `Telegraph did not take the page: ${failure.providerCode}.`;
    }
  },
};

export const texts: Readonly<Record<Language, Texts>> = { ru, en };

/** What went wrong, for a person. */
export function failureText(failure: Failure, language: Language): string {
  return texts[language].failure(failure);
}
