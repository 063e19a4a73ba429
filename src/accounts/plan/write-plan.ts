import type { Transaction } from "../../kernel/db/index.ts";
import type { Format } from "../post/compose.ts";
import type { AccountKey } from "../work/governor-contract.ts";
import type { Placeable } from "./place-tasks.ts";
import type { AccountPlan } from "./plan-account.ts";

/** A publication to be queued. */
export interface FreshTask extends Placeable {
  readonly objectId: string;
  readonly chatId: string;
  readonly owner: string;
  readonly origin: "daily" | "config" | "manual";
  readonly format?: Format | undefined;
  readonly allowDuplicate?: boolean;
  /** When the account last published the object to the chat. */
  readonly lastPublishedAt?: Date | undefined;
}

export interface PlannedTask {
  readonly id: string;
  readonly object_id: string;
  readonly chat_id: string;
  readonly account_id: string;
  readonly scheduled_time: Date;
}

/** Writes a plan to the queue; tasks that already exist stay as they are. */
export async function writePlan(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  plan: AccountPlan<FreshTask>,
  now: Date,
): Promise<PlannedTask[]> {
  if (plan.create.length === 0 && plan.move.length === 0) return [];
  const create = plan.create.map(({ task, at }) => ({
    object_id: task.objectId,
    chat_id: task.chatId,
    owner: task.owner,
    origin: task.origin,
    format: task.format ?? null,
    allow_duplicate: task.allowDuplicate ?? false,
    at,
  }));
  const move = plan.move.map(({ task, at }) => ({ id: task.id, at }));
  return tx<PlannedTask[]>`
    select id, object_id, chat_id, account_id, scheduled_time
    from accounts.write_plan(${workspaceId}, ${accountId}, ${JSON.stringify(create)}::text::jsonb,
      ${JSON.stringify(move)}::text::jsonb, ${now})
    order by scheduled_time, id`;
}
