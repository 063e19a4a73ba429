/** Reduces a word in small letters to what its forms share. A dictionary gives lemmas, the default stems. */
export type Lemmas = (word: string) => string;

/** Endings of the Snowball stemmer for Russian, longest first; those of the first group stay without а or я before them. */
const perfective = {
  afterA: ["вшись", "вши", "в"],
  always: ["ывшись", "ившись", "ывши", "ивши", "ыв", "ив"],
};
const reflexive = ["ся", "сь"];
const adjectives = [
  ...["ими", "ыми", "его", "ого", "ему", "ому", "ее", "ие", "ые", "ое", "ей", "ий", "ый", "ой", "ем", "им"],
  ...["ым", "ом", "их", "ых", "ую", "юю", "ая", "яя", "ою", "ею"],
];
const participles = { afterA: ["ем", "нн", "вш", "ющ", "щ"], always: ["ивш", "ывш", "ующ"] };
const verbs = {
  afterA: [
    ...[
      "йте",
      "ешь",
      "нно",
      "ете",
      "ли",
      "ем",
      "ло",
      "но",
      "ет",
      "ют",
      "ны",
      "ть",
      "ла",
      "на",
      "й",
      "л",
      "н",
    ],
  ],
  always: [
    ...["уйте", "ейте", "ила", "ыла", "ена", "ите", "или", "ыли", "ило", "ыло", "ено", "ует", "уют", "ены"],
    ...["ить", "ыть", "ишь", "ей", "уй", "ил", "ыл", "им", "ым", "ен", "ят", "ит", "ыт", "ую", "ю"],
  ],
};
const nouns = [
  ...["иями", "иях", "иям", "ией", "ием", "ами", "ями", "ев", "ов", "ие", "ье", "еи", "ии", "ей", "ой", "ий"],
  ...[
    "ям",
    "ем",
    "ам",
    "ом",
    "ах",
    "ях",
    "ию",
    "ью",
    "ия",
    "ья",
    "а",
    "е",
    "и",
    "й",
    "о",
    "у",
    "ы",
    "ь",
    "ю",
    "я",
  ],
];

const vowels = /[аеиоуыэюя]/;

/** Stems a word by its endings (Snowball for Russian); words in other letters only lose a plural s. */
export const stem: Lemmas = (given) => {
  const word = given.replaceAll("ё", "е");
  if (!/[а-я]/.test(word)) return word.length > 4 && word.endsWith("s") ? word.slice(0, -1) : word;
  const start = word.search(vowels) + 1;
  if (start === 0) return word;
  const head = word.slice(0, start);
  const second = secondRegion(word);
  let rest = word.slice(start);

  const gerund = withoutGroup(rest, perfective);
  if (gerund !== undefined) rest = gerund;
  else {
    rest = without(rest, reflexive) ?? rest;
    const adjective = without(rest, adjectives);
    if (adjective !== undefined) rest = withoutGroup(adjective, participles) ?? adjective;
    else rest = withoutGroup(rest, verbs) ?? without(rest, nouns) ?? rest;
  }
  rest = without(rest, ["и"]) ?? rest;
  if (head.length + rest.length >= second + 3 && /ость?$/.test(rest)) {
    const cut = without(rest, ["ость", "ост"]) ?? rest;
    if (head.length + cut.length >= second) rest = cut;
  }
  rest = without(rest, ["ейше", "ейш"]) ?? rest;
  if (rest.endsWith("нн")) rest = rest.slice(0, -1);
  return withoutFleetingVowel(head + (without(rest, ["ь"]) ?? rest));
};

/** `окон` and `окна`, `сеток` and `сетка` differ by a vowel that comes and goes; it is dropped from all stems alike. */
function withoutFleetingVowel(stemmed: string): string {
  const fleeting = stemmed.length > 3 && /[бвгджзйклмнпрстфхцчшщ][ое][кнц]$/.test(stemmed);
  return fleeting ? stemmed.slice(0, -2) + stemmed.slice(-1) : stemmed;
}

/** Lemmas of the same word are looked up once. */
export function remembered(lemmas: Lemmas): Lemmas {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const lemma = lemmas(word);
    known.set(word, lemma);
    return lemma;
  };
}

function without(text: string, endings: readonly string[]): string | undefined {
  const ending = endings.find((each) => text.endsWith(each));
  return ending === undefined ? undefined : text.slice(0, -ending.length);
}

function withoutGroup(
  text: string,
  { afterA, always }: { readonly afterA: readonly string[]; readonly always: readonly string[] },
): string | undefined {
  const cut = without(text, always);
  if (cut !== undefined) return cut;
  const ending = afterA.find((each) => text.endsWith(`а${each}`) || text.endsWith(`я${each}`));
  return ending === undefined ? undefined : text.slice(0, -ending.length);
}

/** Where the second region begins: after the second vowel that a consonant follows. */
function secondRegion(word: string): number {
  let found = 0;
  for (let at = 1; at < word.length; at++) {
    if (vowels.test(word.charAt(at - 1)) && !vowels.test(word.charAt(at))) {
      found += 1;
      if (found === 2) return at + 1;
    }
  }
  return word.length;
}
