import type { Cluster } from "./clusters.ts";

const columns = [
  ...["cluster_name", "cluster_type", "main_phrase", "phrase", "volume"],
  ...["difficulty", "cpc", "intent", "ai_suggested"],
  ...["volume_country", "yandex_volume", "yandex_region"],
];

/** All phrases as CSV (RFC 4180), with the mark by which Excel recognises UTF-8. Every volume has its place beside it. */
export function keywordsCsv(clusters: readonly Cluster[]): string {
  const rows = clusters.flatMap(({ phrases, cluster_name, cluster_type, main_phrase }) =>
    phrases.map(({ phrase, volume, difficulty, cpc, intent, ai_suggested, ...placed }) => [
      ...[cluster_name, cluster_type, main_phrase, phrase, volume, difficulty, cpc, intent],
      ...[ai_suggested, placed.volume_country, placed.yandex_volume, placed.yandex_region],
    ]),
  );
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** One phrase on each line. */
export function keywordsTxt(clusters: readonly Cluster[]): string {
  return clusters.flatMap(({ phrases }) => phrases.map(({ phrase }) => `${phrase}\n`)).join("");
}

/** A text that a spreadsheet would take for a formula gets an apostrophe, which it shows as text. */
function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[\s]*[=+\-@]|^[\t\r]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
