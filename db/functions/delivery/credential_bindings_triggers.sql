create or replace trigger wake_dispatcher
  after insert or update on workspaces.credential_bindings
  for each row
  execute function delivery.wake_dispatcher();

create or replace trigger restore_connections
  after insert or update of secret_ref on workspaces.credential_bindings
  for each row
  execute function delivery.restore_connections();
