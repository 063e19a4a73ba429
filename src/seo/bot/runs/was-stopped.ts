import { type BotVisit, whoseOf } from "../services.ts";

/**
 * Whether the person had stopped a run that came to its end all the same: it stops before its next step, and there was
 * none. Whoever asks gives up its result.
 */
export async function wasStopped(visit: BotVisit, runId: string): Promise<boolean> {
  const { workspaceId, userId } = whoseOf(visit);
  const found = await visit.sql`
    select from seo.runs
    where workspace_id = ${workspaceId} and user_id = ${userId} and id = ${runId} and cancel_requested_at is not null`;
  return found.length > 0;
}
