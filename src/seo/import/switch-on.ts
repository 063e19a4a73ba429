/** Imported schedules, once the old ones are gone. */
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { switchSchedule } from "../schedules/schedules.ts";

export interface WaitingSchedule {
  readonly id: number;
  readonly user_id: number;
  readonly category_id: number;
  readonly connection_id: number;
  /** False if its connection has to be connected again first. */
  readonly ready: boolean;
  /** What it was called at QStash: these have to be deleted there. */
  readonly old_ids: readonly string[];
}

/** Schedules that were on before the import and are off since. */
export function waitingSchedules(
  sql: Sql | Transaction,
  workspaceId: string,
): Promise<readonly WaitingSchedule[]> {
  return sql<WaitingSchedule[]>`
    select s.id, p.user_id, s.category_id, s.connection_id, c.status = 'active' as ready,
      case jsonb_typeof(i.kept -> 'qstash_schedule_ids')
        when 'array' then array(select jsonb_array_elements_text(i.kept -> 'qstash_schedule_ids'))
        -- A dump in CSV has the array as PostgreSQL writes it.
        when 'string' then (i.kept ->> 'qstash_schedule_ids')::text[]
        else '{}' end as old_ids
    from seo.imported_rows i
    join seo.platform_schedules s on s.workspace_id = i.workspace_id and s.id = i.id
    join seo.platform_connections c on c.workspace_id = s.workspace_id and c.id = s.connection_id
    join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where i.workspace_id = ${workspaceId} and i.table_name = 'platform_schedules' and (i.kept ->> 'enabled')::boolean
      and not s.enabled and s.schedule_times <> '{}' and s.schedule_days <> '{}'
    order by s.id`;
}

/** Switches on those that are ready, once: a schedule that its owner switches off later stays off. Returns them. */
export async function switchOnImported(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  by: By,
  { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
): Promise<readonly WaitingSchedule[]> {
  return inOneChange(
    sql,
    async (tx) => {
      const ready = (await waitingSchedules(tx, workspaceId)).filter((schedule) => schedule.ready);
      for (const { user_id: userId, category_id: categoryId, connection_id: connectionId } of ready)
        await switchSchedule({ sql: tx, clock }, { workspaceId, userId }, { categoryId, connectionId }, true);
      await tx`
        update seo.imported_rows set kept = kept || '{"enabled": false}'
        where workspace_id = ${workspaceId} and table_name = 'platform_schedules' and id = any(${ready.map(({ id }) => id)}::bigint[])`;
      const meta = { object: "seo_schedules", switched_on: ready.length };
      if (ready.length > 0) await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
      return ready;
    },
    { dryRun },
  );
}
