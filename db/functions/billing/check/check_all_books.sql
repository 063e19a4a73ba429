-- Checks the books of every workspace and writes an event for each with an error, at most one in twelve hours. The monitor of
-- deliveries sends the alert.
create or replace function billing.check_all_books(p_now timestamptz default now())
returns table (workspace_id uuid, findings bigint)
language sql as $$
  with wrong as materialized (
    select w.workspace_id, count(*) as findings, (array_agg(c.message order by c.finding, c.subject))[1] as first,
      jsonb_object_agg(c.finding, c.count) as kinds
    from (select distinct u.workspace_id from billing.users u) w
    cross join lateral (
      select f.*, count(*) over (partition by f.finding) as count from billing.check_books(w.workspace_id, p_now) f
    ) c
    group by 1
  ),
  told as (
    insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
    select w.workspace_id, molva.uuidv7(p_now), p_now, 'billing_discrepancy', 'error',
      jsonb_build_object('code', 'billing_discrepancy', 'message', w.first),
      jsonb_build_object('findings', w.findings, 'kinds', w.kinds)
    from wrong w
    where not exists (
      select from workspaces.events e
      where e.workspace_id = w.workspace_id and e.action = 'billing_discrepancy' and e.ts > p_now - interval '12 hours')
  )
  select w.workspace_id, w.findings from wrong w
$$;
