-- Of routed channels, and of other products' connections, only the condition is evaluated.
create or replace trigger seo_follow_channel
  after update of connection_state on delivery.channels
  for each row
  when (new.owner_product = 'seo' and old.connection_state <> new.connection_state)
  execute function seo.follow_channel();
