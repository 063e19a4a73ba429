import type { TextSettings } from "./shape.ts";

/** An article is about as long as the middle of what is wanted; its price is named by that. */
export const usualWords = ({ words_min, words_max }: Pick<TextSettings, "words_min" | "words_max">): number =>
  Math.round((words_min + words_max) / 2);
