-- Which channels send with a credential, in words; asked before it is deleted, see molva.hooks.
create or replace function delivery.credential_users(p_workspace_id uuid, p_platform text, p_auth_ref text) returns text
language sql stable as $$
  select delivery.channels_in_words(array_agg(coalesce(c.title, c.target_id) order by c.channel_id))
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$$;

-- `2 channels (Новости, -100200)`, the first three by name; null for none.
create or replace function delivery.channels_in_words(p_names text[]) returns text
language sql immutable parallel safe as $$
  select format('%s %s (%s%s)', cardinality(p_names), case cardinality(p_names) when 1 then 'channel' else 'channels' end,
    array_to_string(p_names[1:3], ', '), case when cardinality(p_names) > 3 then ', …' else '' end)
  where p_names is not null
$$;
