-- A customer asked for a person, and the bot has no operators' group: recorded once an hour, for the monitor to report.
create or replace function shopbot.note_operator_missing(
  p_workspace_id uuid, p_chat_id text, p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, 'operator_missing', 'error',
    jsonb_build_object('code', 'operator_missing', 'message', 'a customer asked for a person, and the bot has no operators'' group'),
    jsonb_build_object('chat_id', p_chat_id)
  where not exists (
    select from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = 'operator_missing' and e.ts > p_now - interval '1 hour')
$$;
