import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Answer, JoinedChat } from "../../platforms/index.ts";
import type { UseAccount } from "../use-account.ts";
import { decideJoin, type JoinDecision } from "./decide.ts";
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

/** How long a step waits for an account that another process has open. */
const busySeconds = 15;

/**
 * Joins the one chat that is due longest, if any is. Everything it learns is written down before the next one is looked at,
 * so a process may end between any two.
 */
export async function joinNext(deps: JoinDeps): Promise<boolean> {
  const { sql, clock, use, random } = deps;
  const [step] = await sql<TakenStep[]>`
    select * from accounts.take_join(${joinPace.leaseSeconds}, ${clock.now()})`;
  if (!step) return false;
  const { workspace_id, task_id, claim_token, place } = step;
  const account = { workspaceId: workspace_id, accountId: step.account_id };
  const used = await use(account, (client) => client.join(step.link));
  if (!used.ok) {
    await sql`select accounts.leave_join(${workspace_id}, ${task_id}, ${claim_token}, ${busySeconds}, ${clock.now()})`;
    return true;
  }
  const answer = used.value;
  const now = clock.now();
  const decision = decideJoin(answer, step, now, random());
  await settle(deps, step, decision, answer);
  deps.log.debug({ task_id, place, link: step.link, decision }, "joined a chat of a list, or did not");
  return true;
}

async function settle(
  { sql, clock }: JoinDeps,
  { workspace_id, task_id, account_id, claim_token, place }: TakenStep,
  decision: JoinDecision,
  answer: Answer<JoinedChat>,
): Promise<void> {
  const now = clock.now();
  const chat = answer.ok ? JSON.stringify(chatRow(answer.value)) : null;
  await sql.begin(async (tx) => {
    await tx`
      select accounts.settle_join(${workspace_id}, ${task_id}, ${claim_token}, ${place},
        ${JSON.stringify(decision)}::text::jsonb, ${chat}::text::jsonb, ${now})`;
    if (decision.task.go === "stop")
      await tx`
        select accounts.stop_account(${workspace_id}, ${account_id}, ${decision.task.code},
          ${decision.error?.message ?? decision.task.code}, ${now})`;
  });
}

/** A chat as the database's functions take it. */
export function chatRow({ chatId, title, username, type, members, slowModeSeconds }: Omit<JoinedChat, "alreadyMember">) {
  return { chat_id: chatId, title, username, type, members, slow_mode_seconds: slowModeSeconds };
}
