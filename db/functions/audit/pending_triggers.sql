drop trigger if exists chain_pending on audit.pending;
create constraint trigger chain_pending
  after insert on audit.pending
  deferrable initially deferred
  for each row
  execute function audit.chain_pending();
