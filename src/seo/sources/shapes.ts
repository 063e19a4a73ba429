import { z } from "zod";

/** Shapes that read what is there: a field that is missing or odd becomes null, an odd item of a list is left out. */

/** Whatever it is; it may be absent. */
export const anything = z.unknown().optional();

export const numberOrNull = z.number().nullable().catch(null);
const textOrEmpty = z.string().catch("");

/** A text of at most `max` characters, on one line, without control characters; empty if it is none. */
export const lineOf = (max: number) => textOrEmpty.transform((text) => oneLine(text, max));

export function oneLine(text: string, max: number): string {
  const visible = text.slice(0, max * 4).replace(/\p{Cf}/gu, "");
  return cutAt(visible.replace(/[\s\p{Cc}]+/gu, " ").trim(), max);
}

/** Text of several lines, without control characters and invisible ones, in which orders to models are hidden. */
export function plainText(text: string, max: number): string {
  return cutAt(text.replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, ""), max);
}

export const textOf = (max: number) => textOrEmpty.transform((text) => plainText(text, max));

/** The items that the shape reads; none if it is not a list. */
export function listOf<S extends z.ZodType>(shape: S, most = Number.POSITIVE_INFINITY) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items): z.output<S>[] => {
      const read: z.output<S>[] = [];
      for (const item of items) {
        if (read.length >= most) break;
        const parsed = shape.safeParse(item);
        if (parsed.success) read.push(parsed.data);
      }
      return read;
    });
}

/** An object whose fields are read by the shape; empty if it is something else. */
export function objectOf<S extends z.ZodRawShape>(fields: S) {
  return z.preprocess((value) => (isObject(value) ? value : {}), z.object(fields));
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const webAddress = z
  .string()
  .max(2000)
  .refine((text) => /^https?:\/\//i.test(text));

/** Never ends between the halves of a character. */
function cutAt(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
