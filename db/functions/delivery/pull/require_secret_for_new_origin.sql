-- A stored secret is sent only to the origin for which it was given. For another origin it has to be given again; otherwise
-- somebody who may change an address could have any stored secret sent to their own server.
create or replace function delivery.require_secret_for_new_origin(
  p_before jsonb, p_after jsonb, p_kept_ref text, p_given_ref text
) returns void
language plpgsql immutable as $$
begin
  if p_kept_ref is not null and p_given_ref is null
     and delivery.origin_of(p_before ->> 'url') is distinct from delivery.origin_of(p_after ->> 'url') then
    raise exception 'The address leads to another server: give the secret again.'
      using errcode = 'check_violation', column = 'secret';
  end if;
end
$$;

-- Scheme, host and port of a web address, in lower case and with the scheme's default port. For an address with unusual
-- spelling the whole text: the rules of browsers (for which a backslash is a slash, for example) are not repeated here, and
-- two such addresses count as different servers.
create or replace function delivery.origin_of(p_url text) returns text
language sql immutable as $$
  select case when v.parts is null then p_url else
    lower(v.parts[1]) || '://' || lower(v.parts[2]) || ':'
      || coalesce(v.parts[3], case lower(v.parts[1]) when 'https' then '443' else '80' end)
  end
  from (select regexp_match(p_url, '^(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]+))?(?:[/?#]|$)', 'i') as parts) v
$$;
