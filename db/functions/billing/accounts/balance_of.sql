-- Null for an unknown person.
create or replace function billing.balance_of(p_workspace_id uuid, p_user_id bigint) returns int
language sql stable as $$
  select u.balance from billing.users u where u.workspace_id = p_workspace_id and u.id = p_user_id
$$;
