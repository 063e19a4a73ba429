-- Writes a plan: new tasks, and new times for waiting ones. A task that exists already is left as it is. Returns the new tasks
-- in order.
create or replace function accounts.write_plan(
  p_workspace_id uuid, p_account_id uuid, p_create jsonb, p_move jsonb, p_now timestamptz default now()
) returns setof accounts.queue
language plpgsql as $$
begin
  update accounts.queue q
  set scheduled_time = m.at, updated_at = p_now
  from jsonb_to_recordset(p_move) as m (id uuid, at timestamptz)
  where q.workspace_id = p_workspace_id and q.id = m.id and q.status = 'pending';

  return query
  insert into accounts.queue as q
    (workspace_id, id, object_id, chat_id, account_id, owner, origin, format, allow_duplicate, scheduled_time, created_at, updated_at)
  select p_workspace_id, molva.uuidv7(p_now), c.object_id, c.chat_id, p_account_id, c.owner, c.origin, c.format,
    coalesce(c.allow_duplicate, false), c.at, p_now, p_now
  from jsonb_to_recordset(p_create) as c (
    object_id uuid, chat_id uuid, owner text, origin text, format text, allow_duplicate boolean, at timestamptz)
  order by c.at
  on conflict (workspace_id, object_id, chat_id, account_id) where status in ('pending', 'processing', 'flood_wait') do nothing
  returning q.*;

  -- The worker looks again when this is committed.
  perform pg_notify('molva_accounts', p_workspace_id::text);
end
$$;
