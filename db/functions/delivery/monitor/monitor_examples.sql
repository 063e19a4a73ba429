-- Up to three cases of a reason, the most frequent of the newest thousand first: which channel, source or account, which
-- error, how often.
create or replace function delivery.monitor_examples(
  p_workspace_id uuid, p_reason text, p_since timestamptz, p_now timestamptz default now()
) returns jsonb
language sql stable as $$
  select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(x)) order by x.count desc), '[]')
  from (
    select g.count, g.channel_id, coalesce(c.title, c.target_name, c.target_id) as channel, c.platform, g.source_id, g.account, g.code, g.message, g.since, g.action, g.missing
    from (
      select count(*) as count, e.channel_id, e.meta ->> 'source_id' as source_id,
        e.meta ->> 'account' as account, e.error ->> 'code' as code,
        (array_agg(e.error ->> 'message' order by e.ts desc))[1] as message,
        (array_agg(e.meta ->> 'since' order by e.ts desc))[1] as since,
        null as action, null as missing
      from unnest(case p_reason
        when 'failed_permanent_threshold' then array['failed_permanent', 'validation_failed']
        when 'page_faults' then array['page_checked']
        else array(select r.action from delivery.monitor_reasons() r where r.reason = p_reason) end) as a (action)
      cross join lateral (
        select n.* from workspaces.events n
        where n.workspace_id = p_workspace_id and n.action = a.action and n.ts > p_since
          and not (p_reason = 'page_faults' and n.result = 'ok')
          and not (p_reason in ('failed_permanent_threshold', 'page_faults') and delivery.is_of_connection(n))
        order by n.ts desc limit 1000
      ) e
      group by 2, 3, 4, 5
      union all
      select 1, c.channel_id, null, null, null, null, to_jsonb(c.paused_until) #>> '{}', null, null
      from delivery.channels c
      where p_reason = 'paused_channels_threshold' and c.workspace_id = p_workspace_id and c.paused_until > p_now
      union all
      select count(*), null, null, null, null, null, null, o.action, o.missing
      from delivery.orphan_events o
      where p_reason = 'orphan_events' and o.workspace_id = p_workspace_id and o.found_at > p_since
      group by o.action, o.missing
      order by 1 desc
      limit 3
    ) g
    left join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = g.channel_id
  ) x
$$;
