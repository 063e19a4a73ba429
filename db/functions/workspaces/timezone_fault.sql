-- What is wrong with the name of a time zone, or null. Abbreviations such as MSK are refused although PostgreSQL accepts them:
-- they have no summer time, and neither browsers nor people agree on their meaning.
create or replace function workspaces.timezone_fault(p_timezone text) returns text
language plpgsql stable parallel safe as $$
begin
  -- PostgreSQL reads an unknown name with a number as a POSIX rule, so numbers are allowed in fixed forms only.
  if p_timezone !~ '^(UTC|[A-Z][A-Za-z_]+(/[A-Z][A-Za-z_-]+)+|Etc/GMT(0|[+]([0-9]|1[0-2])|-([0-9]|1[0-4])))$' then
    raise invalid_parameter_value;
  end if;
  perform timestamptz 'epoch' at time zone p_timezone;
  return null;
exception when invalid_parameter_value then
  return format('%s is not a time zone: give an IANA name, such as "Europe/Moscow".', to_json(p_timezone));
end
$$;
