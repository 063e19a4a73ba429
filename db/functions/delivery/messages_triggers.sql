create or replace trigger media_expect
  after insert on delivery.messages
  for each row
  when (new.payload @? '$.media[*].url')
  execute function delivery.media_expect();

create or replace trigger media_gc_touch
  after insert or update of last_seen_at on delivery.messages
  for each row
  when (new.payload @? '$.media[*].blob_ref')
  execute function delivery.media_gc_touch();
