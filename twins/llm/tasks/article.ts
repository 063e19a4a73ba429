import { shuffled } from "../picker.ts";
import { claimsFrom } from "./claims.ts";
import { capital, type Ground, phraseOf, slug, wordsIn } from "./ground.ts";
import { answersToQuestions, carriers, further, ownQuestions, themes } from "./themes.ts";

/** An article about the asked phrase, of the asked length, with headings, lists, places of pictures and claims. */
export function article(ground: Ground): object {
  const { tags } = ground;
  const phrase = phraseOf(ground);
  const claims = claimsFrom(ground);
  const images = tags.number("images_count", 0);
  const content = contentOf(
    ground,
    phrase,
    images,
    claims.map(({ sentence }) => sentence),
  );
  return {
    title: `${capital(phrase)}: что важно знать заранее`,
    meta_description: metaOf(phrase),
    content_markdown: content,
    faq_schema: questionsOf(ground, phrase),
    images_meta: Array.from({ length: images }, (_, index) => ({
      alt: `${capital(phrase)}: ${scenes[index % scenes.length]}`,
      filename: `${slug(phrase)}-${index + 1}`,
      figcaption: capital(scenes[index % scenes.length] ?? ""),
    })),
    claims,
  };
}

const scenes = [
  "общий вид готовой работы",
  "замер на месте",
  "образцы материалов рядом",
  "проверка швов при приёмке",
  "инструмент мастера",
  "детали крупным планом",
];

function metaOf(phrase: string): string {
  const text = `${capital(phrase)}: как подготовиться, из чего складывается цена, какие ошибки обходятся дорого и что проверить при приёмке, чтобы не переделывать.`;
  return text.length <= 160 ? text : `${text.slice(0, 159).trimEnd()}…`;
}

function contentOf(ground: Ground, phrase: string, images: number, claims: readonly string[]): string {
  const { tags, pick } = ground;
  const least = tags.number("words_min", 1500);
  const most = Math.max(least, tags.number("words_max", least + 500));
  // A few words above the least, so that a reader who counts otherwise still finds enough.
  const aim = Math.min(most, Math.ceil(least * 1.04));
  const headings = headingsOf(ground, phrase);
  const secondary = tags
    .one("secondary_phrases")
    .split(",")
    .map((each) => each.split("(")[0]?.trim() ?? "")
    .filter(Boolean);
  const company = tags.one("company_name");
  const beginning = [
    `${capital(phrase)} кажется простым делом, пока не доходит до мелочей. ${carriers[pick(carriers.length)]?.(phrase) ?? ""} Ниже порядок действий, который сбережёт деньги и время.`,
  ];
  const end = [
    `## Что сделать дальше`,
    `Теперь ${phrase} не выглядит загадкой: есть список, порядок и признаки хорошей работы. Начните с замера и короткого перечня пожеланий. ${company ? `Напишите в «${company}», покажите список и спросите о сроках.` : "Покажите список мастеру и спросите о сроках."}`,
    ...(tags.one("disclaimer") ? [tags.one("disclaimer")] : []),
  ];
  const told = toldIn(ground);
  const sections = headings.map((heading, index) => {
    const theme = themes[index % themes.length] ?? themes[0];
    if (!theme) return { parts: [] };
    const sentences = shuffled(theme.sentences, pick);
    const own = claims.filter((_, at) => at % headings.length === index);
    const carrier = index % 2 === 0 ? carriers[(index + pick(3)) % carriers.length]?.(phrase) : undefined;
    const mention = secondary[index] ? [`Отдельный вопрос: ${secondary[index]}.`] : [];
    return {
      parts: [
        `## ${heading}`,
        ...paragraphs([
          ...(carrier ? [carrier] : []),
          ...mention,
          ...(index === 0 ? told : []),
          ...sentences.slice(0, 7),
          ...own,
        ]),
        `### ${theme.sub}`,
        ...paragraphs(sentences.slice(7)),
        theme.list.map((item) => `- ${item}`).join("\n"),
      ],
    };
  });
  const written = () => wordsIn([...beginning, ...sections.flatMap(({ parts }) => parts), ...end].join("\n"));
  const combinations = combined(ground);
  for (let at = 0; written() < aim && at < combinations.length; at += 4)
    sections[(at / 4) % sections.length]?.parts.push(combinations.slice(at, at + 4).join(" "));
  for (let at = sections.length - 1; written() > most && at >= 0; at -= 1)
    shorten(sections[at]?.parts ?? [], claims);
  for (let number = 1; number <= images; number += 1) {
    const place = sections[(number - 1) % sections.length];
    place?.parts.splice(2 + Math.floor((number - 1) / sections.length), 0, `{{IMAGE_${number}}}`);
  }
  return [...beginning, ...sections.flatMap(({ parts }) => parts), ...end].join("\n\n");
}

/** What the owner of the business told: it stands in the first section, as it was said. */
function toldIn({ tags }: Ground): string[] {
  const label = "Со слов владельца: ";
  return tags
    .lines("own_facts")
    .flatMap((line) => (line.startsWith(label) ? [line.slice(label.length)] : []));
}

/** Takes paragraphs without claims out of a section until its heading and one paragraph are left. */
function shorten(parts: string[], claims: readonly string[]): void {
  for (let at = parts.length - 1; at > 1; at -= 1)
    if (!claims.some((claim) => parts[at]?.includes(claim))) parts.splice(at, 1);
}

/** The headings of the outline, if one is given, else three to six of our own, by length. */
function headingsOf(ground: Ground, phrase: string): readonly string[] {
  const outline = ground.tags.one("outline");
  const lines = ground.tags.lines("outline");
  const told = [
    ...h2In(outline),
    ...lines.flatMap((line) => (line.startsWith("## ") ? [line.slice(3).trim()] : [])),
  ];
  const given = [...new Set(told)].slice(0, 5);
  if (given.length >= 2) return given;
  const count = ground.tags.number("words_min", 1500) < 800 ? 3 : 5;
  return themes.slice(0, count).map(({ heading }) => heading(phrase));
}

/** Of an outline in JSON. */
function h2In(text: string): readonly string[] {
  try {
    const { sections = [] }: { sections?: { h2?: unknown }[] } = JSON.parse(text);
    return sections.flatMap(({ h2 }) => (typeof h2 === "string" ? [h2] : []));
  } catch {
    return [];
  }
}

function paragraphs(sentences: readonly string[]): string[] {
  const result: string[] = [];
  for (let at = 0; at < sentences.length; at += 4) result.push(sentences.slice(at, at + 4).join(" "));
  return result;
}

function combined({ pick }: Ground): string[] {
  const all = further.when.flatMap((when, index) =>
    further.advice.map(
      (advice, at) => `${when} ${advice}: ${further.why[(index + at) % further.why.length]}.`,
    ),
  );
  return shuffled(all, pick);
}

export function questionsOf(
  { tags, pick }: Ground,
  phrase: string,
): { readonly question: string; readonly answer: string }[] {
  const told = tags.lines("questions").slice(0, 5);
  const asked = told.length >= 3 ? told : ownQuestions.slice(0, 4).map((make) => make(phrase));
  const from = pick(answersToQuestions.length);
  return asked.map((question, index) => ({
    question,
    answer: answersToQuestions[(from + index) % answersToQuestions.length] ?? "",
  }));
}
