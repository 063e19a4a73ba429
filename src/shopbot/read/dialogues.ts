import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { type Page, type PageQuery, pageLimit, pageOf, placeAfter } from "../../workspaces/index.ts";
import { noSuchChat } from "../admin/bot-problems.ts";

export const dialogueSummary = z.object({
  chat_id: z.string(),
  user_name: z.string().nullable(),
  state: z.string(),
  with_operator: z.boolean(),
  last_seen_at: z.date(),
  last_text: z.string().nullable(),
  last_outcome: z.string().nullable(),
});
export type DialogueSummary = z.output<typeof dialogueSummary>;

/** One step: the message, its rule and states, and the answer. */
export const dialogueStep = z.object({
  ts: z.date(),
  who: z.enum(["customer", "operator", "bot"]),
  author: z.string().nullable().describe("Which operator"),
  text: z.string(),
  inbound_provider_message_id: z.string().nullable().describe("The provider's id of the customer's message"),
  outcome: z.string().nullable(),
  rule_id: z.string().nullable(),
  rule_version: z.int().nullable(),
  state_before: z.string().nullable(),
  state_after: z.string().nullable(),
  answer: z.string().nullable(),
  answer_status: z.string().nullable(),
  provider_message_id: z.string().nullable().describe("The provider's id of what was sent"),
  error: z.string().nullable(),
});

export const dialogueSchema = dialogueSummary.extend({ steps: z.array(dialogueStep) });
export type DialogueView = z.output<typeof dialogueSchema>;

export interface DialogueQuery extends PageQuery {
  readonly withOperator?: boolean | undefined;
}

/** Newest first, without the operators' own chat. */
export async function listDialogues(
  sql: Sql,
  workspaceId: string,
  now: Date,
  { limit = pageLimit.usual, after, withOperator }: DialogueQuery = {},
): Promise<Page<DialogueSummary>> {
  const from = placeAfter(after, z.tuple([z.iso.datetime(), z.string()]));
  const rows = await sql`
    ${summaries(sql, workspaceId, now)}
    ${from ? sql`and (c.last_seen_at, c.chat_id) < (${new Date(from[0])}, ${from[1]})` : sql``}
    ${withOperator === undefined ? sql`` : sql`and (s.state = 'operator' and s.expires_at > ${now}) is ${withOperator ? sql`true` : sql`not true`}`}
    order by c.last_seen_at desc, c.chat_id desc limit ${limit + 1}`;
  const items = rows.map((row) => dialogueSummary.parse(row));
  return pageOf(items, limit, ({ last_seen_at, chat_id }) => [last_seen_at.toISOString(), chat_id]);
}

/** A dialogue with its newest steps, oldest first. */
export async function readDialogue(
  sql: Sql,
  workspaceId: string,
  chatId: string,
  now: Date,
  limit = 200,
): Promise<DialogueView> {
  const [summary] = await sql`${summaries(sql, workspaceId, now)} and c.chat_id = ${chatId}`;
  if (!summary) throw noSuchChat(chatId);
  const rows = await sql`
    select * from (
      select l.ts, l.seq, 'customer' as who, null as author, l.message_text as text,
        l.inbound_provider_message_id, l.outcome, l.matched_rule_id as rule_id, l.rule_version,
        l.state_before, l.state_after, l.response_preview as answer, o.status as answer_status,
        o.provider_message_id, coalesce(o.last_error ->> 'message', l.meta ->> 'error') as error
      from shopbot.bot_logs l
      left join shopbot.bot_outbox o
        on o.workspace_id = l.workspace_id and o.chat_id = l.chat_id
        and o.inbound_provider_message_id = l.inbound_provider_message_id
      where l.workspace_id = ${workspaceId} and l.chat_id = ${chatId}
      union all
      select o.created_at, o.seq, case o.kind when 'operator' then 'operator' else 'bot' end,
        -- In the operators' chat people have the names that they choose there.
        case when o.inbound_provider_message_id like 'console:%' then workspaces.actor_name(o.author) else o.author end, o.text, null, null, null,
        null, null, null, null, o.status, o.provider_message_id, o.last_error ->> 'message'
      from shopbot.bot_outbox o
      where o.workspace_id = ${workspaceId} and o.chat_id = ${chatId} and o.compiled is not null
        and (o.kind = 'operator' or o.kind = 'notice')
      order by ts desc, seq desc limit ${limit}
    ) newest order by ts, seq`;
  return dialogueSchema.parse({ ...summary, steps: rows });
}

function summaries(sql: Sql, workspaceId: string, now: Date) {
  return sql`
    select c.chat_id, c.user_name, c.last_seen_at,
      case when s.expires_at <= ${now} then 'default' else coalesce(s.state, 'default') end as state,
      coalesce(s.state = 'operator' and s.expires_at > ${now}, false) as with_operator,
      l.message_text as last_text, l.outcome as last_outcome
    from shopbot.bot_chats c
    left join shopbot.bot_state s using (workspace_id, chat_id)
    left join lateral (
      select message_text, outcome from shopbot.bot_logs l
      where l.workspace_id = c.workspace_id and l.chat_id = c.chat_id
      order by l.ts desc, l.seq desc limit 1
    ) l on true
    where c.workspace_id = ${workspaceId}
      and c.chat_id is distinct from (select b.operators_chat_id from shopbot.bots b where b.workspace_id = c.workspace_id)`;
}
