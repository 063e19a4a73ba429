import { governed, sharedTexts } from "./governed.ts";
import { optimum } from "./optimum.ts";
import { ungoverned } from "./pacing.ts";
import { publish } from "./publish.ts";
import { newTally, type Tally } from "./tally.ts";
import { distributions } from "./world/distributions.ts";

export interface Comparison {
  readonly governed: Tally;
  readonly ungoverned: Tally;
  readonly optimum: Tally;
}

/**
 * Runs the same workspaces three times: with the governor, without it, and with a planner that knows the thresholds.
 */
export function compare(options: {
  readonly seed: number;
  readonly days: number;
  readonly accountDays: number;
}): Comparison {
  const { seed, days, accountDays } = options;
  const workspaces = Math.ceil(accountDays / days / distributions.demand.accountsInWorkspace);
  const tallies = { governed: newTally(), ungoverned: newTally(), optimum: newTally() };
  for (let workspace = 0; workspace < workspaces; workspace++) {
    const shared = sharedTexts();
    publish({ seed, workspace, days }, (publisher) => governed(publisher, shared), tallies.governed);
    publish({ seed, workspace, days }, () => ungoverned(), tallies.ungoverned);
    optimum({ seed, workspace, days }, tallies.optimum);
  }
  return tallies;
}
