import { z } from "zod";

/** An amount above zero as text with two decimals, parsed to whole kopecks. */
export const amountField = z.strictObject({
  value: z
    .string()
    .regex(/^\d{1,10}\.\d{2}$/, "must be a string such as 990.00")
    .transform(kopecksOf)
    .refine((kopecks) => kopecks > 0, "must be above zero"),
  currency: z.literal("RUB", { error: "Incorrect currency" }),
});

export function kopecksOf(value: string): number {
  return Math.round(Number(value) * 100);
}

export const amountOf = (kopecks: number) => ({ value: (kopecks / 100).toFixed(2), currency: "RUB" });
