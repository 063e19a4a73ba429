import { type Lemmas, wordParts } from "../language/index.ts";
import type { NumberQuantity, Quantity } from "./quantities.ts";

export type QuantityFault = "number" | "unit" | "date" | "bound" | "contact";

/** How far a number may be rounded after `около` and the like. */
const roughly = 0.03;

/** Finds what a quantity of a sentence contradicts in the quantities of its quote; undefined if they agree. */
export function faultOf(
  stated: Quantity,
  quoted: readonly Quantity[],
  quoteText: string,
  lemmas: Lemmas,
): QuantityFault | undefined {
  if (stated.kind === "date") return quoted.some((other) => sameDate(stated, other)) ? undefined : "date";
  if (stated.kind !== "number") {
    const same = quoted.some((other) => other.kind === stated.kind && other.value === stated.value);
    return same ? undefined : stated.kind === "phone" ? "contact" : "number";
  }
  const numbers = quoted.filter((other) => other.kind === "number");
  const faults = numbers.map((other) => numberFault(stated, other, quoteText, lemmas));
  if (faults.includes(undefined)) return undefined;
  return faults.find((fault) => fault === "bound") ?? faults.find((fault) => fault === "unit") ?? "number";
}

function numberFault(
  stated: NumberQuantity,
  quoted: NumberQuantity,
  quoteText: string,
  lemmas: Lemmas,
): QuantityFault | undefined {
  const sameKind = sameMeasure(stated, quoted, quoteText, lemmas);
  const factor = (quantity: NumberQuantity) => quantity.unit?.factor ?? 1;
  const a = stated.value * (sameKind ? factor(stated) : 1);
  const b = quoted.value * (sameKind ? factor(quoted) : 1);
  // The same figure with another unit of its kind: 8 мм and 8 см.
  if (Math.abs(a - b) > Math.abs(b) * toleranceOf(stated, quoted))
    return stated.value === quoted.value ? "unit" : "number";
  if (!sameKind) return "unit";
  return stated.bound && quoted.bound && stated.bound !== quoted.bound ? "bound" : undefined;
}

function toleranceOf(stated: NumberQuantity, quoted: NumberQuantity): number {
  // A third has no exact percentage.
  const isThird = [stated, quoted].some(({ value }) => value === 100 / 3);
  return isThird ? 0.02 : stated.isRough ? roughly : 1e-9;
}

function sameMeasure(
  stated: NumberQuantity,
  quoted: NumberQuantity,
  quoteText: string,
  lemmas: Lemmas,
): boolean {
  if (stated.unit && quoted.unit)
    return (
      stated.unit.measures === quoted.unit.measures &&
      (stated.per === undefined || quoted.per === undefined || stated.per === quoted.per)
    );
  if (stated.unit) return countsTheSame(stated, quoted);
  if (stated.counted.length === 0) return true;
  if (quoted.unit) return countsTheSame(quoted, stated);
  const words = new Set(wordParts(quoteText).map(lemmas));
  return stated.counted.some((word) => words.has(lemmas(word)));
}

/** People and pieces may be named: `30 человек` are `30 мастеров`. */
function countsTheSame(withUnit: NumberQuantity, counting: NumberQuantity): boolean {
  const { measures } = withUnit.unit ?? { measures: "" };
  return (measures === "person" || measures === "piece") && counting.counted.length > 0;
}

function sameDate(stated: Extract<Quantity, { kind: "date" }>, other: Quantity): boolean {
  if (other.kind !== "date") return false;
  return (["year", "month", "day"] as const).every(
    (part) => stated[part] === undefined || stated[part] === other[part],
  );
}
