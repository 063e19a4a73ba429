import type { PlanSource } from "../../workspaces/index.ts";

/** Slots of all schedules for the plan of the workspace, and those that have fired and are being written. */
export const plannedSlots: PlanSource = async (sql, { workspaceId, from, to, now, channelId, limit }) => {
  const rows = await sql<Row[]>`
    with schedules as (
      select s.workspace_id, s.id as schedule_id, s.enabled, s.schedule_days, s.schedule_times, p.timezone as zone, c.name as category, p.name as project,
        s.platform_type as platform, k.channel_id, k.identifier as place, k.status <> 'active' as broken,
        cardinality(s.cross_post_connection_ids) as crossed
      from seo.platform_schedules s
      join seo.categories c on c.workspace_id = s.workspace_id and c.id = s.category_id
      join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
      join seo.platform_connections k on k.workspace_id = s.workspace_id and k.id = s.connection_id
      where s.workspace_id = ${workspaceId} ${channelId ? sql`and k.channel_id = ${channelId}` : sql``}
    )
    select s.schedule_id || '/' || n.local_date || '/' || n.slot as id, n.due_at as at, s.*, false as begun
    from schedules s
    cross join lateral seo.slots_between(s.schedule_days, s.schedule_times, s.zone, greatest(${from}::timestamptz, ${now}::timestamptz), ${to}) n
    where s.enabled and not exists (
      select from seo.autopublications a
      where a.workspace_id = s.workspace_id and a.schedule_id = s.schedule_id and a.local_date = n.local_date and a.slot = n.slot)
    union all
    select s.schedule_id || '/' || a.local_date || '/' || a.slot, greatest(a.not_before, ${now}::timestamptz), s.*, true
    from schedules s
    join seo.autopublications a on a.workspace_id = s.workspace_id and a.schedule_id = s.schedule_id
    where a.state in ('waiting', 'generating') and greatest(a.not_before, ${now}::timestamptz) between ${from} and ${to}
    order by 2, 1
    limit ${limit}`;
  return rows.map(
    ({ id, at, zone, category, project, platform, channel_id, place, broken, crossed, begun }) => {
      const kind = platform === "wordpress" ? "article" : "post";
      return {
        ...{ kind, id, at, zone },
        channel: { id: channel_id, title: place, platform },
        title: `${project}: ${category}`,
        what: crossed > 0 ? `${kind} by schedule, and ${crossed} adapted` : `${kind} by schedule`,
        note: broken ? "Its connection does not work" : begun ? "It is being written" : null,
      };
    },
  );
};

interface Row {
  readonly id: string;
  readonly at: Date;
  readonly zone: string;
  readonly category: string;
  readonly project: string;
  readonly platform: string;
  readonly channel_id: string | null;
  readonly place: string;
  readonly broken: boolean;
  readonly crossed: number;
  readonly begun: boolean;
}
