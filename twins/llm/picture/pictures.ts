import type { AnswerFlaw } from "../../shared/index.ts";
import { picker } from "../picker.ts";
import { draw } from "./draw.ts";
import { sizeOf } from "./size.ts";

/** A picture as it is sent: base64 of a PNG. */
export interface SentPicture {
  readonly base64: string;
  readonly width: number;
  readonly height: number;
}

export const tokensPerPicture = 1_290;

/** The same picture for the same seed, another for another. */
export function pictureFor(
  seed: string,
  { ratio, size }: { readonly ratio?: string | undefined; readonly size?: string | undefined },
  flaw: AnswerFlaw | undefined,
): SentPicture {
  const { width, height } = sizeOf(ratio, size);
  const { bytes } = draw(width, height, picker(flaw === "same_image" ? "always the same" : seed));
  const file = flaw === "bad_image" ? bytes.subarray(0, Math.floor(bytes.length / 3)) : bytes;
  return { base64: file.toString("base64"), width, height };
}
