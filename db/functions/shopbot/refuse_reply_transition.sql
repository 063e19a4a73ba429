create or replace function shopbot.refuse_reply_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a reply cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('outbox %s', old.outbox_id);
end
$$;
