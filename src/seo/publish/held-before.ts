import type { Charge } from "../runs/hold-tokens.ts";
import type { RunDetail } from "../runs/read-runs.ts";

/** `again-2-text`: held for the second time, because the text could not be published. */
const again = /^again-(\d+)-(.+)$/;

/** The holds that were returned when the last try to publish failed. */
export function lastReturned({ receipt, error }: Pick<RunDetail, "receipt" | "error">): RunDetail["receipt"] {
  const last = Math.max(0, ...receipt.map(({ step }) => timeOf(step)));
  return receipt.filter(
    ({ step, state, reason }) =>
      timeOf(step) === last && state === "returned" && (!error || reason === error.code),
  );
}

/** What was held for a text that could not be published, to be held once more. */
export function heldBefore(run: Pick<RunDetail, "receipt" | "error">): Charge[] {
  return lastReturned(run).map(({ step, operation, amount }) => ({
    ...{ operation, tokens: amount },
    step: `again-${timeOf(step) + 1}-${again.exec(step)?.[2] ?? step}`,
  }));
}

/** Whether this hold was returned because the text could not be published, and held anew for the next try. */
export function wasHeldAgain({ receipt }: Pick<RunDetail, "receipt">, step: string): boolean {
  const nameOf = (each: string) => again.exec(each)?.[2] ?? each;
  return receipt.some((each) => nameOf(each.step) === nameOf(step) && timeOf(each.step) > timeOf(step));
}

const timeOf = (step: string) => Number(again.exec(step)?.[1] ?? 0);
