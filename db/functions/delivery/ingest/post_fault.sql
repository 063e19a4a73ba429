-- The error in a post as its sender gave it, in one sentence that names the field; null if there is none. The types are those
-- of POST /api/v1/ingest: otherwise a text that is an object would be posted as JSON, and a flag that is a text would be
-- ignored.
create or replace function delivery.post_fault(p_raw jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  v_fault text;
begin
  if jsonb_typeof(p_raw -> 'payload') is distinct from 'object' then
    return '/payload must be an object';
  end if;
  select format('/%s must be %s', array_to_string(rule.path, '/'),
                case rule.kind when 'object' then 'an object' when 'array' then 'a list' when 'boolean' then 'true or false'
                               when 'number' then 'a number' else 'a text' end)
  into v_fault
  from (values
    ('{payload,text}'::text[], 'string'), ('{payload,parse_mode}', 'string'), ('{payload,dialect}', 'string'),
    ('{payload,media}', 'array'), ('{payload,buttons}', 'array'), ('{payload,tags}', 'array'),
    ('{payload,disable_preview}', 'boolean'), ('{payload,silent}', 'boolean'), ('{payload,protect}', 'boolean'),
    ('{payload,link_preview}', 'object'), ('{payload,article}', 'object'),
    ('{payload,article,title}', 'string'), ('{payload,article,slug}', 'string'), ('{payload,article,description}', 'string'),
    ('{payload,article,canonical_url}', 'string'), ('{payload,article,categories}', 'array'), ('{payload,article,tags}', 'array'),
    ('{payload,article,json_ld}', 'array'), ('{payload,article,cover}', 'number'),
    ('{payload,article,focus_keyword}', 'string'), ('{payload,article,status}', 'string'), ('{payload,article,publish_at}', 'string'),
    ('{tags}', 'array'), ('{tagged_only}', 'boolean'), ('{source}', 'object'), ('{render_meta}', 'object'),
    ('{render_meta,parse_mode}', 'string'), ('{source_ref}', 'string'), ('{trace_id}', 'string'),
    ('{scheduled_for}', 'string'), ('{hash_version}', 'number'), ('{channel_ids}', 'array')
  ) as rule (path, kind)
  where jsonb_typeof(p_raw #> rule.path) not in (rule.kind, 'null')
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  return case
    when lower(p_raw #>> '{payload,parse_mode}') not in ('html', 'markdown', 'markdownv2', 'none')
      or lower(p_raw #>> '{render_meta,parse_mode}') not in ('html', 'markdown', 'markdownv2', 'none')
      then 'parse_mode must be HTML, Markdown, MarkdownV2 or None'
    when not delivery.markdown_dialects() -> 'names' ? lower(p_raw #>> '{payload,dialect}')
      then '/payload/dialect must be ' || regexp_replace(array_to_string(array(
        select jsonb_array_elements_text(delivery.markdown_dialects() -> 'names')), ', '), ', ([^,]*)$', ' or \1')
    when jsonb_typeof(p_raw #> '{payload,article}') = 'object' and coalesce(p_raw #>> '{payload,article,title}', '') !~ '\S'
      then '/payload/article/title must be a text: an article needs a title'
    when exists (
        select from unnest(array[p_raw #> '{payload,article,categories}', p_raw #> '{payload,article,tags}']) as given,
          jsonb_array_elements(case jsonb_typeof(given) when 'array' then given else '[]' end) as label
        where jsonb_typeof(label) <> 'string')
      then '/payload/article must hold categories and tags that are texts'
    when exists (
        select from unnest(array[p_raw -> 'tags', p_raw #> '{payload,tags}']) as given,
          jsonb_array_elements(case jsonb_typeof(given) when 'array' then given else '[]' end) as tag
        where jsonb_typeof(tag) <> 'string')
      then 'tags must be texts'
    when jsonb_typeof(p_raw -> 'channel_ids') = 'array' and (
        jsonb_array_length(p_raw -> 'channel_ids') not between 1 and 100 or exists (
          select from jsonb_array_elements(p_raw -> 'channel_ids') as id
          where jsonb_typeof(id) <> 'string' or id #>> '{}' !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))
      then '/channel_ids must hold the ids of 1 to 100 channels'
    when exists (
        select from jsonb_array_elements(coalesce(nullif(p_raw #> '{payload,media}', 'null'), '[]')) as item
        where jsonb_typeof(item) <> 'object'
          or exists (select from unnest(array['type', 'url', 'origin_url', 'media_url', 'blob_ref', 'file_id', 'caption']) as field
                     where jsonb_typeof(item -> field) not in ('string', 'null')))
      then '/payload/media must hold objects whose type, url and caption are texts'
    when exists (
        select from jsonb_array_elements(coalesce(nullif(p_raw #> '{payload,buttons}', 'null'), '[]')) as line
        where jsonb_typeof(line) <> 'array'
          or exists (select from jsonb_array_elements(case jsonb_typeof(line) when 'array' then line else '[]' end) as button
                     where jsonb_typeof(button -> 'text') is distinct from 'string'
                       or jsonb_typeof(button -> 'url') is distinct from 'string'))
      then '/payload/buttons must be rows of objects with a text and a url'
  end;
end
$$;
