-- What a reader sees of marked-up text, accurate enough for a snippet and for telling whether there is any. A block ends a
-- line, so that the words of two paragraphs do not run together. Scripts and styles are two expressions: an alternative
-- would be greedy and take the text between two of them.
create or replace function delivery.visible_text(p_text text, p_parse_mode text) returns text
language sql immutable parallel safe
return case when p_parse_mode = 'HTML' then
    replace(replace(replace(replace(replace(replace(
      btrim(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(p_text,
          '<script\M.*?</script\s*>', '', 'gi'),
          '<style\M.*?</style\s*>', '', 'gi'),
          '</?(?:article|aside|blockquote|br|dd|div|dt|figcaption|figure|footer|h[1-6]|header|hr|li|ol|p|pre|section|table|td|th|tr|ul)\M[^>]*>',
          E'\n', 'gi'),
          '<[^>]*>', '', 'g'),
          '\n\s+', E'\n', 'g'),
        E' \n'),
      '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&nbsp;', ' '), '&amp;', '&')
  else p_text
end;
