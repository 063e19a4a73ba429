/** Looks once a week where each article stands in Google's results. */
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Whose } from "../people/whose.ts";
import type { Missing, Sources } from "../sources/index.ts";

export interface RankDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly sources: Pick<Sources, "dataforseo" | "isOn">;
  /** How many results are looked at; 0: none. */
  readonly depth: number;
}

export interface RanksChecked {
  readonly checked: number;
  /** Articles of which nothing was learnt. */
  readonly failed: number;
  /** Why the rest waits for the next night. */
  readonly stopped?: Missing | undefined;
}

/** Six hours less than a week: each night's look begins a little earlier or later. */
const weekMs = 7 * 24 * 3_600_000 - 6 * 3_600_000;
/** A page that is a day old is not in the index yet. */
const newMs = 24 * 3_600_000;
/** As many as a night has time for; the others come first the night after. */
const mostArticles = 5_000;
const atOnce = 4;
/** Failures one after another that mean the source, not the article. */
const mostFailures = 5;

interface DueArticle extends Whose {
  readonly id: number;
  readonly phrase: string;
  readonly url: string;
}

/** Checks the articles whose week is over, those of one person if one is named. */
export async function checkRanks(
  deps: RankDeps,
  { whose, most = mostArticles }: { readonly whose?: Whose; readonly most?: number } = {},
): Promise<RanksChecked> {
  if (deps.depth === 0 || !deps.sources.isOn("dataforseo")) return { checked: 0, failed: 0 };
  const due = [...(await dueArticles(deps, most, whose))];
  const counts = { checked: 0, failed: 0, inRow: 0 };
  let stopped: Missing | undefined;

  async function next(): Promise<void> {
    for (let article = due.shift(); article && !stopped; article = due.shift()) {
      const missing = await checkRank(deps, article);
      if (missing) {
        counts.failed += 1;
        counts.inRow += 1;
        if (missing.reason === "quota" || counts.inRow >= mostFailures) stopped = missing;
      } else {
        counts.checked += 1;
        counts.inRow = 0;
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next));
  if (stopped)
    deps.log.warn({ reason: stopped.reason, left: due.length }, "positions of articles are checked later");
  return { checked: counts.checked, failed: counts.failed, stopped };
}

/** An article that was updated is in the history again: the newest entry of its page counts. */
async function dueArticles(
  { sql, clock }: RankDeps,
  most: number,
  whose: Whose | undefined,
): Promise<readonly DueArticle[]> {
  const now = clock.now().getTime();
  return sql<DueArticle[]>`
    select l.workspace_id as "workspaceId", l.user_id::float8 as "userId", l.id, l.keyword as phrase, l.post_url as url
    from seo.publication_logs l
    where l.content_type = 'article' and l.status = 'success' and l.post_url is not null and l.keyword is not null
      and (l.rank_checked_at is null or l.rank_checked_at <= ${new Date(now - weekMs)})
      and l.created_at <= ${new Date(now - newMs)}
      ${whose ? sql`and l.workspace_id = ${whose.workspaceId} and l.user_id = ${whose.userId}` : sql``}
      and not exists (
        select from seo.publication_logs n
        where n.workspace_id = l.workspace_id and n.project_id = l.project_id and n.post_url = l.post_url and n.id > l.id
          and n.content_type = 'article' and n.status = 'success')
    order by l.rank_checked_at nulls first, l.workspace_id, l.id
    limit ${most}`;
}

/** Undefined if it was learnt where the page stands, or that it does not. */
async function checkRank(deps: RankDeps, article: DueArticle): Promise<Missing | undefined> {
  const { sources, depth } = deps;
  const { workspaceId, userId, phrase, url } = article;
  const payer = { workspaceId, userId, operation: "rank_check" };
  const answer = await sources.dataforseo.rank({ phrase, url, depth }, payer);
  if (!answer.ok && answer.reason !== "no_data") return answer;
  await keepRank(deps, article, answer.ok ? answer.value.position : null);
  return undefined;
}

async function keepRank(
  { sql, clock, depth }: RankDeps,
  { workspaceId, id }: DueArticle,
  position: number | null,
): Promise<void> {
  const now = clock.now();
  await sql`
    with kept as (
      update seo.publication_logs l set rank_position = ${position}, rank_checked_at = ${now}
      where l.workspace_id = ${workspaceId} and l.id = ${id}
      returning l.workspace_id, l.id)
    insert into seo.rank_checks (workspace_id, publication_id, checked_at, position, depth)
    select workspace_id, id, ${now}, ${position}, ${depth} from kept
    on conflict do nothing`;
}
