/** A word and its place in the text, in UTF-16 units. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Words in small letters, parts of compounds apart. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("ё", "е")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words as they are written, with their places. */
export function placedWords(text: string): Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu), ({ index, 0: found }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}

/** Words that say nothing about a subject. */
const stopWords: ReadonlySet<string> = new Set([
  ...[
    "а",
    "без",
    "более",
    "бы",
    "был",
    "была",
    "были",
    "было",
    "быть",
    "в",
    "вам",
    "вас",
    "весь",
    "во",
    "вот",
  ],
  ...[
    "все",
    "всё",
    "всего",
    "всех",
    "вы",
    "где",
    "да",
    "даже",
    "для",
    "до",
    "его",
    "ее",
    "если",
    "есть",
    "еще",
  ],
  ...[
    "же",
    "за",
    "здесь",
    "и",
    "из",
    "или",
    "им",
    "их",
    "к",
    "как",
    "какая",
    "какие",
    "какой",
    "ко",
    "когда",
  ],
  ...[
    "кто",
    "ли",
    "либо",
    "между",
    "меня",
    "мне",
    "мы",
    "на",
    "над",
    "нам",
    "нас",
    "наш",
    "не",
    "него",
    "нее",
  ],
  ...["нет", "ни", "них", "но", "ну", "о", "об", "однако", "он", "она", "они", "оно", "от", "очень", "по"],
  ...[
    "под",
    "при",
    "про",
    "с",
    "сам",
    "свой",
    "свои",
    "со",
    "так",
    "также",
    "такой",
    "там",
    "те",
    "тем",
    "то",
  ],
  ...[
    "того",
    "тоже",
    "той",
    "только",
    "том",
    "тот",
    "у",
    "уже",
    "чего",
    "чем",
    "через",
    "что",
    "чтобы",
    "эта",
  ],
  ...["эти", "это", "этого", "этой", "этом", "этот", "я", "можно", "нужно", "почему", "зачем", "сколько"],
  ...["the", "a", "an", "of", "in", "on", "for", "to", "and", "or", "with", "is", "are", "how", "what"],
]);

export function isStopWord(word: string): boolean {
  return stopWords.has(word.toLowerCase().replaceAll("ё", "е"));
}

/** Lemmas of the words that carry the meaning. */
export function meaningOf(text: string, lemmas: (word: string) => string): string[] {
  return wordsOf(text).flatMap((word) => (word.length < 2 || stopWords.has(word) ? [] : [lemmas(word)]));
}
