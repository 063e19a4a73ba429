/** Lays several pictures out as one rectangle, the way messengers show an album. */

export interface Tile {
  /** Fractions of the mosaic's width and height. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Mosaic {
  /** Width divided by height of the whole. */
  readonly ratio: number;
  readonly tiles: readonly Tile[];
}

/** A picture more extreme than this is cropped rather than shown as a strip. */
const extremes = { min: 0.6, max: 1.9 };
/** Height divided by width of the whole: a little flatter than square looks best. */
const idealHeight = 0.95;
const perRow = 3;

/** `ratios` are widths divided by heights, at least one of them. */
export function mosaicOf(ratios: readonly number[]): Mosaic {
  const shapes = ratios.map((ratio) => Math.min(Math.max(ratio, extremes.min), extremes.max));
  const layouts = [...partitions(shapes).map(inRows), ...besideLead(shapes)];
  const best = layouts.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  return {
    ratio: 1 / best.height,
    tiles: best.tiles.map((tile) => ({
      ...tile,
      top: tile.top / best.height,
      height: tile.height / best.height,
    })),
  };
}

/** A mosaic one unit wide; `tiles` are in the same unit until the winner is scaled. */
interface Layout {
  readonly height: number;
  readonly tiles: readonly Tile[];
}

/** Every way to break the pictures into rows of one to three, in order. */
function partitions(shapes: readonly number[]): number[][][] {
  if (shapes.length === 0) return [[]];
  const lengths = Array.from({ length: Math.min(perRow, shapes.length) }, (_, index) => index + 1);
  return lengths.flatMap((length) =>
    partitions(shapes.slice(length)).map((rest) => [shapes.slice(0, length), ...rest]),
  );
}

function inRows(rows: readonly (readonly number[])[]): Layout {
  const tiles: Tile[] = [];
  let top = 0;
  for (const row of rows) {
    const height = 1 / sum(row);
    let left = 0;
    for (const ratio of row) {
      tiles.push({ left, top, width: ratio * height, height });
      left += ratio * height;
    }
    top += height;
  }
  return { height: top, tiles };
}

/** The first picture tall on the left, the others stacked beside it: only for three or four, led by a portrait. */
function besideLead(shapes: readonly number[]): Layout[] {
  const [lead, ...others] = shapes;
  if (lead === undefined || lead >= 1 || others.length < 2 || others.length > 3) return [];
  const stackHeight = sum(others.map((ratio) => 1 / ratio));
  const height = 1 / (lead + 1 / stackHeight);
  const leadWidth = lead * height;
  const tiles: Tile[] = [{ left: 0, top: 0, width: leadWidth, height }];
  let top = 0;
  for (const ratio of others) {
    tiles.push({ left: leadWidth, top, width: 1 - leadWidth, height: (1 - leadWidth) / ratio });
    top += (1 - leadWidth) / ratio;
  }
  return [{ height, tiles }];
}

/** Far from the ideal height is bad; pictures of very different size are bad. */
function cost({ height, tiles }: Layout): number {
  const areas = tiles.map((tile) => Math.sqrt(tile.width * tile.height));
  const mean = sum(areas) / areas.length;
  const spread = sum(areas.map((area) => (area - mean) ** 2)) / areas.length / mean ** 2;
  return (height - idealHeight) ** 2 + spread;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
