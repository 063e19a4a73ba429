-- Equal for posts with the same content, ignoring differences in white space and in the spelling of links. The order of media
-- counts; the order of keys does not, because jsonb has its own. A blob_ref that only repeats the address adds nothing.
create or replace function delivery.content_hash(p_payload jsonb, p_hash_version int default 1) returns text
language sql immutable parallel safe as $$
select encode(sha256(convert_to(
  p_hash_version || '|' || (p_payload || jsonb_strip_nulls(jsonb_build_object(
    'text', delivery.fold_for_hash(p_payload ->> 'text'),
    'media', (select jsonb_agg(
                case when item ->> 'blob_ref' = delivery.blob_ref_of(item ->> 'url') then item - 'blob_ref' else item end
                || jsonb_strip_nulls(jsonb_build_object(
                     'url', delivery.canonical_url(item ->> 'url', true),
                     'caption', delivery.fold_for_hash(item ->> 'caption'))) order by place)
              from jsonb_array_elements(p_payload -> 'media') with ordinality as items (item, place))
  )))::text, 'UTF8')), 'hex')
$$;

create or replace function delivery.fold_for_hash(p_text text) returns text
language plpgsql immutable parallel safe as $$
declare
  v_text text := btrim(regexp_replace(p_text, '\s+', ' ', 'g'));
  v_url  text;
begin
  for v_url in
    select distinct link[1] from regexp_matches(v_text, 'https?://[^\s<>"'']+', 'gi') as link order by 1 desc
  loop
    v_text := replace(v_text, v_url, delivery.canonical_url(v_url, true));
  end loop;
  return v_text;
end
$$;
