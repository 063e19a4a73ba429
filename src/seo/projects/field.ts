import { z } from "zod";
import type { Said } from "../said.ts";

/** A field that people type: how it is read, and what they are told if it cannot be used. */
export interface Field {
  readonly label: Said;
  readonly schema: z.ZodType<string, string>;
  readonly fault: Said;
}

export type FieldRead =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly said: Said };

/** Reads what somebody typed for a field. */
export function readField({ schema, fault }: Field, typed: string): FieldRead {
  const read = schema.safeParse(typed);
  return read.success ? { ok: true, value: read.data } : { ok: false, said: fault };
}

/** Text between two lengths, without control characters; lines only where `lines` allows them. */
export function textOf(length: { min: number; max: number; lines?: boolean }, error: string) {
  const allowed = length.lines ? /^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u : /^[^\p{Cc}\p{Cs}]*$/u;
  return z
    .string()
    .transform((typed) => typed.trim())
    .pipe(z.string().min(length.min, error).max(length.max, error).regex(allowed, error));
}

/** Marks that no name needs, and that mean something in pages, templates and queries. */
const special = /[<>{}[\]\\|]/;

/** The name of a project or a category. */
export const nameField = field(
  { ru: "Название", en: "Name" },
  {
    ru: "Введите название от 2 до 100 символов, без < > { } [ ] \\ |",
    en: "Give a name of 2 to 100 characters, without < > { } [ ] \\ |",
  },
  (error) =>
    textOf({ min: 2, max: 100 }, error).pipe(z.string().refine((name) => !special.test(name), error)),
);

export function field(label: Said, fault: Said, schema: (error: string) => z.ZodType<string, string>): Field {
  return { label, fault, schema: schema(fault.en) };
}
