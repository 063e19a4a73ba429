-- What the governor writes down.

-- Locks the account's memory, making its row when there is none: what two sends teach is learnt one after the other.
create or replace function accounts.pace_lock(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns void
language plpgsql as $$
begin
  insert into accounts.pace (workspace_id, account_id, updated_at) values (p_workspace_id, p_account_id, p_now)
  on conflict do nothing;
  perform from accounts.pace where workspace_id = p_workspace_id and account_id = p_account_id for no key update;
end
$$;

create or replace function accounts.pace_remember(
  p_workspace_id uuid, p_account_id uuid, p_memory jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  update accounts.pace set memory = p_memory, updated_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id
$$;

-- A message went out. What is older than two days is forgotten on the way.
create or replace function accounts.pace_sent(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_fingerprint bigint, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  insert into accounts.pace_sends (workspace_id, account_id, at, chat_id, fingerprint)
  values (p_workspace_id, p_account_id, p_now, p_chat_id, p_fingerprint);
  delete from accounts.pace_sends
  where workspace_id = p_workspace_id and account_id = p_account_id and at < p_now - interval '2 days';
  if p_fingerprint is not null then
    insert into accounts.pace_texts (workspace_id, fingerprint, last_sent_at)
    values (p_workspace_id, p_fingerprint, p_now)
    on conflict (workspace_id, fingerprint) do update
      set last_sent_at = greatest(accounts.pace_texts.last_sent_at, excluded.last_sent_at);
  end if;
  -- Skipping what others are at keeps two accounts from waiting for each other.
  delete from accounts.pace_texts t
  using (
    select fingerprint from accounts.pace_texts
    where workspace_id = p_workspace_id and last_sent_at < p_now - interval '2 days'
    order by last_sent_at limit 100 for update skip locked
  ) old
  where t.workspace_id = p_workspace_id and t.fingerprint = old.fingerprint;
end
$$;

-- A chat refused by its slow mode: what is left of the wait and the last message there tell its length.
create or replace function accounts.pace_slow_chat(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_seconds_left int, p_now timestamptz default now()
) returns void
language sql as $$
  insert into accounts.pace_chats
    (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, learned_at)
  select p_workspace_id, p_account_id, p_chat_id,
    greatest(1, p_seconds_left + coalesce(ceil(extract(epoch from p_now - c.last_sent_at))::int, 0)),
    p_now + make_interval(secs => p_seconds_left), p_now
  from accounts.pace_chat(p_workspace_id, p_account_id, p_chat_id, p_now) c
  on conflict (workspace_id, account_id, chat_id) do update
    set slow_mode_seconds = excluded.slow_mode_seconds, slow_mode_until = excluded.slow_mode_until,
      learned_at = excluded.learned_at
$$;

-- Changes what is given of the account's settings; null gives a setting back to the workspace.
create or replace function accounts.pace_adjust(
  p_workspace_id uuid, p_account_id uuid, p_changes jsonb, p_now timestamptz default now()
) returns jsonb
language sql as $$
  insert into accounts.pace (workspace_id, account_id, settings, updated_at)
  values (p_workspace_id, p_account_id, jsonb_strip_nulls(p_changes), p_now)
  on conflict (workspace_id, account_id) do update
    set settings = jsonb_strip_nulls(accounts.pace.settings || p_changes), updated_at = p_now
  returning settings
$$;
