import type { AnswerFlaw } from "../../shared/index.ts";
import type { Pick } from "../picker.ts";
import type { Tags } from "./tags.ts";

/** What the writer of a task works with. */
export interface Ground {
  readonly tags: Tags;
  readonly pick: Pick;
  readonly flaw: AnswerFlaw | undefined;
}

/** The subject of the task. */
export function phraseOf({ tags }: Ground): string {
  return (
    tags.one("main_phrase") ||
    tags.one("category") ||
    tags.one("specialization") ||
    "ремонт и обслуживание"
  ).toLowerCase();
}

/** `text` with its first letter large. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

/** Sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=[.!?…]) (?=[«"\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsIn(sentence) >= 3);
}

const letters: Readonly<Record<string, string>> = {
  ...{
    а: "a",
    б: "b",
    в: "v",
    г: "g",
    д: "d",
    е: "e",
    ё: "e",
    ж: "zh",
    з: "z",
    и: "i",
    й: "y",
    к: "k",
    л: "l",
  },
  ...{ м: "m", н: "n", о: "o", п: "p", р: "r", с: "s", т: "t", у: "u", ф: "f", х: "kh", ц: "ts", ч: "ch" },
  ...{ ш: "sh", щ: "sch", ъ: "", ы: "y", ь: "", э: "e", ю: "yu", я: "ya" },
};

/** Latin letters, digits and hyphens. */
export function slug(text: string): string {
  return [...text.toLowerCase()]
    .map((letter) => letters[letter] ?? letter)
    .join("")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 120);
}
