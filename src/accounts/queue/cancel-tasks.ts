import { problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { inOneChange } from "../../workspaces/index.ts";
import { requireOwn, type Who } from "../admin/access.ts";
import { wordsOf } from "../reasons/task-reasons.ts";

/** Selects pending tasks; at least one field is required. */
interface Cancellation {
  readonly ids?: readonly string[] | undefined;
  readonly object_id?: string | undefined;
  readonly account_id?: string | undefined;
  readonly chat_id?: string | undefined;
}

/** Cancels pending tasks; one in progress cannot be cancelled. */
export async function cancelTasks(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  workspaceId: string,
  which: Cancellation,
  who: Who,
): Promise<{ cancelled: number }> {
  const given = Object.fromEntries(Object.entries(which).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0)
    throw problem("unprocessable", { detail: "Say which tasks: by ids, object_id, account_id or chat_id." });
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const accounts = await tx<{ owner: string }[]>`
      select distinct a.owner from accounts.queue q
      join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id
      where q.workspace_id = ${workspaceId} and q.status = 'pending'
        ${which.ids ? tx`and q.id = any (${[...which.ids]})` : tx``}
        ${which.object_id ? tx`and q.object_id = ${which.object_id}` : tx``}
        ${which.account_id ? tx`and q.account_id = ${which.account_id}` : tx``}
        ${which.chat_id ? tx`and q.chat_id = ${which.chat_id}` : tx``}`;
    for (const account of accounts) requireOwn(who, account, "account of a task");
    const [row] = await tx<[{ cancelled: number }]>`
      select accounts.cancel_tasks(${workspaceId}, ${JSON.stringify(given)}::text::jsonb, 'cancelled',
        ${wordsOf("cancelled")}, ${who.operator}, ${now}) as cancelled`;
    return { cancelled: row.cancelled };
  });
}
