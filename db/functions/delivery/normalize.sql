-- The one normal form of a post, whatever door it came through. Keys it does not know are kept: templates may use them.
create or replace function delivery.normalize(p_raw jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(
    (case when jsonb_typeof(p_raw -> 'payload') = 'object' then p_raw -> 'payload' else '{}' end
       - array['text', 'media', 'type', 'parse_mode', 'dialect', 'tags'])
    || jsonb_build_object(
         'type', case when m.media is null then 'text' else 'media' end,
         'text', delivery.clean_text(p_raw #>> '{payload,text}'),
         'parse_mode', case mode.name
                         when 'html' then 'HTML' when 'none' then 'None'
                         when 'markdown' then 'Markdown' when 'markdownv2' then 'Markdown'
                       end,
         -- MarkdownV2 is Telegram's name for its own dialect.
         'dialect', case mode.name when 'markdownv2' then 'telegram' else lower(p_raw #>> '{payload,dialect}') end,
         'media', m.media))
  from lower(coalesce(p_raw #>> '{payload,parse_mode}', p_raw #>> '{render_meta,parse_mode}')) as mode (name), (
    select jsonb_agg(delivery.normalize_media(item) order by place) as media
    from jsonb_array_elements(
           case when jsonb_typeof(p_raw #> '{payload,media}') = 'array' then p_raw #> '{payload,media}' else '[]' end)
         with ordinality as items (item, place)
  ) m
$$;

create or replace function delivery.normalize_media(p_item jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(
    (p_item - array['type', 'url', 'origin_url', 'media_url', 'blob_ref', 'caption'])
    || jsonb_build_object(
         'type', case lower(p_item ->> 'type')
                   when 'image' then 'photo' when 'gif' then 'animation' when 'file' then 'document'
                   else lower(p_item ->> 'type')
                 end,
         'url', a.url,
         'blob_ref', coalesce(nullif(btrim(p_item ->> 'blob_ref'), ''), delivery.blob_ref_of(a.url)),
         'caption', delivery.clean_text(p_item ->> 'caption')))
  from (
    select delivery.canonical_url(
      nullif(btrim(coalesce(p_item ->> 'url', p_item ->> 'origin_url', p_item ->> 'media_url')), ''))
  ) as a (url)
$$;

-- The name under which a file from an address is kept: one for every spelling of the address.
create or replace function delivery.blob_ref_of(p_url text) returns text
language sql immutable parallel safe as $$
  select 'url-' || left(encode(sha256(convert_to(delivery.canonical_url(p_url, true), 'UTF8')), 'hex'), 40)
$$;

-- What makes two posts the same: their content with every run of white space and every spelling of a link folded.
-- The order of media counts; the order of keys does not, because jsonb has one order of its own. A blob_ref that only names
-- the address again adds nothing.
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

-- Routing tags: explicit ones and hashtags, in lower case, each once, sorted. Nothing of time or source.
create or replace function delivery.tags_of(p_raw jsonb, p_payload jsonb) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select delivery.tag_of(tag)
    from jsonb_array_elements_text(
           case when jsonb_typeof(p_raw -> 'tags') = 'array' then p_raw -> 'tags' else '[]' end
           || case when jsonb_typeof(p_raw #> '{payload,tags}') = 'array' then p_raw #> '{payload,tags}' else '[]' end
         ) as tag
    union all
    select delivery.fold(found[1])
    from regexp_matches(p_payload ->> 'text' collate "und-x-icu", '(?<![[:alnum:]_&/])#([[:alnum:]_]*[[:alpha:]][[:alnum:]_]*)', 'g') as found
  ) as tags (tag)
  where tag <> ''
$$;
