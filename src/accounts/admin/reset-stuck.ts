import { z } from "zod";
import { type AdminDeps, inOneChange, noteChange } from "../../workspaces/index.ts";
import { recoverStuck } from "../queue/recover-stuck.ts";
import type { Who } from "./access.ts";

export const resetReport = z.object({
  found: z.int(),
  reset: z.int().describe("Back in the queue"),
  failed: z.int().describe("Out of tries"),
  tasks: z.array(
    z.object({
      id: z.uuid(),
      object_id: z.uuid(),
      chat_id: z.uuid(),
      account_id: z.uuid(),
      status: z.enum(["pending", "failed"]),
      attempts: z.int(),
    }),
  ),
});
type ResetReport = z.output<typeof resetReport>;

export interface StuckRule {
  readonly thresholdMinutes: number;
  readonly maxAttempts: number;
}

/** Does now, with other thresholds, what the worker does every minute. Always writes an event. */
export async function resetStuck(
  deps: AdminDeps,
  workspaceId: string,
  { thresholdMinutes, maxAttempts }: StuckRule,
  who: Who,
): Promise<ResetReport> {
  const rule = { workspaceId, thresholdSeconds: thresholdMinutes * 60, maxAttempts, by: who.operator };
  const report = resetReport.parse(await recoverStuck(deps, rule));
  const { found, reset, failed } = report;
  const meta = {
    object: "stuck_tasks",
    found,
    reset,
    failed,
    threshold_minutes: thresholdMinutes,
    max_attempts: maxAttempts,
  };
  await inOneChange(deps.sql, (tx) => noteChange(tx, { workspaceId, now: deps.clock.now(), by: who, meta }));
  return report;
}
