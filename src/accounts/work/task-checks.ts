import type { Sql } from "../../kernel/db/index.ts";
import type { Photo, PublishedTexts } from "../post/compose.ts";
import type { TakenTask } from "../queue/take-task.ts";
import { isRepeat, objectionTo, type TaskFacts, taskFacts } from "../reasons/task-facts.ts";
import type { Reason } from "../reasons/task-reasons.ts";
import type { Settings } from "../settings/workspace-settings.ts";

/** Everything that is checked before a task is sent. */
export interface TaskContext {
  readonly facts: TaskFacts;
  readonly object: {
    readonly texts: PublishedTexts;
    readonly photos: readonly Photo[];
    readonly photo_mode: "first" | "album";
  } | null;
  readonly telegramChatId: string | null;
  readonly timezone: string;
  readonly limiter: {
    readonly can_send: boolean;
    readonly wait_seconds: number;
    readonly next_available: Date;
  };
}

export async function readTaskContext(sql: Sql, task: TakenTask, now: Date): Promise<TaskContext> {
  const { workspace_id, object_id, chat_id, account_id } = task;
  const [row] = await sql`
    select to_jsonb(f) as facts, o.texts, o.photos, o.photo_mode, c.telegram_chat_id::text as telegram_chat_id, a.timezone,
      l.can_send, l.wait_seconds, l.next_available
    from accounts.task_facts(${workspace_id}, ${object_id}, ${chat_id}, ${account_id}) f
    cross join accounts.limiter_status(${workspace_id}, ${account_id}, ${now}) l
    join accounts.accounts a on a.workspace_id = ${workspace_id} and a.id = ${account_id}
    left join accounts.objects o on o.workspace_id = ${workspace_id} and o.id = ${object_id}
    left join accounts.chats c on c.workspace_id = ${workspace_id} and c.id = ${chat_id}`;
  if (!row) throw new Error(`the account ${account_id} is gone, and its tasks should be`);
  const { texts, photos, photo_mode, telegram_chat_id, timezone, can_send, wait_seconds, next_available } =
    row;
  return {
    facts: taskFacts.parse(row.facts),
    object: texts === null ? null : { texts, photos, photo_mode },
    telegramChatId: telegram_chat_id,
    timezone,
    limiter: { can_send, wait_seconds, next_available },
  };
}

/** Why the task must not be sent; the specified checks in their order. */
export function refusalOf(
  task: TakenTask,
  { facts }: TaskContext,
  { allow_duplicates }: Pick<Settings, "allow_duplicates">,
  now: Date,
): Reason | undefined {
  const asked = task.origin === "manual" ? "manual" : "autopublish";
  const objection = objectionTo(facts, asked);
  if (objection) return objection;
  const allowed = asked === "manual" ? allow_duplicates.manual_account : allow_duplicates.autopublish_account;
  return !allowed && !task.allow_duplicate && isRepeat(facts, now) ? "duplicate" : undefined;
}
