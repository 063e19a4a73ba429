/** The scores of a site over time as a small picture. It has no words, which would need fonts: whoever shows it names the colours. */
import sharp from "sharp";
import { type AuditScores, type ScoreName, scoreNames } from "./audit-history.ts";

const size = { width: 640, height: 320, margin: 24 } as const;

/** By line; the marks are what a chat has for them. */
export const trendColours: Readonly<Record<ScoreName, { readonly hex: string; readonly mark: string }>> = {
  performance: { hex: "#1e88e5", mark: "🔵" },
  accessibility: { hex: "#8e24aa", mark: "🟣" },
  best_practices: { hex: "#6d4c41", mark: "🟤" },
  seo_score: { hex: "#fb8c00", mark: "🟠" },
};

/** PageSpeed's own bounds: good, middling, poor. */
const bands = [
  { from: 90, to: 100, hex: "#e6f4e6" },
  { from: 50, to: 90, hex: "#fdf6e0" },
  { from: 0, to: 50, hex: "#fbe9e9" },
] as const;

export async function trendPicture(history: readonly AuditScores[]): Promise<Uint8Array> {
  return sharp(Buffer.from(trendSvg(history)))
    .png({ palette: true })
    .toBuffer();
}

export function trendSvg(history: readonly AuditScores[]): string {
  const { width, height } = size;
  const shades = bands.map(
    ({ from, to, hex }) =>
      `<rect x="0" y="${yOf(to)}" width="${width}" height="${yOf(from) - yOf(to)}" fill="${hex}"/>`,
  );
  const lines = scoreNames.map((name) => lineOf(history, name));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...shades,
    ...lines,
    "</svg>",
  ].join("");
}

const yOf = (score: number) => size.margin + ((100 - score) / 100) * (size.height - 2 * size.margin);

function xOf(index: number, count: number): number {
  const room = size.width - 2 * size.margin;
  return size.margin + (count < 2 ? room / 2 : (index / (count - 1)) * room);
}

/** A score that an audit did not bring is left out of its line. */
function lineOf(history: readonly AuditScores[], name: ScoreName): string {
  const { hex } = trendColours[name];
  const places = history.flatMap((audit, index) => {
    const score = audit[name];
    return score === null ? [] : [[round(xOf(index, history.length)), round(yOf(score))] as const];
  });
  const dots = places.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="5" fill="${hex}"/>`).join("");
  const path = places.map(([x, y]) => `${x},${y}`).join(" ");
  return `<polyline points="${path}" fill="none" stroke="${hex}" stroke-width="3"/>${dots}`;
}

const round = (value: number) => Math.round(value * 10) / 10;

const bars = "▁▂▃▄▅▆▇█";

/** One character for each audit, for a terminal; a space where the score is unknown. */
export function sparkline(scores: readonly (number | null)[]): string {
  return scores
    .map((score) =>
      score === null
        ? " "
        : (bars[Math.min(bars.length - 1, Math.floor((score / 100) * bars.length))] ?? " "),
    )
    .join("");
}
