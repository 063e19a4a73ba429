import type { Said } from "../said.ts";

/** What a person sees while a run goes on, in the document's words. */
export const stages = {
  waiting: { ru: "Жду своей очереди...", en: "Waiting for its turn..." },
  search: { ru: "Собираю данные из Google...", en: "Collecting data from Google..." },
  competitors: { ru: "Анализирую конкурентов...", en: "Analysing competitors..." },
  writing: { ru: "Генерирую текст и изображения...", en: "Writing the text and drawing pictures..." },
  preview: { ru: "Готовлю предпросмотр...", en: "Preparing the preview..." },
  publishing: { ru: "Публикую...", en: "Publishing..." },
  fetching: {
    ru: "Получаю реальные поисковые фразы из Google... (3 сек)",
    en: "Getting real search phrases from Google... (3 s)",
  },
  clustering: {
    ru: "Группирую фразы по поисковому интенту... (10 сек)",
    en: "Grouping phrases by search intent... (10 s)",
  },
  enriching: {
    ru: "Обогащаю данные: объём, сложность, CPC... (2 сек)",
    en: "Adding volume, difficulty and CPC... (2 s)",
  },
  demand: { ru: "Узнаю спрос в Яндексе...", en: "Asking Yandex about demand..." },
  confirming: {
    ru: "Сверяю группы с выдачей Яндекса...",
    en: "Checking the groups against results of Yandex...",
  },
  text: { ru: "Пишу текст...", en: "Writing the text..." },
  drawing: { ru: "Рисую изображения...", en: "Drawing pictures..." },
  audit: { ru: "Проверяю сайт...", en: "Checking the site..." },
} as const satisfies Readonly<Record<string, Said>>;
export type Stage = keyof typeof stages;
