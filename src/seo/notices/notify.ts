/** Automatic notices: chosen here, sent like a broadcast; once per person and period, whoever asks and how often. */

import type { Language } from "../../dialogs/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { enqueue, type Task } from "../../kernel/jobs/index.ts";
import { texts } from "../bot/texts/index.ts";
import { type BroadcastJob, keyOf, type NoticeKind } from "../broadcasts/broadcasts.ts";
import { usualCost } from "../estimates/outlook.ts";
import { readSwitches } from "./switches.ts";

export interface NoticeDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly broadcasts: Task<BroadcastJob>;
}

export interface Notified {
  /** People who are written to now; those of an earlier call in the same period are not counted. */
  readonly people: number;
}

const dayMs = 86_400_000;
const lowBelow = 100;
const activeDays = 30;
const idleDays = 14;

/** Of all workspaces. */
export async function notify(deps: NoticeDeps, kind: NoticeKind): Promise<Notified> {
  const workspaces = await deps.sql<{ id: string }[]>`
    select w.workspace_id as id from workspaces.workspaces w
    where exists (select from seo.users u where u.workspace_id = w.workspace_id) order by 1`;
  let people = 0;
  for (const { id } of workspaces) people += await notifyWorkspace(deps, id, kind);
  return { people };
}

async function notifyWorkspace(
  { sql, clock, broadcasts }: NoticeDeps,
  workspaceId: string,
  kind: NoticeKind,
): Promise<number> {
  const now = clock.now();
  return sql.begin(async (tx) => {
    if (!(await readSwitches(tx, workspaceId))[kind]) return 0;
    const [begun] = await tx<{ id: number }[]>`
      insert into seo.broadcasts (workspace_id, kind, period, created_at)
      values (${workspaceId}, ${kind}, ${periodOf(tx, kind, now)}, ${now})
      on conflict (workspace_id, kind, period) where period is not null do nothing
      returning id`;
    if (!begun) return 0;
    const chosen = await chosenFor[kind](tx, workspaceId, now);
    await tx`
      insert into seo.broadcast_recipients (workspace_id, broadcast_id, place, user_id, text)
      select ${workspaceId}, ${begun.id}, row_number() over (order by r.id), r.id, r.text
      from jsonb_to_recordset(${JSON.stringify(chosen)}::text::jsonb) as r (id bigint, text text)`;
    const job = { workspace_id: workspaceId, broadcast_id: begun.id };
    await enqueue(tx, broadcasts, job, { key: keyOf(workspaceId, begun.id) });
    return chosen.length;
  });
}

/** The day in Moscow, or the Monday of its week. */
function periodOf(tx: Transaction, kind: NoticeKind, now: Date) {
  const unit = kind === "low_balance" ? "day" : "week";
  return tx`date_trunc(${unit}, ${now}::timestamptz at time zone 'Europe/Moscow')::date`;
}

interface Chosen {
  readonly id: number;
  readonly text: string;
}

type Choose = (tx: Transaction, workspaceId: string, now: Date) => Promise<readonly Chosen[]>;

const ago = (now: Date, days: number) => new Date(now.getTime() - days * dayMs);
const wordsOf = (language: string) => texts[(language === "en" ? "en" : "ru") satisfies Language].notices;

const chosenFor: Readonly<Record<NoticeKind, Choose>> = {
  async low_balance(tx, workspaceId) {
    const rows = await tx<{ id: number; language: string; balance: number }[]>`
      select u.id, u.language, b.balance from seo.users u
      join billing.users b on b.workspace_id = u.workspace_id and b.id = u.id
      where u.workspace_id = ${workspaceId} and u.notify_balance and u.blocked_at is null and b.balance < ${lowBelow}`;
    return rows.map(({ id, language, balance }) => {
      const posts = Math.max(0, Math.floor(balance / usualCost.post));
      return { id, text: wordsOf(language).low_balance.text({ balance, posts }) };
    });
  },

  async weekly_digest(tx, workspaceId, now) {
    const week = ago(now, 7);
    const rows = await tx<
      { id: number; language: string; publications: number; tokens: number; best: string | null }[]
    >`
      select u.id, u.language, coalesce(p.publications, 0) as publications, coalesce(p.tokens, 0) as tokens, p.best
      from seo.users u
      left join lateral (
        select count(*)::int as publications, sum(l.tokens_spent)::int as tokens,
          -- The best position in the search; of those without one, the longest text.
          (array_agg(l.post_url order by l.rank_position, l.word_count desc, l.id) filter (
            where l.content_type = 'article' and l.post_url is not null))[1] as best
        from seo.publication_logs l
        where l.workspace_id = u.workspace_id and l.user_id = u.id and l.status = 'success' and l.created_at >= ${week}) p on true
      where u.workspace_id = ${workspaceId} and u.notify_news and u.blocked_at is null and u.last_activity >= ${ago(now, activeDays)}`;
    return rows.map(({ id, language, ...week }) => ({
      id,
      text: wordsOf(language).weekly_digest.text(week),
    }));
  },

  /** Not to those whose schedules publish: they need not come. */
  async reactivation(tx, workspaceId, now) {
    const rows = await tx<{ id: number; language: string; schedules: number }[]>`
      select u.id, u.language, count(s.id)::int as schedules from seo.users u
      left join seo.projects p on p.workspace_id = u.workspace_id and p.user_id = u.id
      left join seo.categories c on c.workspace_id = p.workspace_id and c.project_id = p.id
      left join seo.platform_schedules s on s.workspace_id = c.workspace_id and s.category_id = c.id
      where u.workspace_id = ${workspaceId} and u.notify_news and u.blocked_at is null and u.last_activity < ${ago(now, idleDays)}
      group by u.workspace_id, u.id having count(s.id) filter (where s.enabled) = 0`;
    return rows.map(({ id, language, schedules }) => ({
      ...{ id, text: wordsOf(language).reactivation.text({ paused: schedules > 0 }) },
    }));
  },
};
