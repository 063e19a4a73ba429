import { z } from "zod";
import { idShape, ifReadable, readableItems } from "../if-readable.ts";

export const pinUrl = (id: string): string => `https://www.pinterest.com/pin/${id}/`;

/** The texts of a Pin in a compiled request; the board and the picture are added at sending. */
export const wordsShape = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  link: z.string().optional(),
  alt_text: z.string().optional(),
});
export type PinWords = z.infer<typeof wordsShape>;

/** The text of a Pin that readers see. */
export const textOfPin = ({ title, description }: PinWords): string =>
  [title, description].filter((part) => part).join("\n");

/** The fields that we read of a Pin; only its id is required. */
export const pinShape = z.object({
  id: idShape,
  created_at: ifReadable(z.string()),
  title: ifReadable(z.string()),
  description: ifReadable(z.string()),
  link: ifReadable(z.string()),
});
export type Pin = z.infer<typeof pinShape>;

export const pinsShape = z.object({ items: readableItems(pinShape), bookmark: ifReadable(z.string()) });

/** Times come without a zone and are in UTC. */
export function createdAt({ created_at }: Pin): number | undefined {
  if (created_at === undefined) return undefined;
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(created_at) ? created_at : `${created_at}Z`);
  return Number.isNaN(at) ? undefined : at;
}
