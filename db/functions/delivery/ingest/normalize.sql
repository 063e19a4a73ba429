-- The normal form of a payload, for every kind of sender. Unknown keys are kept, because templates may use them.
create or replace function delivery.normalize(p_raw jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(
    (case when jsonb_typeof(p_raw -> 'payload') = 'object' then p_raw -> 'payload' else '{}' end
       - array['text', 'media', 'type', 'parse_mode', 'dialect', 'tags', 'article'])
    || jsonb_build_object(
         'type', case when m.media is null then 'text' else 'media' end,
         'text', delivery.clean_text(p_raw #>> '{payload,text}'),
         'parse_mode', case mode.name
                         when 'html' then 'HTML' when 'none' then 'None'
                         when 'markdown' then 'Markdown' when 'markdownv2' then 'Markdown'
                       end,
         -- A parse mode may be the name of a dialect.
         'dialect', coalesce(delivery.markdown_dialects() #>> array['by_mode', mode.name], lower(p_raw #>> '{payload,dialect}')),
         'media', m.media,
         'article', delivery.normalize_article(p_raw #> '{payload,article}')))
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

create or replace function delivery.normalize_article(p_article jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case when jsonb_typeof(p_article) = 'object' then p_article || jsonb_build_object(
    'title', delivery.clean_text(p_article ->> 'title'),
    'description', delivery.clean_text(p_article ->> 'description'),
    'canonical_url', delivery.canonical_url(nullif(btrim(p_article ->> 'canonical_url'), ''))) end
$$;
