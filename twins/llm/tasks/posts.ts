import { shuffled } from "../picker.ts";
import { capital, type Ground, phraseOf, sentencesOf, wordsIn } from "./ground.ts";
import { tagsIn } from "./tags.ts";
import { themes } from "./themes.ts";

/** Reviews, descriptions, pictures' directions and the style of texts. */

export function description({ tags, pick }: Ground): string {
  const name = tags.one("category");
  const phrases = tags
    .lines("phrases")
    .flatMap((line) => line.split(","))
    .map((phrase) => phrase.trim())
    .filter(Boolean);
  const pool = shuffled(
    themes.flatMap(({ sentences }) => sentences),
    pick,
  );
  const city = tags.one("city");
  const price = tags.lines("prices")[0];
  return [
    `В разделе «${name}» собрано то, что помогает решить задачу без лишних звонков${city ? `: ${city} и окрестности` : ""}. ${phrases[0] ? `Чаще всего сюда приходят, когда нужно ${phrases[0]}.` : ""} ${pool.slice(0, 3).join(" ")}`,
    pool.slice(3, 8).join(" "),
    `${price ? `Для начала: ${price}. ` : ""}${phrases[1] ? `Есть и материалы по теме «${phrases[1]}». ` : ""}${pool.slice(8, 10).join(" ")} Если сомневаетесь, напишите в «${tags.one("company_name")}»: разберёмся вместе.`,
  ].join("\n\n");
}

const authors = [
  "Анна К.",
  "Сергей П.",
  "Мария Л.",
  "Дмитрий Н.",
  "Ольга В.",
  "Игорь С.",
  "Елена Т.",
  "Павел Р.",
  "Юлия М.",
  "Антон Б.",
];
const told = [
  [
    "Приехали вовремя, замерили дважды и объяснили, почему шкаф нужно сдвинуть.",
    "Точный замер",
    "Пришлось подождать материал",
  ],
  [
    "Смету разложили по строкам, и сумма в конце не изменилась.",
    "Понятная смета",
    "Хотелось больше образцов",
  ],
  [
    "Работали тихо и каждый вечер убирали за собой, даже с ребёнком дома было терпимо.",
    "Чистота",
    "Один день перенесли",
  ],
  ["Сам бы так ровно не сделал: зазоры одинаковые, дверцы не цепляют.", "Аккуратность", "Нет"],
  ["Отговорили от лишней полки, и были правы.", "Честный совет", "Долго отвечали на письмо"],
] as const;

export function reviews({ tags, pick }: Ground): object {
  const quantity = tags.number("quantity", 3);
  const today = Date.parse(tags.one("today")) || Date.UTC(2026, 10, 1);
  const fives = Math.round(quantity * 0.6);
  const fours = Math.round(quantity * 0.25);
  const subject = tags.one("category") || tags.one("specialization");
  return {
    reviews: Array.from({ length: quantity }, (_, index) => {
      const [text, pros, cons] = told[(index + pick(2)) % told.length] ?? told[0];
      const rating = index < fives ? 5 : index < fives + fours ? 4 : 3;
      const daysAgo = 3 + Math.floor((index * 170) / quantity);
      return {
        author: authors[index % authors.length] ?? "",
        date: new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10),
        rating,
        text: `Обращались по поводу «${subject}». ${text} ${rating === 3 ? "Но осадок от переноса остался." : "Довольны."}`,
        pros,
        cons: rating === 5 ? "Нет" : cons === "Нет" ? "Цена выше, чем ждали" : cons,
      };
    }),
  };
}

const views = ["общий план", "крупный план рук за работой", "деталь на столе у окна", "вид сверху"];
const ratios = ["16:9", "4:3", "4:3"];

export function director(ground: Ground): object {
  const { tags } = ground;
  const phrase = phraseOf(ground);
  const sections = tags.all("section").map((section) => tagsIn(section));
  const count = tags.number("images_count", sections.length);
  return {
    images: Array.from({ length: Math.min(count, sections.length || count) }, (_, index) => {
      const heading = sections[index]?.one("heading") ?? phrase;
      return {
        section_index: Number(sections[index]?.one("index") || index),
        concept: `${capital(heading)}: ${views[index % views.length]}`,
        prompt: `${capital(views[index % views.length] ?? "")}: ${heading}, ${phrase}; мягкий утренний свет из окна, светлое дерево и металл, спокойный фон, видны следы работы и инструмент`,
        negative_prompt: "буквы, логотипы, водяные знаки, искажённые руки",
        aspect_ratio: ratios[index] ?? "1:1",
      };
    }),
    visual_narrative: `Один рабочий день: от замера до готового результата, тема «${phrase}».`,
  };
}

export function styleGuide({ tags }: Ground): object {
  const texts = tags.all("text");
  const sentences = texts.flatMap(sentencesOf);
  const all = texts.join(" ");
  const mean = sentences.reduce((sum, each) => sum + wordsIn(each), 0) / Math.max(1, sentences.length);
  const counts = new Map<string, number>();
  for (const word of all.toLowerCase().match(/[а-яё]{5,}/g) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], "ru"));
  const spoken = new Set(all.match(/[а-яё]+/gi) ?? []);
  const address = ["Вы", "вы", "ты"].find((word) => spoken.has(word));
  return {
    tone: mean < 12 ? "Спокойный разговор короткими фразами." : "Обстоятельный рассказ знающего человека.",
    address: address ?? "без обращения",
    sentence_length: mean < 9 ? "короткие" : mean < 16 ? "средние" : "длинные",
    vocabulary: frequent.slice(0, 10).map(([word]) => word),
    avoid: [...(all.includes("!") ? [] : ["восклицательные знаки"]), "превосходная степень", "канцелярит"],
    structure: ["Начинает с вопроса или случая", "Абзацы по три–пять предложений"],
    sample_sentences: sentences.slice(0, 5),
  };
}
