import type { OrderDeps } from "../workshop-deps.ts";
import { textKinds } from "./decide-on-text.ts";

const atOnce = 100;

/** Ends texts that nobody decided on for a day and returns their tokens. Returns their number. */
export async function expireTexts({ sql, clock, runs }: Omit<OrderDeps, "admins">): Promise<number> {
  const old = await sql<{ workspace_id: string; id: string }[]>`
    select workspace_id, id from seo.runs
    where status = 'review' and kind in ${sql(textKinds)} and reviewed_at < ${new Date(clock.now().getTime() - runs.rules.previewMs)}
    order by reviewed_at limit ${atOnce}`;
  let expired = 0;
  for (const { workspace_id: workspaceId, id: runId } of old)
    if (await runs.expire({ workspaceId, runId })) expired += 1;
  return expired;
}
