-- Text as it is stored, measured and compared.

-- Line ends become \n, runs of spaces one space, more than one empty line one, edges are trimmed.
-- Spaces inside code are content: a text with code keeps its inner spaces.
create or replace function delivery.clean_text(p_text text) returns text
language sql immutable parallel safe
return nullif(btrim(regexp_replace(
  case when p_text ~* '<(pre|code)|`'
    then regexp_replace(p_text, '\r\n?', E'\n', 'g')
    else regexp_replace(regexp_replace(regexp_replace(
           p_text, '\r\n?', E'\n', 'g'), '[ \t\u00a0]+', ' ', 'g'), ' ?\n ?', E'\n', 'g')
  end, '\n{3,}', E'\n\n', 'g'), E' \n\t'), '');

-- How messengers count: UTF-16 units, so a character outside the basic plane counts twice.
create or replace function delivery.utf16_length(p_text text) returns int
language sql immutable parallel safe
return length(p_text) + length(regexp_replace(p_text, '[^\U00010000-\U0010ffff]', '', 'g'));

-- Lower case for every script, whatever the database's own locale is.
create or replace function delivery.fold(p_text text) returns text
language sql immutable parallel safe
return lower(p_text collate "und-x-icu");

-- What a reader sees of marked-up text, closely enough to measure it before the exact compile.
create or replace function delivery.visible_text(p_text text, p_parse_mode text) returns text
language sql immutable parallel safe
return case when p_parse_mode = 'HTML' then
    replace(replace(replace(replace(regexp_replace(p_text, '<[^>]*>', '', 'g'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')
  else p_text
end;

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
