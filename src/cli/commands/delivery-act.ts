import type { Act } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { reason } from "../../workspaces/index.ts";
import { type Common, checked } from "../administer.ts";
import { operatorName } from "../lookup.ts";

/** The options of every command that changes deliveries. */
export interface Change extends Common {
  readonly reason: string;
  readonly dryRun?: boolean;
}

/** Who acts at this command line, and why. */
export function actOf({ reason: why, dryRun }: Change): Act {
  return {
    operator: operatorName(),
    reason: checked(reason, why, "--reason"),
    now: systemClock.now(),
    dryRun,
  };
}
