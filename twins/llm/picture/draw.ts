import type { Pick } from "../picker.ts";
import { type Canvas, type Colour, pngFile } from "./png.ts";

/** A drawn scene: a sky, a sun, hills and houses, each picture with other places and colours. */
export interface Drawing {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const bands = 48;

export function draw(width: number, height: number, pick: Pick): Drawing {
  const hue = pick(360);
  const sky = (band: number) => colour(hue, 0.45, 0.45 + (0.45 * band) / bands);
  const palette: Colour[] = [
    ...Array.from({ length: bands }, (_, band) => sky(band)),
    colour(hue + 170 + pick(40), 0.85, 0.7),
    ...[0.5, 0.38, 0.26].map((light) => colour(hue + 80 + pick(60), 0.4, light)),
    ...[0.62, 0.5, 0.42, 0.3].map((light) => colour(hue + 200 + pick(90), 0.45, light)),
    [250, 244, 220],
  ];
  const pixels = new Uint8Array(width * height);
  const canvas: Canvas = { width, height, pixels, palette };
  for (let y = 0; y < height; y += 1)
    pixels.fill(Math.min(bands - 1, Math.floor((y / height) * bands)), y * width, (y + 1) * width);
  disc(
    canvas,
    width * (0.15 + pick(70) / 100),
    height * (0.12 + pick(30) / 100),
    unit(canvas) * (6 + pick(9)),
    bands,
  );
  for (const layer of [0, 1, 2]) hills(canvas, layer, pick);
  const count = 2 + pick(4);
  for (let index = 0; index < count; index += 1) house(canvas, (index + 0.1) / count, 0.7 / count, pick);
  return { bytes: pngFile(canvas), width, height };
}

const unit = ({ width, height }: Canvas) => Math.min(width, height) / 100;

function disc(canvas: Canvas, x: number, y: number, radius: number, paint: number): void {
  for (let row = Math.ceil(y - radius); row <= y + radius; row += 1) {
    const half = Math.sqrt(Math.max(0, radius ** 2 - (row - y) ** 2));
    span(canvas, row, x - half, x + half, paint);
  }
}

function hills({ width, height, pixels }: Canvas, layer: number, pick: Pick): void {
  const [phase, waves, tall] = [pick(628) / 100, 1 + pick(3) + layer, 0.04 + pick(10) / 100];
  for (let x = 0; x < width; x += 1) {
    const top = height * (0.55 + layer * 0.13 - tall * Math.sin(phase + (x / width) * waves * Math.PI));
    for (let y = Math.max(0, Math.floor(top)); y < height; y += 1) pixels[y * width + x] = bands + 1 + layer;
  }
}

function house(canvas: Canvas, left: number, share: number, pick: Pick): void {
  const { width, height } = canvas;
  const [from, to] = [left * width, (left + share) * width];
  const top = height * (0.45 + pick(28) / 100);
  const bottom = height * (0.86 + pick(8) / 100);
  const paint = bands + 4 + pick(4);
  for (let row = Math.ceil(top); row < bottom; row += 1) span(canvas, row, from, to, paint);
  const roof = (to - from) / 2.5;
  for (let row = 0; row < roof; row += 1) {
    const inset = ((to - from) / 2) * (1 - row / roof);
    span(canvas, top - roof + row, from + inset, to - inset, bands + 7);
  }
  const panes = 2 + pick(3);
  const pane = (to - from) / (panes * 2 + 1);
  for (let index = 0; index < panes; index += 1)
    for (let row = 0; row < pane * 1.4; row += 1)
      span(canvas, top + pane + row, from + pane * (index * 2 + 1), from + pane * (index * 2 + 2), bands + 8);
}

function span({ width, height, pixels }: Canvas, y: number, from: number, to: number, paint: number): void {
  const row = Math.floor(y);
  if (row < 0 || row >= height) return;
  const start = Math.max(0, Math.ceil(from));
  const end = Math.min(width, Math.floor(to) + 1);
  if (end > start) pixels.fill(paint, row * width + start, row * width + end);
}

/** Hue in degrees, the others from 0 to 1. */
function colour(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const step = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(step - 3, 9 - step, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
