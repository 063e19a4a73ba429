import type { Transaction } from "../../kernel/db/index.ts";
import type { Format } from "../post/compose.ts";
import type { AccountKey, Forecast, Governor, Message } from "../work/governor-contract.ts";
import type { AccountState, KnownTask } from "./account-state.ts";
import type { PlannedAccount } from "./plan-account.ts";
import { withMessages } from "./task-messages.ts";
import type { FreshTask } from "./write-plan.ts";

export interface Foreseen {
  readonly account: PlannedAccount;
  readonly open: readonly KnownTask[];
  readonly fresh: readonly FreshTask[];
  readonly forecast: Forecast | undefined;
}

/** Adds to each task its message, and asks the governor for a forecast of them. */
export async function foresee(
  tx: Transaction,
  governor: Governor,
  key: AccountKey,
  { account, open }: AccountState,
  { fresh, now }: { readonly fresh: readonly FreshTask[]; readonly now: Date },
): Promise<Foreseen> {
  const known = await withMessages(tx, key.workspaceId, open);
  const wanted = await withMessages(tx, key.workspaceId, fresh);
  const messages = [...known, ...wanted].flatMap(({ message }): Message[] => (message ? [message] : []));
  const others = governor.forecast ? await plannedByOthers(tx, key, [...open, ...fresh]) : [];
  const forecast = await governor.forecast?.(tx, key, { messages, others });
  const { gapFactor, gapSeconds, todaysCeiling } = forecast?.paceAt(now) ?? (await governor.paceOf(key));
  return {
    account: { ...account, gapFactor: Math.max(1, gapFactor), gapSeconds, todaysCeiling },
    ...{ open: known, fresh: wanted, forecast },
  };
}

const mostOthers = 2000;

/** Messages that other accounts have planned for the same objects. */
async function plannedByOthers(
  tx: Transaction,
  { workspaceId, accountId }: AccountKey,
  tasks: readonly { readonly objectId: string }[],
): Promise<{ text: string; at: Date }[]> {
  const objectIds = [...new Set(tasks.map(({ objectId }) => objectId))];
  const planned = await tx<{ objectId: string; chatId: string; format: Format | null; at: Date }[]>`
    select q.object_id as "objectId", q.chat_id as "chatId", q.format, q.scheduled_time as at
    from accounts.queue q
    join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id and a.is_active
    where q.workspace_id = ${workspaceId} and q.object_id = any (${objectIds}) and q.account_id <> ${accountId}
      and q.status in ('pending', 'processing')
    order by q.scheduled_time limit ${mostOthers}`;
  const known = await withMessages(tx, workspaceId, planned);
  return known.flatMap(({ message, at }) => (message ? [{ text: message.text, at }] : []));
}
