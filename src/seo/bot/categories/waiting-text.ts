/** A description or reviews that are being written, or wait for a decision, although nobody looks at them. */
import type { RunStatus } from "../../runs/run-row.ts";
import type { textKinds } from "../../texts/decide-on-text.ts";
import { type BotVisit, whoseOf } from "../services.ts";

export interface WaitingText {
  readonly runId: string;
  readonly isReady: boolean;
}

/** The newest of a category, if there is one. Uses runs_of_user. */
export async function waitingText(
  visit: BotVisit,
  kind: (typeof textKinds)[number],
  categoryId: number,
): Promise<WaitingText | undefined> {
  const { workspaceId, userId } = whoseOf(visit);
  const [run] = await visit.sql<{ id: string; status: RunStatus }[]>`
    select id, status from seo.runs
    where workspace_id = ${workspaceId} and user_id = ${userId} and kind = ${kind} and category_id = ${categoryId}
      and status in ('queued', 'running', 'review')
    order by created_at desc limit 1`;
  return run && { runId: run.id, isReady: run.status === "review" };
}
