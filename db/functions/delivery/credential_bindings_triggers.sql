create or replace trigger wake_dispatcher
  after insert or update on workspaces.credential_bindings
  for each row
  execute function delivery.wake_dispatcher();
