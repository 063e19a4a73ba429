import { tokensInRussian } from "../orders/token-words.ts";
import type { Said } from "../said.ts";
import { deviationText, type StyleDeviation } from "../styleguide/index.ts";
import type { Warning } from "./shape.ts";

/** What is told with an article that could not be made as it should; the document's words. */
export const warnings = {
  search_missing: {
    ru: "Статья без актуальных данных Google",
    en: "The article has no current data of Google",
  },
  competitors_missing: {
    ru: "Анализ конкурентов недоступен, статья сгенерирована без конкурентных данных.",
    en: "Competitors could not be analysed: the article was written without their data.",
  },
  preview_missing: {
    ru: "Предпросмотр недоступен: ниже начало статьи. Её можно опубликовать и так.",
    en: "There is no preview: the beginning of the article is shown instead. It can be published all the same.",
  },
  near_duplicate: {
    ru: "Статья похожа на ранее опубликованную. Рекомендуем переформулировать.",
    en: "The article is like one that was published before. Rewording it is advised.",
  },
  rewrite_did_not_help: {
    ru: "Правка не подняла оценку статьи: оставлен лучший из двух вариантов.",
    en: "Rewriting did not raise the score: the better of the two texts was kept.",
  },
} as const satisfies Readonly<Record<string, Said>>;

export const warning = (code: keyof typeof warnings): Warning => ({ code, message: warnings[code] });

export const fewerPictures = (drawn: number, wanted: number): Warning => ({
  code: "pictures_missing",
  message: {
    ru: `Сгенерировано ${drawn} из ${wanted} изображений`,
    en: `${drawn} of ${wanted} pictures were drawn`,
  },
});

export const noPictures = (tokens: number): Warning => ({
  code: "pictures_failed",
  message: {
    ru: `Статья опубликована без изображений (генерация не удалась). Возвращено ${tokensInRussian(tokens)}.`,
    en: `The article has no pictures (drawing failed). ${tokens} tokens were returned.`,
  },
});

/** As it is said of an article that is not published yet. */
export const beforePublishing = ({ code, message }: Warning): Warning["message"] =>
  code === "pictures_failed"
    ? { ...message, ru: message.ru.replace("Статья опубликована без", "Статья без") }
    : message;

export const lowScore = (total: number): Warning => ({
  code: "low_score",
  message: {
    ru: `Оценка статьи ${total} из 100: прочитайте её перед публикацией.`,
    en: `The article scores ${total} of 100: read it before it is published.`,
  },
});

export const unlikeStyle = (deviations: readonly StyleDeviation[]): Warning => ({
  code: "unlike_style",
  message: {
    ru: `Не похоже на ваш стиль. ${deviations.map((each) => deviationText(each, "ru")).join(" ")}`,
    en: `Unlike the project's style. ${deviations.map((each) => deviationText(each, "en")).join(" ")}`,
  },
});

export const cutSentences = (count: number): Warning => ({
  code: "claims_cut",
  message: {
    ru: `Убрано предложений без подтверждения: ${count}.`,
    en: `Sentences without evidence that were removed: ${count}.`,
  },
});

/** Which sentences stood on other pages. */
export const copiedText = (
  copied: readonly { readonly sentence: string; readonly url: string }[],
): Warning => {
  const named = copied.slice(0, 3).map(({ sentence, url }) => `«${sentence}» (${url})`);
  return {
    code: "copied",
    message: {
      ru: `Убраны предложения, которые дословно стоят на других страницах (${copied.length}): ${named.join("; ")}`,
      en: `Sentences that stand on other pages word for word were removed (${copied.length}): ${named.join("; ")}`,
    },
  };
};

/** What becomes of a page that is not ours. */
export const updatedByHand = (url: string): Warning => ({
  code: "update_by_hand",
  message: {
    ru: `Страницу ${url} делали не мы: возьмите HTML статьи и вставьте его на эту страницу сами.`,
    en: `The page ${url} was not made here: take the article's HTML and put it on that page yourself.`,
  },
});

/** Why an article was not made; its tokens were returned. */
export const failures = {
  text_failed: {
    ru: "Генерация статьи не удалась. Токены возвращены.",
    en: "The article could not be written. The tokens were returned.",
  },
  plan_failed: {
    ru: "План не получился: модель не ответила. Ничего не списано. Попробуйте ещё раз или закажите статью сразу.",
    en: "The plan could not be made: no model answered. Nothing was charged. Try again, or order the article at once.",
  },
  plan_deleted: {
    ru: "Проект, категория или подключение удалены, пока план ждал очереди. Ничего не списано.",
    en: "The project, the category or the connection was deleted meanwhile. Nothing was charged.",
  },
  deleted: {
    ru: "Проект, категория или подключение удалены, пока статья ждала очереди. Токены возвращены.",
    en: "The project, the category or the connection was deleted meanwhile. The tokens were returned.",
  },
  low_quality: {
    ru: "Статья получилась слабой и не будет опубликована. Токены возвращены. Попробуйте ещё раз.",
    en: "The article turned out poor and will not be published. The tokens were returned. Try again.",
  },
  not_valid: {
    ru: "Сгенерированный контент не прошёл проверку качества. Токены возвращены.",
    en: "The text did not pass the quality check. The tokens were returned.",
  },
} as const satisfies Readonly<Record<string, Said>>;
