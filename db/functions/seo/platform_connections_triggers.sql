create or replace trigger note_disconnected
  before update of channel_id on seo.platform_connections
  for each row
  when (new.channel_id is null)
  execute function seo.note_disconnected();
create or replace trigger forget_crossing
  after delete on seo.platform_connections
  for each row
  execute function seo.forget_crossing();
