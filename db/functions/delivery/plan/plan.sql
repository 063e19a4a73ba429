-- When the waiting deliveries of a workspace go out: those due first, `p_limit` at most. A row for each: `sent` at its time;
-- `dropped` or `held` when its channel will find it too old; `stopped` when only a person can let it go; `later` after `p_until`.
-- `reason` is what decides its time, in the words of delivery.why. `p_config_id` is the workspace itself, or a copy with a changed
-- configuration (delivery.copy_for_plan). Reads deliveries_waiting and deliveries_claimed.
create or replace function delivery.plan(
  p_workspace_id uuid, p_config_id uuid, p_channel_id uuid, p_until timestamptz, p_limit int, p_now timestamptz default now()
) returns table (delivery_id uuid, fate text, at timestamptz, reason text, due_at timestamptz)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_group record;
begin
  for v_group in
    with channels as materialized (
      -- Channels of a limited group wait for each other; others do not.
      select c.channel_id, case when g.rate_rps > 0 then c.platform || '/' || c.rate_group else c.channel_id::text end as key
      from delivery.channels c
      left join delivery.platform_limits g using (workspace_id, platform, rate_group)
      where c.workspace_id = p_config_id
    ),
    chosen as materialized (
      select c.key, d.delivery_id
      from channels c
      cross join lateral (
        (select d.delivery_id, d.due_at from delivery.deliveries d
         where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status in ('queued', 'retry') and d.held_at is null
         order by d.due_at, d.delivery_id limit p_limit)
        union all
        (select d.delivery_id, d.not_before from delivery.deliveries d
         where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status = 'claimed'
         order by d.not_before, d.delivery_id limit p_limit)
      ) d
      where p_channel_id is null or c.key = (select o.key from channels o where o.channel_id = p_channel_id)
      order by d.due_at, d.delivery_id limit p_limit
    )
    select array_agg(c.delivery_id) as ids from chosen c group by c.key
  loop
    return query select * from delivery.plan_group(p_workspace_id, p_config_id, v_group.ids, p_until, p_now);
  end loop;
end
$$;
