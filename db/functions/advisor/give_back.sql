-- Returns what a request held, for periods that still run; the cooldown before the next question is lifted too.
create or replace function advisor.give_back(p_workspace_id uuid, p_user_id uuid, p_held jsonb) returns void
language plpgsql as $$
begin
  if p_held = '{}' then
    return;
  end if;
  update advisor.rate_limits l set
    count = greatest(l.count - 1, 0),
    cooldown_until = case when l.cooldown_until = (p_held ->> 'cooldown_until')::timestamptz then null else l.cooldown_until end
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id
    and l.window_start_at = (p_held ->> 'window_start_at')::timestamptz;
  update advisor.users u set
    research_used = case when u.research_reset_at = (p_held ->> 'research_reset_at')::timestamptz
      then greatest(u.research_used - (p_held ->> 'research')::int, 0) else u.research_used end,
    photos_used = case when u.photos_reset_at = (p_held ->> 'photos_reset_at')::timestamptz
      then greatest(u.photos_used - (p_held ->> 'photos')::int, 0) else u.photos_used end
  where u.workspace_id = p_workspace_id and u.id = p_user_id
    and ((p_held ->> 'research')::int > 0 or (p_held ->> 'photos')::int > 0);
end
$$;
