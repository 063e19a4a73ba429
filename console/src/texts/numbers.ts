/** Numbers and the words after them, in one language. */
import type { Locale } from "../preferences/index.ts";

export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export interface Numbers {
  /** 12345 → "12 345" or "12,345" */
  format(count: number): string;
  /** The count and the form of the word that goes with it: "21 канал", "2 канала", "5 каналов". */
  count(count: number, forms: Forms): string;
}

export function numbersIn(locale: Locale): Numbers {
  const digits = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  return {
    format: (count) => digits.format(count),
    count: (count, forms) => `${digits.format(count)} ${forms[rules.select(count)] ?? forms.other}`,
  };
}
