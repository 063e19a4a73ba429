import { cut } from "../../kernel/words/index.ts";
import type { AcceptKind } from "../model/rule.ts";

/** The requested value from the customer's message; undefined if it is not there. */
export function accept(kind: AcceptKind, said: string): string | undefined {
  return readers[kind](said.trim());
}

const readers: Record<AcceptKind, (said: string) => string | undefined> = {
  text: (said) => (/[\p{L}\p{N}]/u.test(said) && said.length >= 2 ? cut(said, 1000) : undefined),
  /** Text that is not a question. */
  reason: (said) => (isQuestion(said) ? undefined : readers.text(said)),
  order_number: orderNumber,
  phone(said) {
    const digits = said.replace(/[\s().-]/g, "").match(/\+?\d{10,15}/)?.[0];
    return digits;
  },
  email: (said) => said.match(/[^\s@<>"]{1,64}@[^\s@<>"]{1,255}\.[^\s@<>".]{2,}/)?.[0],
};

export function isQuestion(said: string): boolean {
  return /\?[\s)!?]{0,20}$/.test(said) || questionBegins.test(said.trim());
}

const questionBegins =
  /^(?:а\s|и\s|скажите,?\s|подскажите,?\s)?(?:сколько|где|когда|куда|кто|какой|какая|какие|каков|можно ли|есть ли|how|where|when|who|which|can i|do you|is there)(?![\p{L}\p{N}])/iu;

/**
 * Four to twelve digits, possibly in groups, after up to three letters: `12345`, `№ 12-345`, `АБ-001234`. Two numbers in one message are
 * ambiguous, so the customer is asked again.
 */
function orderNumber(said: string): string | undefined {
  const found = [
    ...said.matchAll(/(?<![\p{L}\d])(?:(\p{L}{1,3})[-\s]?)?(\d{1,12}(?:-\d{1,12}){0,3})(?![\p{L}\d])/gu),
  ]
    .map(([, letters, digits = ""]) => ({ letters, digits, count: digits.replaceAll("-", "").length }))
    .filter(({ count }) => count >= 4 && count <= 12);
  const [only, ...others] = found;
  if (!only || others.length > 0) return undefined;
  // A word before the number, such as «мой 12345», is not part of it; a prefix is in capitals.
  const prefix = only.letters && only.letters === only.letters.toUpperCase() ? `${only.letters}-` : "";
  return `${prefix}${only.digits}`;
}
