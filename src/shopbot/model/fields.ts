import { z } from "zod";

export { parseModes } from "../../content/index.ts";

/** Names of rules and states. */
export const chosenName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    "Up to 64 small Latin letters, digits, - and _; the first is a letter or a digit",
  );

/** Text shown to people: not blank, and storable. */
export function text(max: number) {
  return z
    .string()
    .max(max)
    .refine((value) => value.trim() !== "", "Something must be written here")
    .refine(
      (value) => value.isWellFormed() && !value.includes("\0"),
      "The text holds NUL or half of a surrogate pair",
    );
}
