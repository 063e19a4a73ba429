create or replace trigger note_disconnected
  before update of channel_id on seo.platform_connections
  for each row
  when (new.channel_id is null)
  execute function seo.note_disconnected();
