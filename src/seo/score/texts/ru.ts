import { counted } from "../../../kernel/words/index.ts";
import type { Verdict } from "../checks.ts";
import { figures } from "../points.ts";
import type { Explain } from "./explanation.ts";

const where = (found: Verdict["found"]) =>
  found.where === "phrase"
    ? "фраза есть"
    : found.where === "words"
      ? "слова фразы есть, но порознь"
      : "фразы нет";

const times = (count: unknown) =>
  counted(Number(count), { one: "раз", few: "раза", many: "раз", other: "раза" }, "ru");

export const explainRu: Explain = {
  phraseInTitle: (found) => ({
    label: "Фраза в заголовке",
    found: where(found),
    wanted: `«${found.phrase}» в заголовке, в любой форме`,
    change: `Поставьте «${found.phrase}» в заголовок, ближе к началу.`,
  }),
  phraseInFirstParagraph: (found) => ({
    label: "Фраза в первом абзаце",
    found: where(found),
    wanted: `«${found.phrase}» в первом абзаце`,
    change: `Назовите тему в первом абзаце словами «${found.phrase}».`,
  }),
  phraseInHeadings: ({ phrase, found, h2 }) => ({
    label: "Фраза в подзаголовках",
    found: `в ${found} из ${h2} H2`,
    wanted: "в 1–3 H2",
    change: Number(found) === 0 ? `Вставьте «${phrase}» в один из H2.` : `Уберите «${phrase}» из части H2.`,
  }),
  phraseInConclusion: (found) => ({
    label: "Фраза в заключении",
    found: where(found),
    wanted: `«${found.phrase}» в последнем разделе`,
    change: `Завершите текст выводом со словами «${found.phrase}».`,
  }),
  density: ({ phrase, occurrences, density }) => ({
    label: "Плотность фразы",
    found: `${times(occurrences)}, ${density} % слов`,
    wanted: `${figures.density.low}–${figures.density.high} % с учётом форм`,
    change:
      Number(density) > figures.density.high
        ? `Уберите часть повторов «${phrase}»: замените местоимением или перестройте фразу.`
        : `Упоминайте «${phrase}» чаще, там, где это естественно.`,
  }),
  secondary: ({ covered, asked, missing }) => ({
    label: "Дополнительные фразы",
    found: Number(asked) === 0 ? "не заданы" : `${covered} из ${asked}`,
    wanted: "все, в любой форме",
    change: `Раскройте: ${missing || "текста нет"}.`,
  }),
  metaDescription: ({ length }) => ({
    label: "Описание для поиска",
    found: counted(Number(length), { one: "знак", few: "знака", many: "знаков", other: "знака" }, "ru"),
    wanted: `${figures.meta.min}–${figures.meta.max} знаков`,
    change:
      Number(length) === 0
        ? "Напишите описание: о чём текст и зачем его открыть."
        : Number(length) < figures.meta.min
          ? "Дополните описание выгодой или фактом."
          : "Сократите описание: поиск обрежет конец.",
  }),
  flesch: ({ flesch }) => ({
    label: "Лёгкость чтения",
    found: `${flesch} по Флешу в переводе Оборневой`,
    wanted: `от ${figures.flesch.all}`,
    change: "Пишите короче: меньше слов в предложении и длинных слов в тексте.",
  }),
  longSentences: ({ long, sentences, percent }) => ({
    label: "Длинные предложения",
    found: `${long} из ${sentences} (${percent} %) от ${figures.longSentence.words} слов`,
    wanted: `не больше ${figures.longSentence.share.all * 100} %`,
    change: "Разбейте самые длинные предложения на два.",
  }),
  longParagraphs: ({ long, longest }) => ({
    label: "Длинные абзацы",
    found: `${long}; самый длинный: ${counted(Number(longest), { one: "слово", few: "слова", many: "слов", other: "слова" }, "ru")}`,
    wanted: `все короче ${figures.longParagraph.words} слов`,
    change: "Разделите длинные абзацы по мысли.",
  }),
  vocabulary: ({ ratio }) => ({
    label: "Разнообразие слов",
    found: `${ratio} разных слов на слово`,
    wanted: `от ${figures.vocabulary.scale.all}`,
    change: "Текст повторяется: уберите повторы и добавьте новое.",
  }),
  oneH1: ({ h1 }) => ({
    label: "Один H1",
    found: `${h1}`,
    wanted: "ровно один: заголовок статьи",
    change: Number(h1) === 0 ? "Дайте статье заголовок." : "Оставьте один H1, остальные сделайте H2.",
  }),
  h2: ({ h2, wanted }) => ({
    label: "Разделы H2",
    found: `${h2}`,
    wanted: `${wanted}–${figures.h2.max}`,
    change: Number(h2) < Number(wanted) ? "Разбейте текст на разделы с H2." : "Объедините мелкие разделы.",
  }),
  faq: ({ questions }) => ({
    label: "Вопросы и ответы",
    found: `вопросов: ${questions}`,
    wanted: `от ${figures.faq.enough}`,
    change: "Добавьте раздел с вопросами, которые задают люди, и короткими ответами.",
  }),
  schema: ({ types }) => ({
    label: "Разметка Schema.org",
    found: String(types) || "нет",
    wanted: "Article или FAQPage",
    change: "Добавьте JSON-LD; при публикации через Molva он добавится сам.",
  }),
  internalLinks: ({ links }) => ({
    label: "Внутренние ссылки",
    found: `${links}`,
    wanted: `от ${figures.internalLinks.enough}`,
    change: "Сошлитесь на свои страницы там, где читатель о них подумает.",
  }),
  contents: ({ headings }) => ({
    label: "Содержание",
    found: Number(headings) < figures.contentsFrom ? "слишком мало подзаголовков" : "нет",
    wanted: `ссылки на подзаголовки, если их от ${figures.contentsFrom}`,
    change: "Добавьте содержание; при публикации через Molva оно добавится само.",
  }),
  filler: ({ examples, perHundred }) => ({
    label: "Пустые слова",
    found: examples ? `${examples}; ${perHundred} на 100 слов` : "нет",
    wanted: `не больше ${figures.filler.all} на 100 слов`,
    change: "Замените пустые слова фактами или уберите.",
  }),
  markers: ({ examples, perHundred }) => ({
    label: "Штампы",
    found: examples ? `${examples}; ${perHundred} на 100 слов` : "нет",
    wanted: `не больше ${figures.markers.all} на 100 слов`,
    change: "Сократите: штампы уходят, когда текст сжимают, а не дополняют.",
  }),
  variation: ({ variation }) => ({
    label: "Ритм предложений",
    found: `разброс длины ${variation}`,
    wanted: `от ${figures.variation.all}`,
    change: "Чередуйте короткие и длинные предложения.",
  }),
  facts: ({ facts, perHundred }) => ({
    label: "Факты",
    found: `чисел с единицами: ${facts}, ${perHundred} на 100 слов`,
    wanted: `от ${figures.facts.all} на 100 слов`,
    change: "Добавьте размеры, сроки, цены, проценты: только проверенные.",
  }),
  words: ({ words, min, max }) => ({
    label: "Объём",
    found: counted(Number(words), { one: "слово", few: "слова", many: "слов", other: "слова" }, "ru"),
    wanted: `${min}–${max} слов`,
    change:
      Number(words) < Number(min) ? "Раскройте тему: чего читателю не хватит?" : "Сократите до главного.",
  }),
  entities: ({ entities }) => ({
    label: "Имена и названия",
    found: `разных: ${entities}`,
    wanted: `от ${figures.entities.all} на 100 слов`,
    change: "Назовите марки, материалы, места, документы.",
  }),
  lists: ({ lists }) => ({
    label: "Списки и таблицы",
    found: `${lists}`,
    wanted: `хотя бы один от ${figures.listItems} пунктов`,
    change: "Соберите перечисление в список или сравнение в таблицу.",
  }),
  images: ({ described, wanted }) => ({
    label: "Изображения",
    found: `с описанием: ${described}`,
    wanted: `от ${wanted}`,
    change: "Добавьте изображения с alt.",
  }),
};
