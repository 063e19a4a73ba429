import { isStopWord, type Lemmas, wordParts } from "../language/index.ts";

const negators: ReadonlySet<string> = new Set(["не", "ни", "без", "нет", "нельзя", "никогда", "невозможно"]);
/** After these `не` denies nothing: it bounds a number or adds to it. */
const notDenied: ReadonlySet<string> = new Set([
  ...[
    "только",
    "просто",
    "менее",
    "более",
    "меньше",
    "больше",
    "позднее",
    "позже",
    "раньше",
    "ранее",
    "выше",
    "ниже",
  ],
]);
/** Words that deny by themselves, so that a sentence may say the same with `не`. */
const denies = /^(?:запре[щт]|огранич|отсутств|исключ|отказ|лиш[аеи]|избег|бес\p{L}{3}|нехват)/u;

/** Words that exclude each other, by their beginnings. */
const opposites: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:увелич|повы[сш]|выр(?:о[сш]|аст)|рост|раст|возра|подорожа|прибав)/,
    /^(?:уменьш|сни[зж]|пони[зж]|сокра[щт]|упа[лд]|пада|подешев|убав)/,
  ],
  [/^(?:разреш|можно$|допуска)/, /^(?:запре[щт]|нельзя$)/],
  [/^(?:дороже|дорого)/, /^(?:дешевле|дешево)/],
  [/^(?:быстрее|быстро$|ускор)/, /^(?:медленн|замедл)/],
  [/^(?:лучше|лучши|улучш)/, /^(?:хуже|худш|ухудш)/],
  [/^(?:полез|польз[аыуе]$)/, /^(?:вред)/],
  [/^(?:перв(?:ый|ая|ое|ого|ой)$)/, /^(?:последн)/],
  [/^(?:бесплатн)/, /^(?:платн)/],
  [/^(?:после$)/, /^(?:перед$)/],
  [/^(?:больше$|выше$|более$|шире$|тяжелее$)/, /^(?:меньше$|ниже$|менее$|уже$|легче$)/],
  [/^(?:обязательн)/, /^(?:необязательн|добровольн)/],
];

interface Read {
  readonly words: readonly string[];
  readonly lemmas: readonly string[];
  /** Places of negators. */
  readonly denials: readonly number[];
}

/** Whether a sentence denies what its quote says, or says what the quote denies. Returns the word it is about. */
export function contradiction(sentence: string, quote: string, lemmaOf: Lemmas): string | undefined {
  const said = read(sentence, lemmaOf);
  const quoted = read(quote, lemmaOf);
  return (
    oneSided(said, quoted) ??
    oneSided(quoted, said) ??
    addedDenial(said, quoted) ??
    prefixed(said, quoted) ??
    prefixed(quoted, said) ??
    opposite(said, quoted)
  );
}

function read(text: string, lemmaOf: Lemmas): Read {
  const words = wordParts(text);
  const denials = words.flatMap((word, at) => {
    if (!negators.has(word)) return [];
    return notDenied.has(words[at + 1] ?? "") ? [] : [at];
  });
  return { words, lemmas: words.map(lemmaOf), denials };
}

/** The word that a negator denies: the next one that means something. */
function deniedBy({ words, lemmas }: Read, at: number): string | undefined {
  const next = words.findIndex((word, place) => place > at && !isStopWord(word));
  return next < 0 || next > at + 2 ? undefined : lemmas[next];
}

/** A word that one text denies, and the other has far from any denial. */
function oneSided(denying: Read, other: Read): string | undefined {
  for (const at of denying.denials) {
    const lemma = deniedBy(denying, at);
    if (lemma === undefined || lemma.length < 3) continue;
    const places = other.lemmas.flatMap((each, place) => (each === lemma ? [place] : []));
    const isDenied = (place: number) =>
      other.denials.some((denial) => Math.abs(denial - place) <= 3) ||
      other.words.some((word, near) => Math.abs(near - place) <= 3 && denies.test(word));
    if (places.length > 0 && !places.some(isDenied)) return `не ${lemma}`;
  }
  return undefined;
}

function addedDenial(said: Read, quoted: Read): string | undefined {
  const [first] = said.denials;
  if (first === undefined || quoted.denials.length > 0) return undefined;
  if (quoted.words.some((word) => denies.test(word) || (word.startsWith("не") && word.length > 5)))
    return undefined;
  return said.words.slice(first, first + 2).join(" ");
}

/** `безопасный` and `небезопасный`. */
function prefixed(one: Read, other: Read): string | undefined {
  return one.lemmas.find((lemma) => {
    if (!lemma.startsWith("не") || lemma.length < 6 || other.lemmas.includes(lemma)) return false;
    const place = other.lemmas.indexOf(lemma.slice(2));
    return place >= 0 && !other.denials.some((denial) => Math.abs(denial - place) <= 2);
  });
}

function opposite(said: Read, quoted: Read): string | undefined {
  for (const pair of opposites)
    for (const [mine, theirs] of [pair, [pair[1], pair[0]] as const]) {
      const word = said.words.find((each) => mine.test(each));
      const isOnlyMine = word !== undefined && !said.words.some((each) => theirs.test(each));
      const isOnlyTheirs =
        quoted.words.some((each) => theirs.test(each)) && !quoted.words.some((each) => mine.test(each));
      // A denial turns a word into its opposite.
      if (isOnlyMine && isOnlyTheirs && said.denials.length === quoted.denials.length) return word;
    }
  return undefined;
}
