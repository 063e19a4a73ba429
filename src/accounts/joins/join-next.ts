import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import type { JoinedChat } from "../../platforms/index.ts";
import type { UseAccount } from "../use-account.ts";
import { afterJoin } from "./after-join.ts";
import { type JoinMode, joinPace } from "./join-pace.ts";

export interface JoinDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly use: UseAccount;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Joins chats when they are due. Several processes may run one each; they coordinate through the database. */
export function createJoiner(deps: JoinDeps & { readonly tickMs?: number }): Service {
  const { log, tickMs = 15_000 } = deps;
  return createWorker({
    name: "account-joins",
    log,
    trouble: "a chat could not be joined",
    async round() {
      return (await joinNext(deps)) ? 0 : tickMs;
    },
  });
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

/** Joins the chat that has been due longest, if any, and stores the result, so that a crash loses at most one step. */
export async function joinNext({ sql, clock, log, use, random }: JoinDeps): Promise<boolean> {
  const [step] = await sql<TakenStep[]>`
    select * from accounts.take_join(${joinPace.leaseSeconds}, ${clock.now()})`;
  if (!step) return false;
  const { workspace_id, task_id, account_id, claim_token, place, link } = step;
  const key = { workspaceId: workspace_id, accountId: account_id };
  const answer = await use(key, (client) => client.join(link));
  const now = clock.now();
  const decision = afterJoin(answer, step, now, random());
  const chat = answer.ok ? JSON.stringify(chatRow(answer.value)) : null;
  await sql`
    select accounts.settle_join(${workspace_id}, ${task_id}, ${claim_token}, ${place},
      ${JSON.stringify(decision)}::text::jsonb, ${chat}::text::jsonb, ${now})`;
  log.debug({ task_id, place, link, decision }, "a step of a join task");
  return true;
}

/** A chat in the form that the database functions take. */
export function chatRow({ chatId, slowModeSeconds, ...chat }: Omit<JoinedChat, "alreadyMember">) {
  const { title, username, type, members } = chat;
  return { chat_id: chatId, title, username, type, members, slow_mode_seconds: slowModeSeconds };
}
