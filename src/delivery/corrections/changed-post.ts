import type { z } from "zod";
import { errorsFromIssues, inOurWords, problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { payload } from "../ingest/body.ts";
import { type Scope, targetsOf } from "./targets.ts";

type Payload = z.infer<typeof payload>;

/**
 * The post as the channels of the scope have it, with some of it changed. It is read here and not given by the caller, who may not see what senders add
 * for templates and would lose it.
 */
export async function changedPost(
  sql: Sql,
  workspaceId: string,
  scope: Scope,
  changes: Payload,
): Promise<Payload> {
  const targets = await targetsOf(sql, workspaceId, scope);
  const presents = await sql<{ present: Record<string, unknown> }[]>`
    with shown as (
      select distinct d.message_id, now_reads.revision_id
      from delivery.deliveries d
      left join lateral (
        select r.revision_id from (
          select c.revision_id from delivery.corrections c
          where c.workspace_id = d.workspace_id and c.delivery_id = d.delivery_id and c.kind = 'edit'
            and c.status <> 'failed_permanent'
          union all
          select (e.meta ->> 'revision_id')::uuid from workspaces.events e
          where e.workspace_id = d.workspace_id and e.delivery_id = d.delivery_id and e.action = 'post_replaced'
        ) r order by r.revision_id desc limit 1
      ) now_reads on true
      where d.workspace_id = ${workspaceId} and d.delivery_id = any (${targets.map((each) => each.delivery_id)}::uuid[])
        and d.status not in ('deduped', 'failed_permanent', 'dead') and d.withdrawn_at is null
    )
    select coalesce(r.payload, m.payload) as present
    from shown s
    join delivery.messages m on m.workspace_id = ${workspaceId} and m.message_id = s.message_id
    left join delivery.revisions r on r.workspace_id = ${workspaceId} and r.revision_id = s.revision_id`;
  const [row, other] = presents;
  if (other)
    throw problem("conflict", {
      detail:
        "Its channels do not read alike since an earlier correction: correct channel by channel, or give the whole `payload`.",
    });
  if (!row)
    throw problem("conflict", {
      detail: "Nothing of it waits or stands in a channel, so there is nothing to change.",
    });
  const read = payload.safeParse({ ...row.present, ...changes }, inOurWords);
  if (read.success) return read.data;
  throw problem("invalid_request", {
    detail: "The stored post cannot be changed in parts; give the whole `payload`.",
    errors: errorsFromIssues(read.error.issues),
  });
}
