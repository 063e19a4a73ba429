-- Keys and values with a time to live: sessions, counters, short-lived marks.
-- Unlogged, because it is written often and a crash of the server may empty it: nothing that must not be lost belongs here.
create unlogged table molva.kv (
  key        text primary key check (length(key) between 1 and 512),
  value      text not null,
  expires_at timestamptz
) with (fillfactor = 70); -- room for counters to grow in their page

comment on table molva.kv is 'Keys and values with a time to live; may be emptied by a crash';

-- For the purge alone: readers find a row by its key and look at its time themselves.
create index kv_expires_at on molva.kv (expires_at) where expires_at is not null;

alter table molva.kv enable row level security;
