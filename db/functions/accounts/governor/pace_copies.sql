-- Messages of the last day with a near-identical text, of the account itself and of the workspace's others.
create or replace function accounts.pace_copies(
  p_workspace_id uuid, p_account_id uuid, p_fingerprint bigint, p_near_bits int, p_now timestamptz default now()
) returns table (own timestamptz[], others timestamptz[])
language sql stable as $$
  select coalesce(array_agg(s.at order by s.at) filter (where s.account_id = p_account_id), '{}'),
    coalesce(array_agg(s.at order by s.at) filter (where s.account_id <> p_account_id), '{}')
  from accounts.pace_texts t
  join accounts.pace_sends s on s.workspace_id = t.workspace_id and s.fingerprint = t.fingerprint
  where t.workspace_id = p_workspace_id and t.last_sent_at > p_now - interval '1 day'
    and bit_count((t.fingerprint # p_fingerprint)::bit(64)) <= p_near_bits
    and s.at > p_now - interval '1 day'
$$;
