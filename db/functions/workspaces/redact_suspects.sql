create or replace function workspaces.redact_suspects(p_text text) returns boolean
language sql immutable parallel safe as $$
  select p_text ~ '[@=]|[0-9]([0-9]{5}|[A-Za-z]|[ ()\u00a0-]+[0-9])|[A-Za-z_+][0-9]'
    or p_text like '%uthori%' or p_text like '%UTHORI%' or p_text like '%earer%' or p_text like '%EARER%'
    or p_text like '%eyJ%'
$$;
