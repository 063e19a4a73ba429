create or replace function workspaces.redact_text(p_text text) returns text
language sql immutable parallel safe as $$
  select case when workspaces.redact_suspects(p_text) then workspaces.redact_text_thoroughly(p_text) else p_text end
$$;
