import { multipliers, type UnitKind, units } from "./units.ts";

/** A number with its unit, such as «от 2,5 тыс. рублей». */
export interface Quantity {
  readonly value: number;
  readonly unit: string;
  readonly kind: UnitKind;
  /** As it stands in the text. */
  readonly text: string;
  readonly start: number;
}

const unitOf = new Map(units.flatMap((unit) => unit.forms.map((form) => [form, unit] as const)));

/** Thousands may be apart: «12 500». Letters before a number make it a model: «А320». */
const number = /(?<![\p{L}\p{N}.,])\p{Nd}{1,12}(?:[ \u00A0\u202F]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}{1,6})?/gu;
const nextWord = /^[\s\u00A0\u202F-]{0,2}(°[CС]?|[%$€₽]|[\p{L}²³]{1,16}[23]?)\.?/u;
/** No unit begins later, multiplier included. */
const furthest = 40;
const rangeSign = /^[\s\u00A0]{0,2}(?:[-–—]|до|и)[\s\u00A0]{0,2}$/u;

/**
 * Finds numbers with units. The first number of «2–3 дня» and «от 500 до 900 рублей» has the unit of the second. A bare year
 * («в 2024») counts only with its word.
 */
export function quantitiesOf(text: string): Quantity[] {
  const found: Quantity[] = [];
  // Looking back before every sign of a text takes longer than looking for a digit first.
  if (!/\p{Nd}/u.test(text)) return found;
  let bare: { value: number; start: number; end: number } | undefined;
  for (const { index, 0: digits } of text.matchAll(number)) {
    const end = index + digits.length;
    const value = Number(digits.replace(/[ \u00A0\u202F]/g, "").replace(",", "."));
    const read = unitAfter(text, end);
    if (!read) {
      bare = { value, start: index, end };
      continue;
    }
    const { unit, factor, length } = read;
    const common = { unit: unit.name, kind: unit.kind };
    if (bare && index - bare.end < 8 && rangeSign.test(text.slice(bare.end, index)))
      found.push({
        ...common,
        value: bare.value * factor,
        text: text.slice(bare.start, end + length),
        start: bare.start,
      });
    found.push({ ...common, value: value * factor, text: text.slice(index, end + length), start: index });
    bare = undefined;
  }
  return found;
}

function unitAfter(text: string, end: number) {
  const window = text.slice(end, end + furthest);
  const first = nextWord.exec(window);
  if (!first) return undefined;
  const factor = multipliers[(first[1] ?? "").toLowerCase()];
  if (factor === undefined) {
    const unit = unitOf.get((first[1] ?? "").toLowerCase());
    return unit && { unit, factor: 1, length: first[0].length };
  }
  const second = nextWord.exec(window.slice(first[0].length));
  const unit = unitOf.get((second?.[1] ?? "").toLowerCase());
  return unit && second && { unit, factor, length: first[0].length + second[0].length };
}
