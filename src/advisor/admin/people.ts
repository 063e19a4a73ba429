import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../workspaces/index.ts";

/** A person as operators see them: what was asked and answered is not theirs to read. */
export const personShape = z
  .object({
    user_id: z
      .string()
      .describe("By which events name this person: it leads nowhere once they deleted everything"),
    telegram_user_id: z.number(),
    plan: z.enum(["free", "pro"]),
    locale: z.string().nullable(),
    created_at: z.date(),
    last_seen_at: z.date().nullable(),
    questions_today: z.int(),
    research_used: z.int(),
    photos_used: z.int(),
    pets: z.int(),
    terms_accepted_at: z.date().nullable(),
    data_policy_accepted_at: z.date().nullable(),
    cost_usd: z.number().describe("What models have cost for this person in the last 30 days"),
  })
  .meta({ id: "AdvisorPerson" });
export type Person = z.output<typeof personShape>;

export interface PeopleQuery extends PageQuery {
  readonly plan?: "free" | "pro" | undefined;
}

/** People by Telegram's number of them. */
export async function peoplePage(
  sql: Sql,
  workspaceId: string,
  { plan, limit = pageLimit.usual, after }: PeopleQuery,
  now: Date,
): Promise<Page<Person>> {
  const from = placeAfter(after, z.tuple([z.int()]));
  const rows = await sql<Person[]>`
    ${select(sql, now)}
    where u.workspace_id = ${workspaceId} ${plan ? sql`and u.plan = ${plan}` : sql``}
      ${from ? sql`and u.telegram_user_id > ${from[0]}` : sql``}
    order by u.telegram_user_id limit ${limit + 1}`;
  return pageOf(rows, limit, ({ telegram_user_id }) => [telegram_user_id]);
}

export async function readPerson(
  sql: Sql | Transaction,
  workspaceId: string,
  telegramUserId: number,
  now: Date,
): Promise<Person> {
  const [row] = await sql<Person[]>`
    ${select(sql, now)} where u.workspace_id = ${workspaceId} and u.telegram_user_id = ${telegramUserId}`;
  if (!row) throw problem("not_found", { detail: `The advisor knows nobody with the id ${telegramUserId}.` });
  return row;
}

/** Gives or takes Pro. Somebody who has not asked yet may have it too: payment often comes first. */
export async function setPlan(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  telegramUserId: number,
  plan: "free" | "pro",
  by: By,
): Promise<Person> {
  const now = clock.now();
  return sql.begin(async (tx) => {
    const [user] = await tx<{ id: string; plan: string }[]>`
      select id, plan from advisor.lock_user(${workspaceId}, ${telegramUserId}, null, ${now})`;
    if (!user) throw new Error("a person that was just locked is not there");
    if (user.plan !== plan) {
      await tx`update advisor.users set plan = ${plan} where workspace_id = ${workspaceId} and id = ${user.id}`;
      await noteChange(tx, {
        ...{ workspaceId, now, by },
        meta: {
          object: "advisor_plan",
          user_id: user.id,
          changes: { plan: { from: user.plan, to: plan } },
        },
      });
    }
    return readPerson(tx, workspaceId, telegramUserId, now);
  });
}

const select = (sql: Sql | Transaction, now: Date) => sql`
  select u.id as user_id, u.telegram_user_id, u.plan, u.locale, u.created_at, u.last_seen_at, u.terms_accepted_at, u.data_policy_accepted_at,
    coalesce(l.count, 0) as questions_today,
    case when u.research_reset_at > ${now} then u.research_used else 0 end as research_used,
    case when u.photos_reset_at > ${now} then u.photos_used else 0 end as photos_used,
    (select count(*)::int from advisor.pets p
      where p.workspace_id = u.workspace_id and p.user_id = u.id and p.archived_at is null) as pets,
    (select coalesce(sum(c.cost_usd), 0)::float8 from llm.calls c
      where c.workspace_id = u.workspace_id and c.user_id = 'advisor:' || u.id and c.started_at > ${now}::timestamptz - interval '30 days') as cost_usd
  from advisor.users u
  left join advisor.rate_limits l on l.workspace_id = u.workspace_id and l.user_id = u.id and l.window_end_at > ${now}`;
