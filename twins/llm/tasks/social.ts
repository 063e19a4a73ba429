import { shuffled } from "../picker.ts";
import { capital, type Ground, phraseOf, sentencesOf, wordsIn } from "./ground.ts";
import { themes } from "./themes.ts";

/** Posts for social networks, and posts that are carried over from one network to another. */

const pinLimits = { text: 500, title: 100 } as const;
/** What hashtags need below the text of a Pin. */
const roomForHashtags = 90;

type Network = "telegram" | "vk" | "pinterest";

export function social(ground: Ground): object {
  const { tags, pick } = ground;
  const phrase = phraseOf(ground);
  const network = networkOf(tags.one("platform"));
  const source = tags.one("post");
  const text = source === "" ? post(ground, phrase, network) : adapted(ground, source, network);
  return {
    text,
    hashtags: [phrase, ...shuffled(subjects, pick).slice(0, 2 + pick(3))].map(
      (tag) => `#${tag.replaceAll(/[^\p{L}\p{N}]+/gu, "_")}`,
    ),
    pin_title: network === "pinterest" ? titleOf(ground, phrase) : null,
  };
}

function networkOf(platform: string): Network {
  const name = platform.toLowerCase();
  return name.includes("pinterest") ? "pinterest" : name.includes("vk") ? "vk" : "telegram";
}

const subjects = ["советы", "полезное", "выбор", "какВыбрать", "личныйОпыт", "сохраните", "вопросОтвет"];

/** After the phrase, whatever its gender and number. */
const openings: Readonly<Record<Network, readonly string[]>> = {
  telegram: [
    "один вопрос, о котором вспоминают слишком поздно",
    "с чего начать, чтобы не переделывать",
    "о чём нас спрашивают чаще всего",
    "как не пожалеть о выборе через год",
  ],
  vk: [
    "рассказываем, на что смотреть в первую очередь",
    "три вещи, которые лучше решить на берегу",
    "как это устроено у нас и почему",
    "давайте разберёмся без спешки",
  ],
  pinterest: ["шпаргалка, которую стоит сохранить", "идея на заметку", "коротко о главном"],
};

const calls: Readonly<Record<Network, (company: string) => string>> = {
  telegram: (company) => `Напишите ${company}, и мы подскажем, с чего начать.`,
  vk: (company) => `А как решали вы? Расскажите в комментариях или напишите ${company}.`,
  pinterest: () => "Сохраните, чтобы не потерять.",
};

function post(ground: Ground, phrase: string, network: Network): string {
  const { tags, pick } = ground;
  const least = tags.number("words_min", 100);
  const most = tags.number("words_max", least + 200);
  // Told that it was too short, a model writes well beyond the least.
  const wanted = tags.one("correction") === "" ? least : Math.round((least + most) / 2);
  const previous = tags.one("previous_text");
  const pool = shuffled(
    themes.flatMap(({ sentences }) => sentences),
    pick,
  ).filter((sentence) => !previous.includes(sentence));
  const starts = openings[network].filter((each) => !previous.includes(each));
  const start = starts[pick(starts.length)] ?? "ещё один взгляд";
  const first = `${capital(phrase)}: ${network === "telegram" ? `<b>${start}</b>` : start}.`;
  const company = tags.one("company_name");
  const last = calls[network](company ? `в «${company}»` : "нам");
  const [price] = tags.lines("prices");
  const [fact] = tags.lines("facts");
  const own = [...(fact ? [ended(fact)] : []), ...(price ? [ended(price)] : [])];
  const body: string[] = [];
  const whole = (more: readonly string[]) => [first, ...more, ...own, last].join(" ");
  for (const sentence of pool) {
    if (wordsIn(whole(body)) >= wanted) break;
    const fits =
      wordsIn(whole([...body, sentence])) <= most &&
      (network !== "pinterest" || whole([...body, sentence]).length <= pinLimits.text - roomForHashtags);
    if (fits) body.push(sentence);
  }
  return laid(network, first, body, own, last);
}

const ended = (line: string) => (/[.!?…]$/.test(line) ? line : `${line}.`);

/** A Pin is one paragraph, a post of VK has a list, a post of Telegram short paragraphs. */
function laid(
  network: Network,
  first: string,
  body: readonly string[],
  own: readonly string[],
  last: string,
): string {
  if (network === "pinterest") return [first, ...body, ...own, last].join(" ");
  if (network === "vk") {
    const [listed, told] = [body.slice(0, 3), body.slice(3)];
    const list = listed.map((sentence) => `• ${sentence}`).join("\n");
    return [first, list, told.join(" "), own.join(" "), last].filter(Boolean).join("\n\n");
  }
  const middle = Array.from({ length: Math.ceil(body.length / 3) }, (_, at) =>
    body.slice(at * 3, at * 3 + 3).join(" "),
  );
  return [first, ...middle, own.join(" "), last].filter(Boolean).join("\n\n");
}

/** The same facts in the manner of the other network; what does not fit goes from the middle. */
function adapted({ tags }: Ground, source: string, network: Network): string {
  const plain = source
    .replaceAll(/[<‹]\/?[a-z]+>/gi, "")
    .replaceAll(/#\S+/g, "")
    .replaceAll("• ", "")
    .trim();
  const most = tags.number("words_max", 300);
  const sentences = sentencesOf(plain);
  const fits = () => {
    const text = sentences.join(" ");
    return (
      wordsIn(text) <= most && (network !== "pinterest" || text.length <= pinLimits.text - roomForHashtags)
    );
  };
  while (sentences.length > 2 && !fits()) sentences.splice(sentences.length - 2, 1);
  const [first = plain, ...rest] = sentences;
  const last = rest.pop() ?? "";
  if (network === "pinterest") return cut([first, ...rest, last].join(" ").trim(), pinLimits.text);
  const opening = network === "telegram" ? `<b>${first}</b>` : first;
  return [opening, rest.join(" "), last].filter(Boolean).join("\n\n");
}

function titleOf({ pick }: Ground, phrase: string): string {
  const ends = ["что проверить заранее", "памятка для выбора", "с чего начать"];
  return cut(`${capital(phrase)}: ${ends[pick(ends.length)]}`, pinLimits.title);
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
