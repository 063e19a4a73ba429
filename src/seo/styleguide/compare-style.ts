import type { Said } from "../said.ts";
import type { StyleFeatures } from "./guide.ts";

/** Where a text is unlike the texts that its owner likes. Beside the score: it takes no points. */
export interface StyleDeviation {
  readonly id: keyof StyleFeatures;
  readonly label: Said;
  readonly found: Said;
  readonly usual: Said;
  /** What to change. */
  readonly change: Said;
}

/** Below this many words figures mean little, and nothing is compared. */
export const leastCompared = 100;

/** How far a text may be from the guide. Ratios are of the text's figure to the guide's. */
const tolerated = {
  sentence: { least: 0.7, most: 1.4 },
  variation: { least: 0.6 },
  paragraph: { least: 0.5, most: 2 },
  questions: 0.1,
  exclamations: 0.1,
  lists: 0.25,
  /** Per 100 words: more than this is a habit, less than a fifth of it is none. */
  habit: 0.5,
  emoji: 0.2,
} as const;

/** Names every deviation, the most audible first. */
export function compareStyle(guide: StyleFeatures, text: StyleFeatures): StyleDeviation[] {
  if (text.words < leastCompared || guide.words === 0) return [];
  return rules.flatMap((rule) => rule(guide, text) ?? []);
}

type Rule = (guide: StyleFeatures, text: StyleFeatures) => StyleDeviation | undefined;

const rules: readonly Rule[] = [
  (guide, text) => {
    if (guide.address === "none" || text.address === "none" || guide.address === text.address)
      return undefined;
    return {
      id: "address",
      label: { ru: "обращение к читателю", en: "how the reader is addressed" },
      found: both(`«${text.address}»`),
      usual: both(`«${guide.address}»`),
      change: {
        ru: `Обращайтесь к читателю на «${guide.address}».`,
        en: `Address the reader as «${guide.address}».`,
      },
    };
  },
  person("you", { ru: "обращение к читателю", en: "speaking to the reader" }, "вы"),
  person("we", { ru: "речь от лица компании", en: "speaking as the company" }, "мы"),
  (guide, text) => {
    if (guide.tone === text.tone) return undefined;
    return {
      id: "tone",
      label: { ru: "тон", en: "tone" },
      found: toneNames[text.tone],
      usual: toneNames[guide.tone],
      change: toneChanges[guide.tone],
    };
  },
  (guide, text) => {
    const ratio = text.sentence_words / Math.max(1, guide.sentence_words);
    const { least, most } = tolerated.sentence;
    if (ratio >= least && ratio <= most) return undefined;
    return {
      id: "sentence_words",
      label: { ru: "длина предложений", en: "length of sentences" },
      ...inWords(text.sentence_words, guide.sentence_words),
      change:
        ratio > most
          ? { ru: "Разбейте длинные предложения.", en: "Split long sentences." }
          : { ru: "Соедините короткие предложения.", en: "Join short sentences." },
    };
  },
  (guide, text) => {
    if (text.sentence_variation >= guide.sentence_variation * tolerated.variation.least) return undefined;
    return {
      id: "sentence_variation",
      label: { ru: "ритм", en: "rhythm" },
      found: both(String(text.sentence_variation)),
      usual: both(String(guide.sentence_variation)),
      change: { ru: "Чередуйте короткие и длинные предложения.", en: "Mix short and long sentences." },
    };
  },
  (guide, text) => {
    const ratio = text.paragraph_words / Math.max(1, guide.paragraph_words);
    const { least, most } = tolerated.paragraph;
    if (text.paragraph_words === 0 || (ratio >= least && ratio <= most)) return undefined;
    return {
      id: "paragraph_words",
      label: { ru: "длина абзацев", en: "length of paragraphs" },
      ...inWords(text.paragraph_words, guide.paragraph_words),
      change:
        ratio > most
          ? { ru: "Сделайте абзацы короче.", en: "Make paragraphs shorter." }
          : { ru: "Сделайте абзацы длиннее.", en: "Make paragraphs longer." },
    };
  },
  shareRule("questions", tolerated.questions, {
    label: { ru: "доля вопросов", en: "share of questions" },
    more: { ru: "Добавьте вопросов к читателю.", en: "Ask the reader more questions." },
    less: { ru: "Задавайте меньше вопросов.", en: "Ask fewer questions." },
  }),
  shareRule("exclamations", tolerated.exclamations, {
    label: { ru: "доля восклицаний", en: "share of exclamations" },
    more: { ru: "Можно писать живее, с восклицаниями.", en: "Exclaim more often." },
    less: { ru: "Уберите восклицания.", en: "Remove exclamation marks." },
  }),
  shareRule("lists", tolerated.lists, {
    label: { ru: "доля списков", en: "share of lists" },
    more: { ru: "Перечисления оформите списком.", en: "Turn enumerations into lists." },
    less: { ru: "Перескажите часть списков связным текстом.", en: "Turn some lists into prose." },
  }),
  (guide, text) => {
    const likes = guide.emoji >= tolerated.emoji;
    const has = text.emoji >= tolerated.emoji;
    // Articles are rarely decorated even by those who like emoji in posts: only unwanted ones are named.
    if (likes || !has) return undefined;
    return {
      id: "emoji",
      label: { ru: "эмодзи", en: "emoji" },
      ...perHundred(text.emoji, guide.emoji),
      change: { ru: "Уберите эмодзи.", en: "Remove emoji." },
    };
  },
];

