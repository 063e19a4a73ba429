-- An entry as the one line of JSON that is hashed and exported, without its own hash. The same bytes on every server and after a
-- restore: keys in this order, the time in UTC with microseconds, `meta` in the text form of jsonb, which a dump keeps.
create or replace function audit.line(e audit.entries) returns text
language sql immutable parallel safe as $$
  select format(
    '{"chain_id":"%s","seq":%s,"at":"%s","actor_kind":%s,"actor_id":%s,"action":%s,"subject_kind":%s,"subject_id":%s,"result":%s,"address":%s,"meta":%s,"prev_hash":"%s"}',
    e.chain_id, e.seq, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_json(e.actor_kind), coalesce(to_json(e.actor_id)::text, 'null'), to_json(e.action),
    coalesce(to_json(e.subject_kind)::text, 'null'), coalesce(to_json(e.subject_id)::text, 'null'),
    to_json(e.result), coalesce(to_json(e.address)::text, 'null'), e.meta::text, e.prev_hash)
$$;
