import { type Html, html } from "../../shared/index.ts";
import type { Photo } from "../model.ts";

/** How many photos are in each row, by their number. */
const rows: readonly (readonly number[])[] = [
  [],
  [1],
  [2],
  [1, 2],
  [1, 3],
  [2, 3],
  [3, 3],
  [1, 3, 3],
  [2, 3, 3],
  [3, 3, 3],
  [3, 3, 4],
];

/** Photos side by side without gaps: each row is as high as its photos need to fill its width. */
export function photoGrid(photos: readonly Photo[]): Html {
  let from = 0;
  const lines = (rows[photos.length] ?? [photos.length]).map((count) => {
    const line = photos.slice(from, from + count);
    from += count;
    const ratios = line.map(({ width, height }) => clamp(width / height));
    const sum = ratios.reduce((total, ratio) => total + ratio, 0);
    return html`<div class="row" style="aspect-ratio: ${Math.max(sum, leastRow).toFixed(4)}">${line.map(
      (photo, index) =>
        html`<img src="${photo.blob.path}" alt="${photo.caption || "Фотография"}" style="flex: ${(ratios[index] ?? 1).toFixed(4)} 1 0">`,
    )}</div>`;
  });
  return html`<div class="photos">${lines}</div>`;
}

/** A single tall photo would be higher than the screen. */
const leastRow = 0.8;

const clamp = (ratio: number) => Math.min(Math.max(ratio, 0.55), 2.4);
