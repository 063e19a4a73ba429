import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { objectionTo, repeatUntil, taskFacts } from "../reasons/task-facts.ts";
import type { Reason } from "../reasons/task-reasons.ts";
import type { Settings } from "../settings/workspace-settings.ts";
import type { FreshTask } from "./write-plan.ts";

/** A configured publication that is impossible. */
export interface Skipped {
  readonly objectId: string;
  readonly accountId: string;
  readonly chatId: string;
  readonly reason: Reason;
}

interface Wishes {
  /** Per account in the order of the configurations: all chats of the first object, then of the second. */
  readonly byAccount: ReadonlyMap<string, readonly FreshTask[]>;
  readonly skipped: readonly Skipped[];
}

/** Publications that the configurations ask for, of one object or of all. */
export async function readWishes(
  sql: Sql | Transaction,
  workspaceId: string,
  { origin, settings, objectId }: { origin: "daily" | "config"; settings: Settings; objectId?: string },
): Promise<Wishes> {
  const rows = await sql`
    select object_id, owner, account_id, chat_id, facts
    from accounts.wishes(${workspaceId}, ${objectId ?? null}) order by place`;
  const byAccount = new Map<string, FreshTask[]>();
  const skipped: Skipped[] = [];
  for (const row of rows) {
    const facts = taskFacts.parse(row.facts);
    const wish = { objectId: row.object_id, accountId: row.account_id, chatId: row.chat_id };
    const reason = objectionTo(facts, "autopublish");
    if (reason) {
      skipped.push({ ...wish, reason });
      continue;
    }
    const notBefore = settings.allow_duplicates.autopublish_account ? undefined : repeatUntil(facts);
    const { objectId, chatId } = wish;
    const lastPublishedAt = facts.last_published_at ?? undefined;
    const task: FreshTask = { objectId, chatId, owner: row.owner, origin, notBefore, lastPublishedAt };
    byAccount.set(wish.accountId, [...(byAccount.get(wish.accountId) ?? []), task]);
  }
  return { byAccount, skipped };
}
