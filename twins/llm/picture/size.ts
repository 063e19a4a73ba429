/** The longer side, in pixels. */
const sides: Readonly<Record<string, number>> = { "512": 512, "1K": 1024, "2K": 2048, "4K": 4096 };

export const aspectRatios = [
  "1:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "21:9",
] as const;
export const imageSizes = ["512", "1K", "2K", "4K"] as const;

/** Width and height of a picture of these proportions. */
export function sizeOf(ratio = "1:1", size = "1K"): { readonly width: number; readonly height: number } {
  const [across = 1, down = 1] = ratio.split(":").map(Number);
  const side = sides[size] ?? 1024;
  const even = (value: number) => Math.round(value / 2) * 2;
  return across >= down
    ? { width: side, height: even((side * down) / across) }
    : { width: even((side * across) / down), height: side };
}
