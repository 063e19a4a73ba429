-- The baseline check of a normalised post for a channel, in SQL alone: an error, or null when it may be queued.
-- Through HTTP the platform's exact compile has been asked already; this one guards every other caller.
-- A post that the channel lets be split is of any length.
create or replace function delivery.preflight(
  p_platform text, p_send_mode text, p_payload jsonb, p_settings jsonb default '{}'
) returns jsonb
language plpgsql immutable parallel safe as $$
declare
  v_media   jsonb := coalesce(p_payload -> 'media', '[]');
  v_count   int := jsonb_array_length(v_media);
  v_mode    text := coalesce(p_payload ->> 'parse_mode', p_settings ->> 'parse_mode');
  v_length  int := coalesce(delivery.shortest_length(p_payload ->> 'text', v_mode), 0);
  v_longest int := case p_platform when 'telegram' then 4096 when 'max' then 4000 end;
  v_problem text;
begin
  v_problem := case
    when v_count = 0 and coalesce(delivery.visible_text(p_payload ->> 'text', v_mode), '') !~ '\S' then 'the post has neither text nor media'
    when p_send_mode = 'text' and v_count > 0 then 'the channel takes posts without media only'
    when p_send_mode = 'media' and v_count = 0 then 'the channel takes posts with media only'
    when v_length > v_longest and p_settings ->> 'too_long' is distinct from 'split'
      then format('the text is %s characters long, the platform takes %s', v_length, v_longest)
    -- Telegram groups photos and videos into one album; MAX sends what does not fit as a series.
    when p_platform = 'telegram' and v_count > 10 and not exists (
        select from jsonb_array_elements(v_media) as item where item ->> 'type' not in ('photo', 'video'))
      then format('the album has %s items, the platform takes 10', v_count)
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

-- How messengers count: UTF-16 units, so a character outside the basic plane counts twice.
create or replace function delivery.utf16_length(p_text text) returns int
language sql immutable parallel safe
return length(p_text) + length(regexp_replace(p_text, '[^\U00010000-\U0010ffff]', '', 'g'));

-- At least how long marked-up text is for its readers. Rather too short than too long: what passes is measured exactly
-- when it is compiled, what is refused here never is. No run reaches over the next beginning of its own kind: expressions that
-- fail are tried again from every character.
create or replace function delivery.shortest_length(p_text text, p_parse_mode text) returns int
language sql immutable parallel safe
return delivery.utf16_length(case p_parse_mode
  -- One expression for each element: a reference back to a group makes the work grow with the square of the text.
  when 'HTML' then regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(p_text,
    '<script\M.*?</script>', '', 'gi'), '<style\M.*?</style>', '', 'gi'), '<[^>]*>', '', 'g'),
    '&#?[[:alnum:]]+;', 'x', 'g'), '\s+', ' ', 'g')
  when 'Markdown' then regexp_replace(p_text, '\]\([^])]*\)|[][*_~|+^#>`\\!]', '', 'g')
  else p_text
end);
