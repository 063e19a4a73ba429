-- Records a problem with a provider that concerns no single payment: a forged notification, a refused key. Every workspace that
-- sells through the provider gets an event, at most one an hour per kind.
create or replace function billing.note_payment_trouble(
  p_provider text, p_code text, p_message text, p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select w.workspace_id, molva.uuidv7(p_now), p_now, 'payment_trouble', 'error',
    jsonb_build_object('code', p_code, 'message', p_message), jsonb_build_object('provider', p_provider)
  from workspaces.workspaces w
  where exists (select from billing.sales s where s.workspace_id = w.workspace_id and s.provider = p_provider)
    and not exists (
      select from workspaces.events e
      where e.workspace_id = w.workspace_id and e.action = 'payment_trouble' and e.ts > p_now - interval '1 hour'
        and e.error ->> 'code' = p_code and e.meta ->> 'provider' = p_provider)
$$;
