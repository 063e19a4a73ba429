-- What a reader sees of marked-up text, accurate enough to measure it before the exact compile.
create or replace function delivery.visible_text(p_text text, p_parse_mode text) returns text
language sql immutable parallel safe
return case when p_parse_mode = 'HTML' then
    replace(replace(replace(replace(regexp_replace(p_text, '<[^>]*>', '', 'g'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&')
  else p_text
end;
