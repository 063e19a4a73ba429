import type { AnswerFlaw } from "../../shared/index.ts";
import { type Ground, sentencesOf, wordsIn } from "./ground.ts";
import { tagsIn } from "./tags.ts";

/** A sentence of the article that rests on a quote of a source. */
export interface Claim {
  readonly sentence: string;
  readonly source_id: string;
  readonly quote: string;
}

const most = 24;

/** One claim for each sentence quoted from the sources, in its own words; with a flaw, its sentence is not what the quote says. */
export function claimsFrom({ tags, flaw }: Ground): readonly Claim[] {
  const found: Claim[] = [];
  for (const source of tags.all("source")) {
    const inside = tagsIn(source);
    const id = inside.one("id");
    const title = inside.one("title");
    for (const passage of inside.all("quote"))
      for (const quote of sentencesOf(passage))
        if (id !== "" && wordsIn(quote) <= 40 && /\d/.test(quote))
          found.push(altered({ sentence: retold(quote, title), source_id: id, quote }, flaw));
  }
  return found.slice(0, most);
}

function retold(quote: string, title: string): string {
  const end = /[.!?…]$/.test(quote) ? "" : ".";
  return title === ""
    ? `${quote}${end}`
    : `По данным «${title.replaceAll(/[«»"]/g, "")}», ${lowered(quote)}${end}`;
}

/** A name at the beginning keeps its capital letter, as far as one can tell. */
function lowered(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

function altered(claim: Claim, flaw: AnswerFlaw | undefined): Claim {
  const { sentence } = claim;
  switch (flaw) {
    case "claim_number":
      return { ...claim, sentence: sentence.replace(/\d+/g, (digits) => String(Number(digits) * 2 + 3)) };
    case "claim_unit":
      return { ...claim, sentence: otherUnit(sentence) };
    case "claim_negation":
      return { ...claim, sentence: opposite(sentence) };
    case "claim_entity":
      return { ...claim, sentence: otherName(sentence) };
    case "claim_dead_source":
      return { ...claim, source_id: `x${claim.source_id}` };
    default:
      return claim;
  }
}

/** Each with another of its kind. Longer forms first. */
const units: readonly (readonly [RegExp, string])[] = [
  [/(\d\s*)(?:%|процент[а-яё]*)/, "$1раз"],
  [/(\d\s*)миллиметр[а-яё]*/, "$1сантиметров"],
  [/(\d\s*)сантиметр[а-яё]*/, "$1миллиметров"],
  [/(\d\s*)мм(?![а-яё])/, "$1см"],
  [/(\d\s*)см(?![а-яё])/, "$1мм"],
  [/(\d\s*)(?:килограмм[а-яё]*|кг)(?![а-яё])/, "$1граммов"],
  [/(\d\s*)(?:рубл[а-яё]*|руб\.?|₽)/, "$1долларов"],
  [/(\d\s*)(?:минут[а-яё]*)/, "$1часов"],
  [/(\d\s*)(?:час[а-яё]*)/, "$1дней"],
  [/(\d\s*)(?:дн(?:ей|я)|день|суток)/, "$1недель"],
  [/(\d\s*)(?:недел[а-яё]*)/, "$1месяцев"],
  [/(\d\s*)(?:месяц[а-яё]*)/, "$1лет"],
  [/(\d\s*)(?:лет|год[а-яё]*)(?![а-яё])/, "$1месяцев"],
  [/(\d\s*)(?:градус[а-яё]*|°C?)/, "$1процентов"],
  [/(\d\s*)(?:литр[а-яё]*|л)(?![а-яё])/, "$1кубометров"],
  [/(\d\s*)(?:квадратн[а-яё]* метр[а-яё]*|м²)/, "$1гектаров"],
  [/(\d\s*)(?:метр[а-яё]*|м)(?![а-яё])/, "$1километров"],
  [/(\d\s*)(?:километр[а-яё]*|км)(?![а-яё])/, "$1метров"],
  [/(\d\s*)(?:тысяч[а-яё]*|тыс\.?)/, "$1миллионов"],
  [/(\d\s*)(?:миллион[а-яё]*|млн)/, "$1тысяч"],
];

function otherUnit(sentence: string): string {
  const unit = units.find(([sign]) => sign.test(sentence));
  return unit ? sentence.replace(unit[0], unit[1]) : sentence.replace(/\d+/, "$& миллионов");
}

const predicates = [
  /(?:ет|ит|ют|ут|ат|ят|ется|ится|ются|ятся)$/,
  /(?:ал|ил|ел|ыл|ла|ло|ли|лась|лось|лись|лся)$/,
  /(?:ен|ена|ено|ены|жна|жно|жны)$/,
];

/** With a "не" taken out, or put before the first word that looks like a verb. */
function opposite(sentence: string): string {
  const words = sentence.split(" ");
  const denial = words.indexOf("не");
  if (denial > 0) return words.toSpliced(denial, 1).join(" ");
  for (const sign of predicates) {
    const at = words.findIndex((word, index) => {
      const bare = word.replace(/[,.;:]$/, "");
      return index > 0 && /^[а-яё]{4,40}$/.test(bare) && sign.test(bare);
    });
    if (at > 0) return words.toSpliced(at, 0, "не").join(" ");
  }
  return sentence.replace(/\d/, "не $&");
}

const names = ["Казани", "Росстандарт", "Финляндии", "Сбербанк"];

/** Another name in the place of one; without names, another thing in the place of the longest word of the quote. */
function otherName(sentence: string): string {
  const quoted = sentence.replace(/^По данным «[^»]*», /, "");
  const head = sentence.slice(0, sentence.length - quoted.length);
  const name = /(?<=[а-яё,»)]\s«?)\p{Lu}\p{L}{2,}/u.exec(quoted)?.[0];
  const found = name ?? [...(quoted.match(/[а-яё]{6,}/g) ?? [])].sort((a, b) => b.length - a.length)[0];
  if (found === undefined) return sentence;
  const other = name ? (names.find((each) => each !== name) ?? "Казани") : "алюминий";
  return head + quoted.replace(found, other);
}
