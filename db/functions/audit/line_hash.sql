create or replace function audit.line_hash(e audit.entries) returns text
language sql immutable parallel safe as $$
  select encode(sha256(convert_to(audit.line(e), 'UTF8')), 'hex')
$$;
