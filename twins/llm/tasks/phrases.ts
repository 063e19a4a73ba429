import type { Ground } from "./ground.ts";

/** Search phrases: clusters of those given, or phrases made up. */

interface Given {
  readonly phrase: string;
  readonly volume: number;
}

const buying = /купить|заказ|цен[аыу]|стоимост|недорого|прайс|под ключ|доставк|магазин/i;

export function clusters({ tags }: Ground): object {
  const given = phrasesIn(tags.one("raw_keywords")).sort((a, b) => b.volume - a.volume);
  const groups: { readonly main: Given; readonly members: Given[] }[] = [];
  for (const each of given) {
    const group = groups.find(({ main }) => isNear(main.phrase, each.phrase));
    if (group) group.members.push(each);
    else groups.push({ main: each, members: [each] });
  }
  const extra = Math.min(Number(tags.one("extra_count")) || 0, groups.length);
  const known = new Set(given.map(({ phrase }) => phrase));
  return {
    clusters: groups.map(({ main, members }, index) => {
      const suggestion = `как выбрать ${main.phrase}`;
      return {
        cluster_name: main.phrase.split(" ").slice(0, 5).join(" "),
        cluster_type: buying.test(main.phrase) ? "product_page" : "article",
        main_phrase: main.phrase,
        phrases: [
          ...members.map(({ phrase }) => ({ phrase, ai_suggested: false })),
          ...(index < extra && !known.has(suggestion) ? [{ phrase: suggestion, ai_suggested: true }] : []),
        ],
      };
    }),
  };
}

/** The same intent and at least half of the stems: the search would show the same pages. */
function isNear(one: string, other: string): boolean {
  if (buying.test(one) !== buying.test(other)) return false;
  const [a, b] = [stems(one), stems(other)];
  const shared = [...a].filter((stem) => b.has(stem)).length;
  return shared > 0 && shared / Math.max(1, new Set([...a, ...b]).size) >= 0.5;
}

function stems(phrase: string): Set<string> {
  return new Set(phrase.split(/\s+/).flatMap((word) => (word.length > 3 ? [word.slice(0, 5)] : [])));
}

function phrasesIn(text: string): Given[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = text.split("\n");
  }
  const seen = new Set<string>();
  return (Array.isArray(list) ? list : []).flatMap((each: unknown): Given[] => {
    const fields: Readonly<Record<string, unknown>> =
      typeof each === "object" && each !== null ? { ...each } : { phrase: each };
    const phrase = typeof fields.phrase === "string" ? fields.phrase.trim() : "";
    if (phrase === "" || seen.has(phrase)) return [];
    seen.add(phrase);
    return [{ phrase, volume: Number(fields.volume ?? fields.search_volume) || 0 }];
  });
}

const fronts = [
  ...["купить", "заказать", "цена", "недорого", "под ключ", "с доставкой"],
  ...[
    "как выбрать",
    "как сделать",
    "сколько стоит",
    "какой лучше",
    "отзывы",
    "своими руками",
    "виды",
    "ошибки",
  ],
  ...["сроки", "гарантия", "инструкция", "что лучше", "советы", "примеры", "материалы", "размеры", "уход"],
];
const tails = [
  "",
  "для дома",
  "для квартиры",
  "для дачи",
  "для офиса",
  "на заказ",
  "зимой",
  "с нуля",
  "для новичков",
];

export function keywords({ tags }: Ground): object {
  const quantity = tags.number("quantity", 50);
  const products = tags
    .one("products")
    .toLowerCase()
    .split(/[,;\n]/);
  const bases = [...products, tags.one("specialization").toLowerCase()]
    .map((each) => each.trim())
    .filter(Boolean);
  const geography = tags.one("geography").toLowerCase();
  const all = tails.flatMap((tail) =>
    fronts.flatMap((front) => bases.map((base) => `${front} ${base} ${tail}`.replace(/\s+/g, " ").trim())),
  );
  const placed = geography
    ? all.map((phrase, at) => (at % 3 === 0 ? `${phrase} ${geography}` : phrase))
    : all;
  return {
    keywords: [...new Set(placed)].slice(0, quantity).map((phrase) => ({
      phrase,
      intent: buying.test(phrase) ? "commercial" : "informational",
    })),
  };
}

export function competitor({ tags }: Ground): object {
  const headings = tags.lines("headings").map((line) => line.replace(/^#+\s*/, ""));
  const content = tags.one("content").toLowerCase();
  const missing = tags
    .lines("phrases")
    .flatMap((line) => line.split(","))
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "" && !content.includes(phrase.toLowerCase()));
  const title = tags.one("title");
  return {
    pages_indexed: null,
    key_topics: headings.length > 0 ? headings.slice(0, 10) : ["Услуги", "Цены", "Контакты"],
    content_gaps: missing.length > 0 ? missing.slice(0, 8) : ["Приёмка работ", "Гарантия", "Уход"],
    meta_analysis: `Заголовок страницы «${title || "не задан"}» ${title.length > 60 ? "длиннее, чем показывает поиск" : "помещается в выдачу"}. Подзаголовков: ${headings.length}. Описание ${tags.one("description") ? "есть, но в нём нет призыва" : "не заполнено"}.`,
    recommendations: [
      "Напишите статью о приёмке работ по пунктам.",
      "Добавьте таблицу цен с тем, что в них входит.",
      "Покажите три своих объекта с фотографиями до и после.",
      "Ответьте на вопросы, которых нет у конкурента.",
    ],
  };
}
