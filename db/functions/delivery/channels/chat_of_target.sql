-- The target in the form for the provider: without the suffix that distinguishes several channels, and without a prefix that
-- only we use.
create or replace function delivery.chat_of_target(p_platform text, p_target text) returns text
language sql immutable parallel safe as $$
  select case when starts_with(plain, unsaid) then substr(plain, length(unsaid) + 1) else plain end
  from (select regexp_replace(p_target, '#[0-9]+$', ''), delivery.platform_facts() #>> array[p_platform, 'target', 'unsaid'])
    as t (plain, unsaid)
$$;
