-- Counts one login code for a phone, over all workspaces, and one for the workspace. Returns null if it may be requested, else
-- in how many seconds. Telegram blocks phones, and sooner or later the whole application, that request too many codes. A refused
-- request is not counted.
create or replace function accounts.take_login_code(
  p_workspace_id uuid, p_phone text, p_per_phone int default 5, p_per_workspace int default 60,
  p_window interval default '1 hour', p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_phone     text := encode(sha256(convert_to('phone ' || p_phone, 'UTF8')), 'hex');
  v_workspace text := encode(sha256(convert_to('workspace ' || p_workspace_id, 'UTF8')), 'hex');
  v_until     timestamptz;
begin
  -- Always locked in the same order, so that there is no deadlock.
  insert into accounts.login_code_requests as r (subject_sha256, requests, window_ends_at)
  select s, 0, p_now + p_window from unnest(array[v_phone, v_workspace]) s order by s
  on conflict (subject_sha256) do update set
    requests = case when r.window_ends_at > p_now then r.requests else 0 end,
    window_ends_at = case when r.window_ends_at > p_now then r.window_ends_at else excluded.window_ends_at end;
  select max(r.window_ends_at) into v_until from accounts.login_code_requests r
  where r.subject_sha256 = v_phone and r.requests >= p_per_phone
     or r.subject_sha256 = v_workspace and r.requests >= p_per_workspace;
  if v_until is not null then
    return greatest(1, ceil(extract(epoch from v_until - p_now)))::int;
  end if;
  update accounts.login_code_requests r set requests = r.requests + 1 where r.subject_sha256 in (v_phone, v_workspace);
  return null;
end
$$;
