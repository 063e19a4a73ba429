create or replace function delivery.refusal_of(p_was text, p_refusal text) returns text
language sql immutable parallel safe as $$
  select case when p_was is null then 'there is no such delivery' else p_refusal end
$$;
