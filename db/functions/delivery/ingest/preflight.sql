-- The baseline check of a normalised post for a channel, in SQL alone: an error, or null if it may be queued. Posts that come
-- over HTTP were already checked by the platform's exact compile; this check is for every other caller. A post that the
-- channel allows to be split may have any length.
create or replace function delivery.preflight(
  p_platform text, p_send_mode text, p_payload jsonb, p_settings jsonb default '{}'
) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  v_media   jsonb := coalesce(p_payload -> 'media', '[]');
  v_count   int := jsonb_array_length(v_media);
  v_mode    text := coalesce(p_payload ->> 'parse_mode', p_settings ->> 'parse_mode');
  v_length  int := coalesce(delivery.shortest_length(p_payload ->> 'text', v_mode), 0);
  v_limits  jsonb := delivery.platform_facts() #> array[p_platform, 'limits'];
  v_longest int := (v_limits ->> 'text')::int;
  -- An article that is too long for a platform that may shorten it.
  v_shortened boolean := coalesce(v_limits -> 'shortensArticles' = 'true' and jsonb_typeof(p_payload -> 'article') = 'object', false);
  v_problem text;
begin
  v_problem := case
    when v_count = 0 and coalesce(delivery.visible_text(p_payload ->> 'text', v_mode), '') !~ '\S' then 'the post has neither text nor media'
    when p_send_mode = 'text' and v_count > 0 then 'the channel takes posts without media only'
    when p_send_mode = 'media' and v_count = 0 then 'the channel takes posts with media only'
    when v_length > v_longest and p_settings ->> 'too_long' is distinct from 'split' and not v_shortened
      then format('the text is %s characters long, the platform takes %s', v_length, v_longest)
    -- Files of these kinds form one album; the rest is sent as a series.
    when v_count > (v_limits #>> '{album,max}')::int and v_limits #> '{album,whole}' is not null and not v_shortened and not exists (
        select from jsonb_array_elements(v_media) as item where not v_limits #> '{album,whole}' ? (item ->> 'type'))
      then format('the album has %s items, the platform takes %s', v_count, v_limits #>> '{album,max}')
    when v_limits -> 'needs' ? 'title' and coalesce(p_payload #>> '{article,title}', '') !~ '\S'
      then 'the platform takes posts with a title only: article.title'
    when v_limits -> 'needs' ? 'picture' and not exists (
        select from jsonb_array_elements(v_media) as item where item ->> 'type' = 'photo')
      then 'the platform takes posts with a picture only'
    when exists (select from jsonb_array_elements(v_media) as item
                 where coalesce(item ->> 'type', '') not in ('photo', 'video', 'animation', 'audio', 'document'))
      then 'a media item has an unknown type'
    when exists (select from jsonb_array_elements(v_media) as item
                 where coalesce(item ->> 'url', item ->> 'blob_ref', item ->> 'file_id') is null)
      then 'a media item has no url, blob_ref or file_id'
  end;
  if v_problem is null then
    return null;
  end if;
  return jsonb_build_object('category', 'PERMANENT', 'scope', 'delivery', 'code', 'validation_failed', 'message', v_problem);
end
$$;

-- The length in UTF-16 units, as messengers count: a character outside the basic plane counts twice.
create or replace function delivery.utf16_length(p_text text) returns int
language sql immutable parallel safe
return length(p_text) + length(regexp_replace(p_text, '[^\U00010000-\U0010ffff]', '', 'g'));

-- The minimum length of marked-up text for its readers. Rather too short than too long: what passes is measured exactly when
-- it is compiled, what is refused here never is. No match extends beyond the next beginning of its own kind, because a failed
-- match is tried again from every character.
create or replace function delivery.shortest_length(p_text text, p_parse_mode text) returns int
language sql immutable parallel safe
return delivery.utf16_length(case p_parse_mode
  -- One expression for each element: a back reference would make the time quadratic in the length of the text.
  when 'HTML' then regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(p_text,
    '<script\M.*?</script>', '', 'gi'), '<style\M.*?</style>', '', 'gi'), '<[^>]*>', '', 'g'),
    '&#?[[:alnum:]]+;', 'x', 'g'), '\s+', ' ', 'g')
  when 'Markdown' then regexp_replace(p_text, '\]\([^])]*\)|[][*_~|+^#>`\\!]', '', 'g')
  else p_text
end);
