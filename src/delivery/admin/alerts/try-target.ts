import type { z } from "zod";
import { cut } from "../../../kernel/words/index.ts";
import { type NotifyDeps, sendTestLetter } from "../../monitor/notify.ts";
import type { testResult } from "./alert-shape.ts";
import { noTarget } from "./read-alerts.ts";

/** Sends a test alert at once and returns how that ended. */
export async function testAlertTarget(
  deps: NotifyDeps,
  workspaceId: string,
  targetId: string,
): Promise<z.infer<typeof testResult>> {
  const delivered = await sendTestLetter(deps, workspaceId, targetId);
  if (!delivered) throw noTarget(targetId);
  return {
    delivered: delivered.ok,
    response_status: delivered.status ?? null,
    error: delivered.ok ? null : cut(delivered.error, 500),
  };
}
