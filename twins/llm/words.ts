import type { Media } from "./media.ts";
import { phrasesFor } from "./phrases.ts";
import { picker } from "./picker.ts";
import type { Taste } from "./sample/sample.ts";
import type { Tags } from "./tasks/tags.ts";

/** What the model's answer depends on. */
export interface Question {
  /** The person's last message. */
  readonly text: string;
  readonly media: Media;
  readonly seed: string;
  /** What stands between the tags of the question. */
  readonly tags: Tags;
}

/** The model's answer in plain text. The same question gets the same answer. */
export function answerText(question: Question): string {
  const pick = picker(question.seed);
  const seen = sightOf(question.media);
  const about = topicOf(question.text);
  const { opening, nothingSaid, urgent, hurry, calm, later } = phrasesFor(question);
  const begun = about ? opening(about) : nothingSaid;
  const advice = alarming.test(question.text)
    ? [urgent[pick(urgent.length)], hurry]
    : [calm[pick(calm.length)], later[pick(later.length)]];
  return [...seen, begun, ...advice].filter(Boolean).join("\n\n");
}

/** Choices and texts for structured answers. */
export function tasteOf(question: Question, attempt: number): Taste {
  const pick = picker(`${question.seed} ${attempt}`);
  const alarmed = alarming.test(question.text);
  // Steps in a list differ: each is used once.
  const { steps } = phrasesFor(question);
  let step = pick(steps.length);
  const nextStep = () => steps[step++ % steps.length] ?? "";
  return {
    pick,
    words: (field, max) => fieldWords(field, max, question, pick, nextStep),
    choose(field, options) {
      if (!/safety|urgen|level|severity|risk|vet|emergency/i.test(field)) return undefined;
      if (options.includes(true)) return alarmed;
      const ranked = ranks.filter((rank) => options.includes(rank));
      return alarmed ? ranked.at(-1) : ranked[0];
    },
  };
}

/** Names of levels, from the lowest. */
const ranks = ["none", "low", "normal", "medium", "moderate", "high", "urgent", "critical", "emergency"];

const alarming =
  /судорог|без сознания|кровотеч|кровь|задыха|не дышит|отрав|коллапс|упал[аи]? и не|сильн\S{0,20} боль|не встаёт|не встает|умира|seizure|bleeding|poison|dying|unconscious|not breathing|choking/i;

function sightOf({ images, sounds }: Media): string[] {
  return [
    ...(images.length > 0 ? [`Вижу ${images.join(", ")}.`] : []),
    ...(sounds.length > 0 ? [`Слышу: ${sounds.join(", ")}.`] : []),
  ];
}

/** The beginning of the question, without the prompt's markup. */
function topicOf(text: string): string {
  const line = text
    .replace(/<[^<>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > 70 ? `${line.slice(0, 69).trimEnd()}…` : line;
}

function fieldWords(
  field: string,
  max: number,
  question: Question,
  pick: (count: number) => number,
  nextStep: () => string,
): string {
  const about = topicOf(question.text);
  const { questions, noWords } = phrasesFor(question);
  if (/answer|text|content|reply|message|body/i.test(field) && max >= 120) return answerText(question);
  if (/title|name|heading/i.test(field)) return sentence(`О главном: ${about || "коротко"}`, max);
  if (/topic|subject/i.test(field)) return sentence(firstWords(about) || noWords, max);
  if (/summary|meta|description/i.test(field)) return sentence(about || noWords, max);
  if (/question|followup/i.test(field)) return sentence(questions[pick(questions.length)] ?? "", max);
  if (/hashtag|tag/i.test(field)) return sentence(`#${tags[pick(tags.length)]}`, max);
  return sentence(nextStep(), max);
}

/** Two or three words that name the topic, without the question mark. */
function firstWords(text: string): string {
  return text
    .split(" ")
    .slice(0, 3)
    .join(" ")
    .replaceAll(/[?!.,…]/g, "");
}

function sentence(text: string, max: number): string {
  return [...text].slice(0, max).join("").trimEnd();
}

const tags = ["советы", "уход", "здоровье", "дом", "новости"];
