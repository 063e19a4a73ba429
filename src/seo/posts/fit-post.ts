import { cut } from "../../kernel/words/index.ts";
import type { SocialAnswer } from "../answers/index.ts";
import { withoutAddresses } from "../articles/text-parts.ts";
import { contentLimits, placeholdersIn } from "../checks/index.ts";
import { countWords, sentencesOf } from "../language/index.ts";
import { hashtagLimits, longestText } from "./limits.ts";
import { asText, telegramHtml } from "./markup.ts";
import type { PostPlatform, PostText } from "./shape.ts";

/** A model's answer as a post that its platform takes. All of it is pure. */

export interface Fitting {
  readonly platform: PostPlatform;
  readonly words: { readonly min: number; readonly max: number };
  readonly phrase: string;
  /** Stands below the text and takes room from it. */
  readonly disclaimer: string | null;
}

export interface Fitted {
  readonly post: PostText;
  /** What the model is to do better, in its language; none if nothing. */
  readonly requests: readonly string[];
  /** Whether the post can be shown to a person as it is. */
  readonly isUsable: boolean;
}

/** Below this share of the least length nobody would take it for a post. */
const leastShare = 0.5;

export function fitPost({ text, hashtags, pin_title }: SocialAnswer, fitting: Fitting): Fitted {
  const { platform, words, phrase } = fitting;
  const read = paragraphsOf(withoutAddresses(text));
  const all = hashtagsFrom([...hashtags, ...read.hashtags]);
  const { paragraphs, tags, isShort } = roomFor(read.paragraphs, all, fitting);
  const plain = asText(paragraphs.join("\n\n"));
  const count = countWords(plain);
  const placeholders = placeholdersIn(plain);
  const isHtml = platform === "telegram";
  return {
    post: {
      text: isHtml ? paragraphs.map(telegramHtml).join("\n\n") : plain,
      format: isHtml ? "html" : "plain",
      hashtags: tags,
      pin_title: platform === "pinterest" ? titleOf(pin_title, phrase) : null,
      words: count,
    },
    requests: [
      ...(count < words.min ? [`В тексте ${count} слов, нужно не меньше ${words.min}.`] : []),
      ...(isShort ? [] : [`Текст слишком длинный: нужно не больше ${words.max} слов.`]),
      ...placeholders.map((found) => `В тексте осталась заготовка «${found}».`),
    ],
    isUsable: isShort && count > 0 && count >= words.min * leastShare && placeholders.length === 0,
  };
}

/** A post with another line below its text: hashtags, then sentences make room for it. */
export function withLineBelow<Post extends PostText>(
  post: Post,
  platform: PostPlatform,
  line: string,
): Post & { readonly disclaimer: string } {
  const read = post.text.split("\n\n");
  const words = { min: 0, max: Number.POSITIVE_INFINITY };
  const { paragraphs, tags } = roomFor(read, post.hashtags, {
    platform,
    words,
    phrase: "",
    disclaimer: line,
  });
  const shown = paragraphs === read || post.format === "plain" ? paragraphs : paragraphs.map(telegramHtml);
  const text = shown.join("\n\n");
  return { ...post, text, hashtags: tags, words: countWords(asText(text)), disclaimer: line };
}

interface ReadText {
  readonly paragraphs: string[];
  /** Those that stood in lines of their own. */
  readonly hashtags: string[];
}

const hashtagsOnly = /^(?:#[\p{L}\p{N}_]{1,100}[\s,]{0,5}){1,30}$/u;

/** Headings lose their signs, fences go, lines of hashtags are taken out. */
function paragraphsOf(text: string): ReadText {
  const hashtags: string[] = [];
  const paragraphs: string[][] = [[]];
  for (const given of text.split(/\r\n|[\n\r]/)) {
    const line = given.replace(/\s/g, " ").replace(/ {2,}/g, " ").trim();
    if (line === "") paragraphs.push([]);
    else if (hashtagsOnly.test(line)) hashtags.push(...line.split(/[\s,]+/));
    else if (!line.startsWith("```")) paragraphs.at(-1)?.push(line.replace(/^#{1,6} /, ""));
  }
  const written = paragraphs.map((lines) => lines.join("\n")).filter((each) => asText(each).trim() !== "");
  return { paragraphs: written, hashtags };
}

/** `#слово_слово`, each once; numbers alone are no links anywhere. */
function hashtagsFrom(given: readonly string[]): string[] {
  const tags = given
    .map((tag) =>
      asText(tag)
        .replace(/[^\p{L}\p{N}]+/gu, "_")
        .replace(/^_|_$/g, "")
        .slice(0, hashtagLimits.length),
    )
    .filter((tag) => /\p{L}/u.test(tag));
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), `#${tag}`]));
  return [...known.values()].slice(0, hashtagLimits.most);
}

/**
 * Shortens until the platform takes it: first to the wanted words, then hashtags beyond two go, then more of the text. The last
 * sentence stays, because it calls to act.
 */
function roomFor(
  paragraphs: readonly string[],
  all: readonly string[],
  { platform, words, disclaimer }: Fitting,
) {
  const hasWords = (kept: readonly string[]) => countWords(asText(kept.join("\n\n"))) <= words.max;
  const hasRoom = (kept: readonly string[], tags: readonly string[]) =>
    joined(asText(kept.join("\n\n")), disclaimer, tags).length <= longestText[platform];
  const wanted = hasWords(paragraphs) ? paragraphs : shortened(paragraphs, hasWords);
  const least = Math.min(2, all.length);
  const counts = Array.from({ length: all.length - least + 1 }, (_, fewer) => all.length - fewer);
  const tags = all.slice(0, counts.find((count) => hasRoom(wanted, all.slice(0, count))) ?? least);
  const kept = hasRoom(wanted, tags) ? wanted : shortened(wanted, (each) => hasRoom(each, tags));
  return { paragraphs: kept, tags, isShort: hasWords(kept) && hasRoom(kept, tags) };
}

/** The parts of a post below each other, as readers see them. */
export const joined = (text: string, disclaimer: string | null, hashtags: readonly string[]): string =>
  [text, disclaimer ?? "", hashtags.join(" ")].filter((part) => part !== "").join("\n\n");

/** Leaves out whole sentences before the last one. Without markup: it may span several of them. */
function shortened(paragraphs: readonly string[], fits: (kept: readonly string[]) => boolean): string[] {
  const sentences = paragraphs.flatMap((paragraph, place) =>
    sentencesOf(asText(paragraph).replaceAll("\n", " ")).map((sentence) => ({ place, text: sentence.text })),
  );
  const asParagraphs = () =>
    paragraphs
      .map((_, place) => sentences.flatMap((each) => (each.place === place ? [each.text] : [])).join(" "))
      .filter((paragraph) => paragraph !== "");
  while (sentences.length > 1 && !fits(asParagraphs()))
    sentences.splice(Math.max(1, sentences.length - 2), 1);
  return asParagraphs();
}

function titleOf(given: string | null, phrase: string): string {
  const title = asText(given ?? "")
    .replace(/\s+/g, " ")
    .trim();
  return cut(
    title === "" ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : title,
    contentLimits.pinterest.title,
  );
}
