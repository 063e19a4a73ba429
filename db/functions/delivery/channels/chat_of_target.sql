-- The chat itself, as the messenger's API is told: without what tells several channels apart.
create or replace function delivery.chat_of_target(p_platform text, p_target text) returns text
language sql immutable parallel safe as $$
  select case when p_platform = 'telegram' then regexp_replace(plain, '^user:', '') else plain end
  from (select regexp_replace(p_target, '#[0-9]+$', '')) as t (plain)
$$;
