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

/** A person as operators see them; their questions and answers are private. */
export const personShape = z
  .object({
    user_id: z.string().describe("The person's id in events; meaningless after they deleted their data"),
    telegram_user_id: z.number(),
    plan: z.enum(["free", "pro"]),
    plan_until: z.date().nullable().describe("When a paid plan ends; null for one that an operator set"),
    locale: z.string().nullable(),
    created_at: z.date(),
    last_seen_at: z.date().nullable(),
    questions_today: z.int(),
    research_used: z.int(),
    photos_used: z.int(),
    pets: z.int(),
    terms_accepted_at: z.date().nullable(),
    data_policy_accepted_at: z.date().nullable(),
    cost_usd: z.number().describe("Cost of model calls in the last 30 days"),
  })
  .meta({ id: "AdvisorPerson" });
export type Person = z.output<typeof personShape>;

interface PeopleQuery extends PageQuery {
  readonly plan?: "free" | "pro" | undefined;
}

/** Ordered by Telegram user id. */
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

/** Sets the plan, also for somebody unknown so far: payment often comes before the first question. */
export async function setPlan(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  telegramUserId: number,
  plan: "free" | "pro",
  by: By,
): Promise<Person> {
  const now = clock.now();
  return sql.begin(async (tx) => {
    const [user] = await tx<{ id: string; plan: string; plan_until: Date | null }[]>`
      select id, plan, plan_until from advisor.lock_user(${workspaceId}, ${telegramUserId}, null, ${now})`;
    if (!user) throw new Error("a person that was just locked is not there");
    // What an operator sets has no end.
    if (user.plan !== plan || user.plan_until !== null) {
      await tx`update advisor.users set plan = ${plan}, plan_until = null where workspace_id = ${workspaceId} and id = ${user.id}`;
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
  select u.id as user_id, u.telegram_user_id, u.plan, u.plan_until, u.locale, u.created_at, u.last_seen_at, u.terms_accepted_at, u.data_policy_accepted_at,
    coalesce(l.count, 0) as questions_today,
    case when u.research_reset_at > ${now} then u.research_used else 0 end as research_used,
    case when u.photos_reset_at > ${now} then u.photos_used else 0 end as photos_used,
    (select count(*)::int from advisor.pets p
      where p.workspace_id = u.workspace_id and p.user_id = u.id and p.archived_at is null) as pets,
    (select coalesce(sum(c.cost_usd), 0)::float8 from llm.calls c
      where c.workspace_id = u.workspace_id and c.user_id = 'advisor:' || u.id and c.started_at > ${now}::timestamptz - interval '30 days') as cost_usd
  from advisor.users u
  left join advisor.rate_limits l on l.workspace_id = u.workspace_id and l.user_id = u.id and l.window_end_at > ${now}`;
