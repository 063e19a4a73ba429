import { takeTask } from "../queue/task.ts";
import { type CarryDeps, carry, type Next } from "./carry.ts";
import type { AccountKey } from "./governor.ts";

export interface Visit {
  readonly carried: number;
  readonly next: Next | "nothing_due";
}

/** Carries the account's tasks that are due, one after another: never are two of them under way. */
export async function visit({ workspaceId, accountId }: AccountKey, deps: CarryDeps): Promise<Visit> {
  for (let carried = 0; carried < deps.times.perVisit; carried += 1) {
    const task = await takeTask(deps.sql, workspaceId, accountId, deps.clock.now());
    if (!task) return { carried, next: "nothing_due" };
    const next = await carry(task, deps);
    if (next !== "go_on") return { carried: carried + 1, next };
  }
  return { carried: deps.times.perVisit, next: "go_on" };
}
