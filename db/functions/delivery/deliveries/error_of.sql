-- The part of an error that tells people what happened.
create or replace function delivery.error_of(p_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case when p_error is not null then jsonb_strip_nulls(jsonb_build_object(
    'code', p_error -> 'code', 'message', p_error -> 'message', 'category', p_error -> 'category',
    'scope', p_error -> 'scope', 'retry_after_ms', p_error -> 'retry_after_ms')) end
$$;
