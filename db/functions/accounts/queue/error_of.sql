-- An error in the format of adapters.
create or replace function accounts.error_of(p_code text, p_message text, p_scope text) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_build_object('code', p_code, 'message', p_message, 'category', 'PERMANENT', 'scope', p_scope)
$$;
