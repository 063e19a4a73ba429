/** Formats results for a terminal. */
import { counted as countedIn } from "../kernel/words/index.ts";

/** Rows under headings, each column as wide as its widest cell; the last one has no limit. */
export function columns(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A list as such a table: `cells` gives the value under each heading; `none` is printed for an empty list. */
export function table<Item>(none: string, cells: Readonly<Record<string, (item: Item) => string>>) {
  return (items: readonly Item[]): string =>
    items.length === 0
      ? none
      : columns(
          Object.keys(cells).map((heading) => heading.toUpperCase()),
          items.map((item) => Object.values(cells).map((cell) => cell(item))),
        );
}

/** Lines of `label  value`; entries without a value are left out. */
export function facts(pairs: readonly (readonly [string, string | null | undefined])[]): string {
  const shown = pairs.filter(([, value]) => value);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join("\n");
}

/** A moment to the second, in UTC. */
export function moment(value: Date | string | null): string {
  if (value === null) return "";
  return `${new Date(value).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** The same with the distance from now: `2026-11-15 12:00:04Z (in 4 s)`. */
export function momentFrom(value: Date | null, now: Date): string {
  if (!value) return "";
  const seconds = Math.round((value.getTime() - now.getTime()) / 1000);
  if (seconds === 0) return `${moment(value)} (now)`;
  return `${moment(value)} (${seconds > 0 ? `in ${span(seconds)}` : `${span(-seconds)} ago`})`;
}

/** `45 s`, `12 min`, `3 h`, `2 days`. */
export function span(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return counted(Math.round(seconds / 86_400), "day");
}

/** `1 task`, `2 tasks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return countedIn(count, { one, other: many }, "en");
}

/** One line of at most that many characters. */
export function shortened(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
