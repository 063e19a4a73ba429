import { systemClock } from "../../kernel/clock/index.ts";
import { type Common, checked, operatorName } from "../../terminal/index.ts";
import { reason } from "../../workspaces/index.ts";
import type { Act } from "../deliveries/index.ts";

/** The options of every command that changes deliveries. */
export interface Change extends Common {
  readonly reason: string;
  readonly dryRun?: boolean;
}

/** The user of this command line, and the reason given. */
export function actOf({ reason: why, dryRun }: Change): Act {
  return {
    operator: operatorName(),
    reason: checked(reason, why, "--reason"),
    now: systemClock.now(),
    dryRun,
  };
}
