-- The error of a post for a connection that has failed and was not renewed since.
create or replace function delivery.connection_refusal(p_error jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'category', 'PERMANENT', 'scope', 'channel', 'code', 'connection_error', 'cause', p_error -> 'code',
    'message', format('the connection has failed and was not renewed since: %s', p_error ->> 'message')))
$$;
