-- Which message of the client a request came by: a repeat under another id is recognised by it.
alter table advisor.request_dedup add column client_message_id text check (length(client_message_id) between 1 and 200);
create index request_dedup_by_message on advisor.request_dedup (workspace_id, user_id, client_message_id)
  where client_message_id is not null;

drop function if exists advisor.begin_question(uuid, uuid, text, text, bigint, text, text, uuid, jsonb, jsonb, interval, int, timestamptz);
drop function if exists advisor.begin_request(uuid, uuid, text, text, bigint, text, text, uuid, jsonb, jsonb, interval, timestamptz);

create or replace function advisor.end_pro() returns trigger language plpgsql as 'begin return null; end';
create trigger end_pro after update of plan on advisor.users
  for each row when (old.plan = 'pro' and new.plan = 'free') execute function advisor.end_pro();
