import { type Lemmas, type WrittenWord, wordParts, writtenWords } from "../language/index.ts";

/** Polite pronouns, and words that begin sentences about people in general. */
const notNames: ReadonlySet<string> = new Set([
  ...[
    "вы",
    "вас",
    "вам",
    "вами",
    "ваш",
    "ваша",
    "ваше",
    "ваши",
    "вашего",
    "вашей",
    "вашу",
    "вашем",
    "вашим",
    "ваших",
  ],
]);
/** Who acts in general: at the start of a sentence these are not names. */
const agents =
  /^(?:специалист|эксперт|мастер|врач|юрист|производител|покупател|владел|компани|магазин|завод|клиент|ученые|исследовател|аналитик|люди|человек|дом|окн|профил|стекл|материал|систем|модел|прибор|устройств|процедур|закон|банк|суд|цен|стоимост|срок|гаранти|монтаж|ремонт|работ|услуг|продукт|товар|издели|конструкци)/;

/** A third person's verb: `сообщил`, `выпускает`, `снизилась`. */
const verbEnding = /(?:[аеияыу]л|[аеияыу]л[аои]|ет|ит|ут|ют|ат|ят)(?:ся|сь)?$/;

/** Names in a sentence: capitalised words inside it, abbreviations, words in Latin letters, and a first word that acts like a name. */
export function namesIn(sentence: string): string[] {
  const words = writtenWords(sentence);
  return words.flatMap((word, at) => (isName(word, at, words, sentence) ? [word.text] : []));
}

function isName(word: WrittenWord, at: number, words: readonly WrittenWord[], sentence: string): boolean {
  const { text } = word;
  const small = text.toLowerCase();
  if (notNames.has(small) || !/\p{Lu}/u.test(text)) return false;
  if (/^[\p{Lu}\d-]{2,}$/u.test(text)) return true;
  if (/^[A-Za-z]/.test(text)) return text.length > 1;
  const startsHere =
    at === 0 || /[.!?:…]["»”)]?\s*["«“„(]?$/.test(sentence.slice(Math.max(0, word.start - 6), word.start));
  if (!startsHere) return /^\p{Lu}/u.test(text);
  const next = words[at + 1]?.text ?? "";
  if (agents.test(small) || small.length < 4) return false;
  // «Росстат сообщил», «Анна Каренина»; ordinary first words are followed by something else.
  return (
    (verbEnding.test(next) && isNounLike(small) && speaks.test(next.toLowerCase())) ||
    /^\p{Lu}\p{Ll}/u.test(next)
  );
}

const isNounLike = (word: string): boolean => !/(?:ый|ий|ой|ая|яя|ое|ее|ые|ие|но|ко|ески)$/.test(word);

/** Verbs of those who publish, make and decide. */
const speaks =
  /^(?:сообщ|заяв|подсчит|отмет|отмеча|рекоменд|совет|выпус|выпуска|произвед|производ|опубликов|провел|прове|установил|оценил|оценива|назвал|называ|выясн|предупред|утверд|утвержд|разработ|пообещ|обеща|запрет|разреш|ввел|вводит|снизил|повысил|открыл|запустил|основал|призна|требу|счита)/;

/** Other words for the same, by lemmas of their small letters. */
const aliases: readonly (readonly string[])[] = [
  ["рф", "россия", "российская", "российский"],
  ["спб", "петербург", "санкт-петербург"],
  ["мск", "москва"],
];

/** The names of a sentence that its evidence does not have. */
export function missingNames(names: readonly string[], evidence: string, lemmas: Lemmas): string[] {
  if (names.length === 0) return [];
  const known = new Set(wordParts(evidence).map(lemmas));
  const adjectives = [...known].filter((word) => word.includes("ск"));
  return names.filter((name) => {
    const parts = wordParts(name);
    return !parts.every((part) => {
      const lemma = lemmas(part);
      if (
        known.has(lemma) ||
        adjectives.some(
          (word) => word.length > 4 && word.startsWith(lemma.slice(0, Math.max(4, lemma.length - 1))),
        )
      )
        return true;
      return aliases.some((group) => group.includes(part) && group.some((other) => known.has(lemmas(other))));
    });
  });
}
