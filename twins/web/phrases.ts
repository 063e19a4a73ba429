/** What people search for around a phrase, and what they want by it. */

export type Intent = "informational" | "commercial" | "transactional" | "navigational";

interface Want {
  readonly name: string;
  readonly intent: Intent;
  /** Words that show it; `{t}` is the subject. */
  readonly forms: readonly string[];
}

/** One want is one set of search results: phrases of one subject and one want belong together. */
const wants: readonly Want[] = [
  {
    name: "buy",
    intent: "transactional",
    forms: [
      "купить {t}",
      "{t} купить",
      "{t} цена",
      "{t} недорого",
      "{t} стоимость",
      "заказать {t}",
      "{t} с доставкой",
      "{t} со скидкой",
      "{t} в наличии",
      "{t} прайс",
    ],
  },
  {
    name: "choose",
    intent: "informational",
    forms: [
      "как выбрать {t}",
      "{t} как выбрать",
      "{t} какой лучше",
      "{t} на что смотреть",
      "{t} критерии выбора",
      "{t} советы",
    ],
  },
  {
    name: "compare",
    intent: "commercial",
    forms: ["{t} отзывы", "{t} рейтинг", "{t} сравнение", "{t} топ", "лучшие {t}", "{t} обзор"],
  },
  {
    name: "care",
    intent: "informational",
    forms: ["{t} уход", "{t} ремонт", "{t} сколько служит", "{t} ошибки", "{t} своими руками"],
  },
  {
    name: "learn",
    intent: "informational",
    forms: ["{t} что это", "{t} виды", "{t} плюсы и минусы", "{t} размеры", "{t} как устроено"],
  },
];

/** Parts of the subject: each makes results of its own. */
const kinds = [
  "для дома",
  "для дачи",
  "для офиса",
  "для детей",
  "для квартиры",
  "для начинающих",
  "на заказ",
  "под ключ",
  "премиум",
  "эконом",
  "большой",
  "маленький",
  "российский",
  "импортный",
  "новый",
  "2026",
  "срочно",
  "оптом",
  "от производителя",
  "с гарантией",
] as const;

export const cities = [
  "москва",
  "санкт-петербург",
  "казань",
  "екатеринбург",
  "новосибирск",
  "нижний новгород",
  "самара",
  "краснодар",
  "ростов-на-дону",
  "уфа",
] as const;

const tails = ["", ...kinds, ...cities, ...kinds.flatMap((kind) => cities.map((city) => `${kind} ${city}`))];

/** As providers echo phrases: lower case, single spaces. */
export function normal(phrase: string): string {
  return phrase.toLowerCase().replace(/\s+/g, " ").trim();
}

/** Nobody searches for it: no letters, or the word that tests use for such a phrase. */
export function isUnknown(phrase: string): boolean {
  return !/\p{L}/u.test(phrase) || /абракадабра/i.test(phrase);
}

/** Longer phrases that contain the phrase, the most usual first. */
export function suggestionsFor(phrase: string, most = Number.POSITIVE_INFINITY): string[] {
  const seed = normal(phrase);
  if (isUnknown(seed)) return [];
  // A phrase that already says what is wanted is only made longer.
  const shapes = meaningOf(seed).want ? ["{t}"] : ["{t}", ...wants.flatMap(({ forms }) => forms)];
  const made = new Set<string>();
  for (const tail of tails) {
    for (const shape of shapes) {
      if (made.size >= most) return [...made];
      const longer = normal(`${shape.replace("{t}", seed)} ${tail}`);
      if (longer !== seed && longer.split(" ").length <= 10) made.add(longer);
    }
  }
  return [...made];
}

/** Other phrases of the same subject, as the block of related searches shows them. */
export function relatedTo(phrase: string): string[] {
  const seed = normal(phrase);
  if (isUnknown(seed)) return [];
  const { subject, want } = meaningOf(seed);
  const others = wants.filter(({ name }) => name !== want?.name);
  return others.flatMap(({ forms }) => forms.slice(0, 2)).map((form) => form.replace("{t}", subject));
}

export interface Meaning {
  /** The phrase without the words that only show what is wanted. */
  readonly subject: string;
  readonly want: Want | undefined;
}

export function meaningOf(phrase: string): Meaning {
  const text = ` ${normal(phrase)} `;
  for (const want of wants) {
    for (const form of want.forms) {
      const words = ` ${form.replace("{t}", "").trim()} `;
      const at = text.indexOf(words);
      if (at < 0) continue;
      const subject = normal(`${text.slice(0, at)} ${text.slice(at + words.length)}`);
      if (subject) return { subject, want };
    }
  }
  return { subject: text.trim(), want: undefined };
}

export function intentOf(phrase: string): Intent {
  return meaningOf(phrase).want?.intent ?? "commercial";
}

/** Phrases with the same key have nearly the same search results. */
export function resultsKeyOf(phrase: string): string {
  const { subject, want } = meaningOf(phrase);
  return `${subject}|${want?.name ?? "compare"}`;
}
