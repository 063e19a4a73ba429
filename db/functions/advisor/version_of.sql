-- The rows that a person's state consists of, and the day: another version means another state.
create or replace function advisor.version_of(p_workspace_id uuid, p_user_id uuid, p_now timestamptz default now()) returns text
language sql stable as $$
  select concat_ws('-', u.xmin, coalesce(l.xmin::text, 'none'), coalesce(s.xmin::text, 'none'), (p_now at time zone 'UTC')::date)
  from advisor.users u
  left join advisor.rate_limits l on l.workspace_id = u.workspace_id and l.user_id = u.id and l.window_end_at > p_now
  left join advisor.sessions s on s.workspace_id = u.workspace_id and s.user_id = u.id and s.expires_at > p_now
  where u.workspace_id = p_workspace_id and u.id = p_user_id
$$;
