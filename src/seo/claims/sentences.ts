import type { Span } from "../render/prose.ts";

/** Words whose full stop ends no sentence. */
const abbreviations: ReadonlySet<string> = new Set([
  ...[
    "г",
    "гг",
    "ул",
    "д",
    "кв",
    "стр",
    "рис",
    "табл",
    "см",
    "ср",
    "им",
    "т",
    "тыс",
    "млн",
    "млрд",
    "трлн",
    "руб",
    "коп",
  ],
  ...[
    "обл",
    "р",
    "пр",
    "просп",
    "пер",
    "корп",
    "тел",
    "напр",
    "проф",
    "акад",
    "доц",
    "чел",
    "шт",
    "мин",
    "сек",
    "ч",
    "куб",
  ],
  ...["п", "пп", "ст", "н", "э", "в", "вв", "гос", "ок", "мес", "дн", "кг", "см", "мм", "км", "м", "л"],
]);
/** Units end a sentence when a capital letter follows them; the others never do. */
const mayEnd: ReadonlySet<string> = new Set([
  ...[
    "г",
    "гг",
    "тыс",
    "млн",
    "млрд",
    "трлн",
    "руб",
    "коп",
    "чел",
    "шт",
    "мин",
    "сек",
    "ч",
    "мес",
    "дн",
    "кг",
    "мм",
    "км",
    "м",
    "л",
  ],
]);

/** The sentences of a text, without the spaces between them. Full stops of abbreviations, initials and numbers end none. */
export function sentencesIn(text: string): Span[] {
  const sentences: Span[] = [];
  let start = 0;
  const close = (end: number) => {
    const from = start + (text.slice(start, end).length - text.slice(start, end).trimStart().length);
    const to = start + text.slice(start, end).trimEnd().length;
    if (to > from) sentences.push({ start: from, end: to });
    start = end;
  };
  for (const { index, 0: marks } of text.matchAll(/[.!?…]+["»”)\]]*|\n/g)) {
    const end = index + marks.length;
    if (marks === "\n" || endsSentence(text, index, end)) close(end);
  }
  close(text.length);
  return sentences;
}

function endsSentence(text: string, at: number, end: number): boolean {
  if (end >= text.length) return true;
  if (!/\s/.test(text.charAt(end))) return false;
  const next = text
    .slice(end, end + 8)
    .trimStart()
    .replace(/^["«“„(—–-]\s?/, "")
    .charAt(0);
  const startsNew =
    next !== "" && next.toLowerCase() !== next.toUpperCase() ? next !== next.toLowerCase() : /\d/.test(next);
  if (text[at] !== ".") return startsNew || next === "";
  const [word = ""] = /[\p{L}\p{N}]{0,20}$/u.exec(text.slice(Math.max(0, at - 20), at)) ?? [];
  const small = word.toLowerCase();
  if (/^\p{Lu}$/u.test(word)) return false;
  if (/^\d{1,2}$/.test(word) && at - word.length === 0) return false;
  // «в г. Казани», but «в 2010 г. Потом».
  if (/^гг?$/.test(small) && !/\d\s?$/.test(text.slice(Math.max(0, at - 4), at - word.length))) return false;
  if (abbreviations.has(small)) return mayEnd.has(small) && startsNew && !/\d/.test(next);
  return startsNew;
}
