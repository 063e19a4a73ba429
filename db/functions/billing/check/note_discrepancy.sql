-- Writes an event that the books differ from a provider's, at most one in twelve hours; the monitor of deliveries sends the
-- alert.
create or replace function billing.note_discrepancy(p_workspace_id uuid, p_findings jsonb, p_now timestamptz default now()) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, 'billing_discrepancy', 'error',
    jsonb_build_object('code', 'billing_discrepancy', 'message', p_findings -> 0 ->> 'message'),
    jsonb_build_object('findings', jsonb_array_length(p_findings), 'kinds', (
      select jsonb_object_agg(k.finding, k.count)
      from (select f ->> 'finding' as finding, count(*) from jsonb_array_elements(p_findings) f group by 1) k))
  where not exists (
    select from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = 'billing_discrepancy' and e.ts > p_now - interval '12 hours')
$$;
