/** What a work cost, as its person reads it. */
import type { Language } from "../../../dialogs/index.ts";
import { wasHeldAgain } from "../../publish/held-before.ts";
import type { RunDetail } from "../../runs/read-runs.ts";
import { texts } from "../texts/index.ts";

/**
 * Held, settled and returned tokens of a run; a line each, without those that are nought. What was counted less than was held came back
 * before the rest, so each reason has a line of its own.
 */
export function receiptText({ receipt }: Pick<RunDetail, "receipt">, language: Language): string {
  const { common, runs } = texts[language];
  if (receipt.length === 0) return runs.receipt.free;
  const held = receipt.reduce((sum, { charged }) => sum + charged, 0);
  const sum = (holds: RunDetail["receipt"]) => holds.reduce((total, { amount }) => total + amount, 0);
  const settled = sum(receipt.filter(({ state }) => state === "settled"));
  const counted = held - sum(receipt);
  const gone = receipt
    .filter(({ state }) => state === "returned")
    .map((hold) => ({
      ...hold,
      reason: wasHeldAgain({ receipt }, hold.step) ? "not_published" : hold.reason,
    }));
  const reasons = [...new Set(gone.map(({ reason }) => reason))];
  return [
    `${runs.receipt.title}. ${runs.receipt.held(common.tokens(held))}`,
    ...(settled > 0 ? [runs.receipt.settled(common.tokens(settled))] : []),
    ...(counted > 0 ? [runs.receipt.returned(common.tokens(counted), "counted")] : []),
    ...reasons.flatMap((reason) => {
      const returned = sum(gone.filter((each) => each.reason === reason));
      return returned > 0 ? [runs.receipt.returned(common.tokens(returned), reason)] : [];
    }),
  ].join("\n");
}
