import { setImmediate as turn } from "node:timers/promises";

/** Pixels of a picture row by row: red, green, blue and, of a transparent one, alpha. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

/** Of differences from the middle grey. */
const contrast = { factor: 1.05, grey: 120 } as const;
const saturation = 1.08;
/** Gives edges of two pixels what a radius of 1.5 gives them at 80 per cent. */
const sharpness = 1.2;

/** The blur of three by three pixels that is taken off: a radius of 1.5 within 1 per mille. */
const [near, own] = [4, 5];
const blurred = (near + own + near) ** 2;

/** Brightness of colours by Rec. 709 in 10 bits, of which two are kept below the point. */
const [red, green, blue] = [218, 732, 74];
const brightnessBits = 8;
const brightnessUnit = (red + green + blue) >> brightnessBits;

/** Whole numbers with 16 bits below the point. */
const unit = 1 << 16;
const ofColour = Math.round(contrast.factor * saturation * unit);
const ofBrightness = Math.round((contrast.factor * (1 - saturation + sharpness) * unit) / brightnessUnit);
const ofBlur = Math.round((contrast.factor * sharpness * unit) / blurred / brightnessUnit);
const shift = Math.round((1 - contrast.factor) * contrast.grey) * unit + unit / 2;

/** Rows between which others get their turn: some milliseconds. */
const rowsAtOnce = 256;

/**
 * Sharpens a little and adds contrast and colour, in place. Only brightness is sharpened, so that edges get no coloured fringes. One
 * pass of whole numbers takes a third of the time of libvips, whose convolution and matrix calculate with fractions.
 */
export async function enhance({ data, width, height, channels }: Pixels): Promise<void> {
  const row = () => new Int32Array(width + 2);
  let [above, here, below] = [row(), row(), row()];
  brightnessOf(data, 0, channels, here);
  above.set(here);
  for (let y = 0; y < height; y++) {
    if (y + 1 < height) brightnessOf(data, (y + 1) * width * channels, channels, below);
    else below.set(here);
    enhanceRow(data, y * width * channels, channels, { above, here, below });
    [above, here, below] = [here, below, above];
    if (y % rowsAtOnce === rowsAtOnce - 1) await turn();
  }
}

/** The pixels at the ends are there twice. */
function brightnessOf(data: Uint8Array, start: number, channels: number, into: Int32Array): void {
  const width = into.length - 2;
  for (let x = 1, at = start; x <= width; x++, at += channels)
    into[x] =
      (red * (data[at] ?? 0) + green * (data[at + 1] ?? 0) + blue * (data[at + 2] ?? 0)) >> brightnessBits;
  into[0] = into[1] ?? 0;
  into[width + 1] = into[width] ?? 0;
}

function enhanceRow(
  data: Uint8Array,
  start: number,
  channels: number,
  { above, here, below }: Readonly<Record<"above" | "here" | "below", Int32Array>>,
): void {
  const width = here.length - 2;
  const column = (x: number) => near * ((above[x] ?? 0) + (below[x] ?? 0)) + own * (here[x] ?? 0);
  let before = column(0);
  let middle = column(1);
  for (let x = 1, at = start; x <= width; x++, at += channels) {
    const after = column(x + 1);
    const blur = near * (before + after) + own * middle;
    const added = Math.imul(here[x] ?? 0, ofBrightness) - Math.imul(blur, ofBlur) + shift;
    before = middle;
    middle = after;
    data[at] = inByte(Math.imul(data[at] ?? 0, ofColour) + added);
    data[at + 1] = inByte(Math.imul(data[at + 1] ?? 0, ofColour) + added);
    data[at + 2] = inByte(Math.imul(data[at + 2] ?? 0, ofColour) + added);
  }
}

function inByte(value: number): number {
  const whole = value >> 16;
  return Math.max(0, Math.min(255, whole));
}
