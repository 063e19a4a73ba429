-- What the governor decides by. Who decides is TypeScript: `decide`.

-- The account: its age, its day, its window, its memory and its settings.
create or replace function accounts.pace_account(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (
  connected_at timestamptz, day_start timestamptz, window_minutes int, mode text, fix_interval_minutes int, daily_limit int,
  timezone text, memory jsonb, account_settings jsonb, workspace_settings jsonb, sends timestamptz[])
language sql stable as $$
  select coalesce(a.connected_at, a.created_at),
    date_trunc('day', p_now at time zone a.timezone) at time zone a.timezone,
    (extract(epoch from a.window_to - a.window_from) / 60)::int, a.mode, a.fix_interval_minutes, a.daily_limit,
    a.timezone, p.memory, coalesce(p.settings, '{}'), accounts.setting(p_workspace_id, 'account_pace', '{}'),
    -- A day of the zone may have 25 hours.
    array(
      select s.at from accounts.pace_sends s
      where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.at > p_now - interval '25 hours'
      order by s.at)
  from accounts.accounts a
  left join accounts.pace p on p.workspace_id = a.workspace_id and p.account_id = a.id
  where a.workspace_id = p_workspace_id and a.id = p_account_id
$$;

-- The chat's slow mode: as the account's chats were loaded, or as a refusal taught within a week, whichever is longer.
create or replace function accounts.pace_chat(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_now timestamptz default now()
) returns table (slow_mode_seconds int, slow_mode_until timestamptz, last_sent_at timestamptz)
language sql stable as $$
  select greatest(0, l.slow_mode_seconds, case when c.learned_at > p_now - interval '7 days' then c.slow_mode_seconds end),
    greatest(l.slow_mode_until, c.slow_mode_until),
    (select max(s.at) from accounts.pace_sends s
     where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.chat_id = p_chat_id
       and s.at > p_now - interval '25 hours')
  from (values (1)) as one (row)
  left join accounts.account_chats l
    on l.workspace_id = p_workspace_id and l.account_id = p_account_id and l.chat_id = p_chat_id
  left join accounts.pace_chats c
    on c.workspace_id = p_workspace_id and c.account_id = p_account_id and c.chat_id = p_chat_id
$$;

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
