import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { JoinedChat } from "../../platforms/index.ts";
import type { UseAccount } from "../use-account.ts";
import { afterJoin } from "./after-join.ts";
import { type JoinMode, joinPace } from "./pace.ts";

export interface JoinDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly use: UseAccount;
  /** In [0, 1). */
  readonly random: () => number;
}

interface TakenStep {
  readonly workspace_id: string;
  readonly task_id: string;
  readonly account_id: string;
  readonly claim_token: string;
  readonly place: number;
  readonly link: string;
  readonly mode: JoinMode;
  readonly floods: number;
  readonly tries: number;
}

/**
 * Joins the one chat that is due longest, if any is. Everything it learns is written down before the next one is looked at,
 * so a process may end between any two.
 */
export async function joinNext({ sql, clock, log, use, random }: JoinDeps): Promise<boolean> {
  const [step] = await sql<TakenStep[]>`
    select * from accounts.take_join(${joinPace.leaseSeconds}, ${clock.now()})`;
  if (!step) return false;
  const { workspace_id, task_id, account_id, claim_token, place, link } = step;
  const answer = await use({ workspaceId: workspace_id, accountId: account_id }, (client) =>
    client.join(link),
  );
  const now = clock.now();
  const decision = afterJoin(answer, step, now, random());
  const chat = answer.ok ? JSON.stringify(chatRow(answer.value)) : null;
  await sql`
    select accounts.settle_join(${workspace_id}, ${task_id}, ${claim_token}, ${place},
      ${JSON.stringify(decision)}::text::jsonb, ${chat}::text::jsonb, ${now})`;
  log.debug({ task_id, place, link, decision }, "a step of a join task");
  return true;
}

/** A chat as the database's functions take it. */
export function chatRow({
  chatId,
  title,
  username,
  type,
  members,
  slowModeSeconds,
}: Omit<JoinedChat, "alreadyMember">) {
  return { chat_id: chatId, title, username, type, members, slow_mode_seconds: slowModeSeconds };
}
