-- The endpoint at an address, with the secrets that may have signed a request to it: its own, and those before a rotation until
-- their time ends; those that were made with a token while that token works, each with the reach of its token. No row if it takes no
-- signatures.
create or replace function delivery.find_signed_endpoint(p_address uuid, p_now timestamptz default now())
returns table (endpoint delivery.workspace_endpoints, secrets jsonb)
language sql stable as $$
  select e, (
    select jsonb_agg(jsonb_build_object('endpoint_id', s.endpoint_id, 'signing_ref', s.signing_ref,
      'reach', t.reach) order by s.endpoint_id desc)
    from delivery.workspace_endpoints s
    cross join lateral (
      select case when s.signing_by_token is null then '[]' else molva.token_reach(s.signing_by_token, p_now) end as reach) t
    where s.workspace_id = e.workspace_id and s.enabled and s.signing_ref is not null and t.reach is not null
      and (s.endpoint_id = e.endpoint_id
        or coalesce(s.first_id, s.endpoint_id) = p_address and s.replaced_by is not null and s.ends_at > p_now))
  from delivery.workspace_endpoints e
  join workspaces.workspaces w using (workspace_id)
  where coalesce(e.first_id, e.endpoint_id) = p_address and e.replaced_by is null
    and e.enabled and e.mode <> 'secret' and e.kind = 'webhook_push' and w.status <> 'disabled'
$$;
