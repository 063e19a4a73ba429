import { expect, test } from "vitest";
import { type Edit, editFor } from "./edits.ts";

/** The text after an edit, with what is selected in «». */
function after(text: string, { from, to, insert, select }: Edit): string {
  const next = text.slice(0, from) + insert + text.slice(to);
  return `${next.slice(0, select[0])}«${next.slice(...select)}»${next.slice(select[1])}`;
}

test.each([
  ["bold", "Markdown", "Один два", 5, 8, "Один **«два»**"],
  ["bold", "Markdown", "Один **два**", 7, 10, "Один «два»"],
  ["bold", "Markdown", "Один два ", 5, 9, "Один **«два»** "],
  ["italic", "Markdown", "**два**", 2, 5, "***«два»***"],
  ["italic", "HTML", "два", 0, 3, "<i>«два»</i>"],
  ["bold", "Markdown", "", 0, 0, "**«»**"],
  ["link", "Markdown", "Сайт тут", 5, 8, "Сайт [тут](«https://»)"],
  ["link", "Markdown", "", 0, 0, "[«»](https://)"],
  ["link", "HTML", "тут", 0, 3, '<a href="«https://»">тут</a>'],
  ["quote", "Markdown", "а\nб\nв", 2, 5, "а\n> б\n> в«»"],
  ["list", "Markdown", "- а\n- б", 0, 7, "а\nб«»"],
  ["list", "HTML", "а", 1, 1, "• а«»"],
  ["quote", "HTML", "а", 0, 1, "<blockquote>«а»</blockquote>"],
] as const)("%s in %s: %j", (mark, format, text, from, to, expected) => {
  expect(after(text, editFor(mark, format, text, from, to))).toBe(expected);
});
