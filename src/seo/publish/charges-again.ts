import { chargesOf } from "../articles/article-deps.ts";
import type { Charge } from "../runs/hold-tokens.ts";
import type { RunDetail } from "../runs/read-runs.ts";

/**
 * What another text costs: the first generation fixes the price, that of its words and of all pictures, which are drawn anew.
 * Those who paid nothing pay nothing again.
 */
export function chargesAgain({ receipt, round }: Pick<RunDetail, "receipt" | "round">): Charge[] {
  const [first, next] = [chargesOf(0), chargesOf(round + 1)];
  return receipt.flatMap(({ step, operation, charged, amount }): Charge[] => {
    if (step === first.text) return [{ step: next.text, operation, tokens: amount }];
    return step === first.images ? [{ step: next.images, operation, tokens: charged }] : [];
  });
}
