-- The endpoint that a secret opens. The secret before a rotation opens the same endpoint until its time ends, and one that was made with
-- a token while that token works.
create or replace function delivery.find_endpoint(p_kind text, p_secret_hash text, p_now timestamptz default now())
returns delivery.workspace_endpoints
language sql stable as $$
  select e from delivery.workspace_endpoints given
  join delivery.workspace_endpoints e
    on coalesce(e.first_id, e.endpoint_id) = coalesce(given.first_id, given.endpoint_id) and e.replaced_by is null
  join workspaces.workspaces w on w.workspace_id = e.workspace_id
  where given.kind = p_kind and given.secret_hash = p_secret_hash and given.enabled
    and (given.ends_at is null or given.ends_at > p_now)
    and (given.secret_by_token is null or molva.token_reach(given.secret_by_token, p_now) is not null)
    and e.workspace_id = given.workspace_id and e.enabled and e.mode <> 'signature' and w.status <> 'disabled'
$$;