/** The author speaks in this person and the text does not, or the other way round. */
function person(id: "we" | "you", label: Said, word: string): Rule {
  return (guide, text) => {
    const [usual, found] = [guide[id], text[id]];
    const isMissing = usual >= tolerated.habit && found < usual / 5;
    const isUnusual = found >= tolerated.habit && usual < found / 5;
    if (!isMissing && !isUnusual) return undefined;
    return {
      ...{ id, label, ...perHundred(found, usual) },
      change: isMissing
        ? { ru: `Говорите с читателем: «${word}».`, en: `Say «${word}» more often.` }
        : { ru: `Обходитесь без «${word}».`, en: `Do without «${word}».` },
    };
  };
}

function shareRule(
  id: "questions" | "exclamations" | "lists",
  far: number,
  words: { readonly label: Said; readonly more: Said; readonly less: Said },
): Rule {
  return (guide, text) => {
    const difference = text[id] - guide[id];
    if (Math.abs(difference) <= far) return undefined;
    const percent = (value: number) => both(`${Math.round(value * 100)} %`);
    return {
      ...{ id, label: words.label, found: percent(text[id]), usual: percent(guide[id]) },
      change: difference < 0 ? words.more : words.less,
    };
  };
}

const toneNames: Readonly<Record<StyleFeatures["tone"], Said>> = {
  colloquial: { ru: "разговорный", en: "colloquial" },
  neutral: { ru: "нейтральный", en: "neutral" },
  bookish: { ru: "книжный", en: "bookish" },
};
const toneChanges: Readonly<Record<StyleFeatures["tone"], Said>> = {
  colloquial: { ru: "Пишите проще, как в разговоре.", en: "Write as one speaks." },
  neutral: {
    ru: "Пишите ровнее: без канцелярита и без просторечия.",
    en: "Write plainly: no office words, no slang.",
  },
  bookish: {
    ru: "Пишите строже, без разговорных слов.",
    en: "Write more strictly, without colloquial words.",
  },
};

const both = (text: string): Said => ({ ru: text, en: text });
const inWords = (found: number, usual: number) => ({
  found: { ru: `${found} слова в среднем`, en: `${found} words on average` },
  usual: { ru: `${usual} слова в среднем`, en: `${usual} words on average` },
});
const perHundred = (found: number, usual: number) => ({
  found: { ru: `${found} на 100 слов`, en: `${found} per 100 words` },
  usual: { ru: `${usual} на 100 слов`, en: `${usual} per 100 words` },
});
