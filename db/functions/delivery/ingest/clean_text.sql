-- Line ends become \n, several spaces one space, several empty lines one, and edges are trimmed. Spaces inside code are
-- content: a text with code keeps its inner spaces.
create or replace function delivery.clean_text(p_text text) returns text
language sql immutable parallel safe
return nullif(btrim(regexp_replace(
  case when p_text ~* '<(pre|code)|`'
    then regexp_replace(p_text, '\r\n?', E'\n', 'g')
    else regexp_replace(regexp_replace(regexp_replace(
           p_text, '\r\n?', E'\n', 'g'), '[ \t\u00a0]+', ' ', 'g'), ' ?\n ?', E'\n', 'g')
  end, '\n{3,}', E'\n\n', 'g'), E' \n\t'), '');
