-- Normalises an address: scheme and host in lower case, no default port, at least a path. `p_for_comparison` also drops what
-- does not change the page: fragment, tracking parameters, their order, the trailing slash.
create or replace function delivery.canonical_url(p_url text, p_for_comparison boolean default false) returns text
language plpgsql immutable parallel safe as $$
declare
  v_part  text[] := regexp_match(btrim(p_url), '^(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$', 'i');
  v_host  text;
  v_path  text;
  v_query text;
begin
  if v_part is null then
    return btrim(p_url);
  end if;
  v_host := regexp_replace(v_part[2], '[^@]*$', lower(substring(v_part[2] from '[^@]*$')));
  v_host := regexp_replace(v_host, case lower(v_part[1]) when 'http' then ':80$' else ':443$' end, '');
  v_path := coalesce(nullif(v_part[3], ''), '/');
  if not p_for_comparison then
    return lower(v_part[1]) || '://' || v_host || v_path || coalesce(v_part[4], '') || coalesce(v_part[5], '');
  end if;
  select '?' || string_agg(p, '&' order by p) into v_query
  from regexp_split_to_table(substring(v_part[4] from 2), '&') as p
  where p <> '' and p !~* '^(utm_[a-z]+|fbclid|gclid|yclid|ysclid|_openstat)(=|$)';
  return lower(v_part[1]) || '://' || v_host || regexp_replace(v_path, '/+$', '') || coalesce(v_query, '');
end
$$;
