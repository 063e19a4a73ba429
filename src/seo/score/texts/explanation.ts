import type { Verdict } from "../checks.ts";
import type { CheckId } from "../points.ts";

/** One check in words. `change` is read only when points were lost. */
export interface Explanation {
  readonly label: string;
  readonly found: string;
  readonly wanted: string;
  readonly change: string;
}

export type Explain = Readonly<Record<CheckId, (found: Verdict["found"]) => Explanation>>;
