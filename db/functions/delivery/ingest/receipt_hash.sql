-- The hash by which a repeated request is recognised: of the post's content, whatever version of the hash the sender asks
-- for.
create or replace function delivery.receipt_hash(p_post jsonb) returns text
language sql immutable parallel safe as $$
  select case when p_post -> 'hash_version' = '1' then p_post ->> 'hash' else delivery.content_hash(p_post -> 'payload') end
$$;
