-- The allowed networks of a token and of those it was made with, a list each, as they are now: an address must be within every list.
-- Tokens that work from everywhere have none. Null if one of them is revoked or has expired, or the token is unknown.
create or replace function molva.token_reach(p_token uuid, p_now timestamptz default now()) returns jsonb
language sql stable as $$
  with recursive makers as (
    select a.made_by_token, a.revoked_at, a.expires_at, a.networks from molva.api_tokens a where a.id = p_token
    union all
    select a.made_by_token, a.revoked_at, a.expires_at, a.networks from molva.api_tokens a
    join makers m on a.id = m.made_by_token
  )
  select case when count(*) > 0 and count(*) filter (where revoked_at is not null or expires_at <= p_now) = 0
    then coalesce(jsonb_agg(to_jsonb(networks)) filter (where networks <> '{}'), '[]') end
  from makers
$$;
