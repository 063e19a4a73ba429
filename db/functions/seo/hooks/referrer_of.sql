-- Who brought a person; called when a payment comes, see db/functions/billing/README.md.
create or replace function seo.referrer_of(p_workspace_id uuid, p_user_id bigint) returns bigint
language sql stable as $$
  select u.referrer_id from seo.users u where u.workspace_id = p_workspace_id and u.id = p_user_id
$$;
