-- What a sender that is not Molva's own dispatcher can carry: one that has some of the tokens, no way to upload media and
-- none to look for a post whose answer was lost.

-- One request of nothing but text and buttons, compiled before, and no earlier attempt in doubt.
create or replace function delivery.is_plain(p_delivery delivery.deliveries) returns boolean
language sql immutable parallel safe as $$
  select p_delivery.render_meta @? '$.compiled ? (@.requests.size() == 1 && !exists (@.requests[0].media))'
    and p_delivery.last_error ->> 'code' is distinct from 'outcome_unknown'
$$;

-- Where the token is kept that a channel sends with.
create or replace function delivery.secret_ref_of(p_channel delivery.channels) returns text
language sql stable as $$
  select b.secret_ref
  from (select p_channel.workspace_id, p_channel.channel_id, p_channel.platform, p_channel.auth_ref) c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  join delivery.credential_bindings b
    on b.workspace_id = c.workspace_id and b.platform = c.platform and b.auth_ref = coalesce(a.auth_ref, c.auth_ref)
$$;
