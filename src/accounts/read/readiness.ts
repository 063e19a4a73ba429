import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { Who } from "../admin/access.ts";
import { readObject } from "../objects/objects.ts";
import { objectionTo, taskFacts } from "../reasons/task-facts.ts";
import { isReason, wordsOf } from "../reasons/task-reasons.ts";
import { inBoth } from "../texts/index.ts";

export const reasonSchema = z.object({
  code: z.string(),
  ru: z.string(),
  en: z.string(),
  account_id: z.uuid().optional(),
  account: z.string().nullable().optional(),
  chat_id: z.uuid().optional(),
  chat: z.string().nullable().optional(),
});

export const readinessSchema = z.object({
  object_id: z.uuid(),
  title: z.string(),
  ready: z.boolean().describe("At least one account can publish it in at least one chat"),
  usable: z.int().describe("Pairs of account and chat that can be used"),
  hindered: z.int().describe("Pairs that cannot"),
  reasons: z.array(reasonSchema).describe("The first ten"),
});
export type Readiness = z.output<typeof readinessSchema>;

const mostReasons = 10;

export async function objectReadiness(
  sql: Sql,
  workspaceId: string,
  objectId: string,
  who: Who,
): Promise<Readiness> {
  await readObject(sql, workspaceId, objectId, who);
  const [readiness] = await readinessOf(sql, workspaceId, { objectId });
  if (!readiness) throw new Error("an object that is there has no readiness");
  return readiness;
}

/** For every object with autopublishing on. */
export function systemReadiness(sql: Sql, workspaceId: string, who: Who): Promise<Readiness[]> {
  return readinessOf(sql, workspaceId, who.isAdmin ? {} : { owner: who.owner });
}

interface ObjectRow {
  readonly object_id: string;
  readonly title: string;
  /** A reason that applies to all accounts. */
  readonly reason: string | null;
}

async function readinessOf(
  sql: Sql,
  workspaceId: string,
  { objectId, owner }: { objectId?: string; owner?: string },
): Promise<Readiness[]> {
  const objects = await sql<ObjectRow[]>`
    select o.id as object_id, o.title, case
      when o.archived_at is not null then 'object_archived'
      when coalesce(o.texts ->> 'default', o.texts ->> 'compact') is null then 'no_text'
      when p.object_id is null then 'no_config'
      when not p.enabled then 'autopublish_off'
      when not p.accounts_enabled then 'accounts_off'
      when p.accounts_config = '[]' then 'no_accounts'
    end as reason
    from accounts.objects o
    left join accounts.autopublish p on p.workspace_id = o.workspace_id and p.object_id = o.id
    where o.workspace_id = ${workspaceId}
      ${objectId ? sql`and o.id = ${objectId}` : sql`and p.enabled and o.archived_at is null`}
      ${owner === undefined ? sql`` : sql`and o.owner = ${owner}`}
    order by p.created_at, o.id limit 1000`;
  const pairs = new Map<string, Pair[]>();
  for (const pair of await pairsOf(sql, workspaceId, objectId))
    pairs.set(pair.objectId, [...(pairs.get(pair.objectId) ?? []), pair]);
  return objects.map((object) => readinessFor(object, pairs.get(object.object_id) ?? []));
}

interface Pair {
  readonly objectId: string;
  readonly account_id: string;
  readonly chat_id: string;
  readonly account: string | null;
  readonly chat: string | null;
  readonly reason: string | undefined;
}

/** The configured pairs, judged by the same rules as in the planner and the worker. */
async function pairsOf(sql: Sql, workspaceId: string, objectId: string | undefined): Promise<Pair[]> {
  const rows = await sql`
    select w.object_id, w.account_id, w.chat_id, w.facts, a.title as account, c.title as chat
    from accounts.wishes(${workspaceId}, ${objectId ?? null}) w
    left join accounts.accounts a on a.workspace_id = ${workspaceId} and a.id = w.account_id
    left join accounts.chats c on c.workspace_id = ${workspaceId} and c.id = w.chat_id
    order by w.place`;
  return rows.map(({ object_id, account_id, chat_id, facts, account, chat }) => ({
    ...{ objectId: object_id, account_id, chat_id, account, chat },
    reason: objectionTo(taskFacts.parse(facts), "autopublish"),
  }));
}

function readinessFor({ object_id, title, reason }: ObjectRow, pairs: readonly Pair[]): Readiness {
  const hindered = pairs.filter((pair) => pair.reason !== undefined);
  const usable = pairs.length - hindered.length;
  const reasons = [
    ...(reason ? [{ code: reason }] : []),
    ...hindered.flatMap(({ account_id, chat_id, account, chat, reason: code }) =>
      code === undefined || code === reason ? [] : [{ code, account_id, account, chat_id, chat }],
    ),
  ];
  return {
    object_id,
    title,
    ready: reason === null && usable > 0,
    usable,
    hindered: hindered.length,
    reasons: reasons.slice(0, mostReasons).map((one) => ({ ...one, ...said(one.code) })),
  };
}

function said(code: string) {
  if (isReason(code)) return { ru: wordsOf(code, {}, "ru"), en: wordsOf(code, {}, "en") };
  return inBoth(({ noAccounts }) => noAccounts);
}
