create or replace function delivery.short_ref(p_ref text) returns text
language sql immutable parallel safe as $$
  select case when octet_length(btrim(p_ref)) > 1024
    then 'sha256:' || encode(sha256(convert_to(btrim(p_ref), 'UTF8')), 'hex')
    else nullif(btrim(p_ref), '') end
$$;
