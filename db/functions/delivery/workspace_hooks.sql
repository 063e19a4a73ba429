-- What this module answers when it is asked about a workspace: see molva.hooks.

create or replace function delivery.workspace_counts(p_workspace_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('channels', count(*)) from delivery.channels c where c.workspace_id = p_workspace_id
$$;

create or replace function delivery.workspace_busy(p_workspace_id uuid) returns boolean
language sql stable as $$
  select exists (select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.status = 'sending')
$$;

-- What waits may go on when its workspace is active again or its credential is another one.
create or replace function delivery.wake_dispatcher() returns trigger
language plpgsql as $$
begin
  perform pg_notify('molva_deliveries', new.workspace_id::text);
  return null;
end
$$;

create or replace trigger wake_dispatcher
  after update of status on workspaces.workspaces
  for each row
  when (new.status = 'active')
  execute function delivery.wake_dispatcher();

create or replace trigger wake_dispatcher
  after insert or update on workspaces.credential_bindings
  for each row
  execute function delivery.wake_dispatcher();
