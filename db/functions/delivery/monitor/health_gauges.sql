-- The figures of a scrape: all workspaces together, cheap enough for a query every few seconds.
create or replace function delivery.health_gauges(p_now timestamptz default now()) returns jsonb
language sql stable as $$
  select to_jsonb(q) || jsonb_build_object(
    'events', (
      select coalesce(jsonb_object_agg(e.action, e.count), '{}')
      from (select t.action, sum(t.count) as count from delivery.event_totals t group by 1) e),
    'alerts', (
      select coalesce(jsonb_agg(to_jsonb(a)), '[]')
      from (
        select t.kind, sum(t.sent_count) as sent, sum(t.failed_count) as failed
        from delivery.alert_targets t group by 1 order by 1
      ) a))
  from delivery.health_queue(null, p_now) q
$$;
