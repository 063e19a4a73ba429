-- The normal form of a post, made once on its way in; everything after uses only this: payload, tags, tagged_only,
-- hash_version, hash, source, and if the sender gave them source_ref, trace_id, ingest_run_id, scheduled_for, rendered_text,
-- channel_ids. `hash` has another name than the sender's own content_hash, which is only stored with the source, so that they
-- are not confused.
create or replace function delivery.normal_post(p_raw jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  v_payload jsonb := delivery.normalize(p_raw);
  v_version int := case when jsonb_typeof(p_raw -> 'hash_version') = 'number' and (p_raw ->> 'hash_version') ~ '^[0-9]{1,9}$'
                        then (p_raw ->> 'hash_version')::int else 1 end;
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'payload', v_payload,
    'tags', delivery.tags_of(p_raw, v_payload),
    'tagged_only', coalesce(p_raw -> 'tagged_only' = 'true', false),
    'hash_version', v_version,
    'hash', delivery.content_hash(v_payload, v_version),
    'source', coalesce(nullif(p_raw -> 'source', 'null'), '{}') || jsonb_build_object('content_hash', p_raw ->> 'content_hash'),
    'source_ref', nullif(btrim(p_raw ->> 'source_ref'), ''),
    'trace_id', nullif(btrim(p_raw ->> 'trace_id'), ''),
    'ingest_run_id', nullif(btrim(p_raw ->> 'ingest_run_id'), ''),
    'scheduled_for', p_raw -> 'scheduled_for',
    'rendered_text', nullif(btrim(p_raw ->> 'rendered_text'), ''),
    'channel_ids', p_raw -> 'channel_ids'));
end
$$;
