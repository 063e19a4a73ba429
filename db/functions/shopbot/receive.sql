-- The entry to the engine: an update is stored once and processed after the commit.
--
-- Stores updates in the given order, and returns for each: `accepted`; `duplicate` if it came before; `in_group` if it was
-- written in a group other than the operators' one; `no_bot` if the workspace has none.
--
-- A chat's updates are stored one after another, so that `seq` grows in the order of commits: a reader never sees a later one
-- before an earlier one. The chat's row cannot be the lock for that, because the engine holds it while it answers and the
-- provider must not wait; so the row is only inserted here, never changed.
create or replace function shopbot.receive(p_updates jsonb, p_now timestamptz default now())
returns table (place int, verdict text)
language plpgsql as $$
#variable_conflict use_column
begin
  -- In the same order for all callers, against deadlocks.
  perform pg_advisory_xact_lock(c.key)
  from (
    select distinct hashtextextended(u.chat_id, hashtextextended(u.workspace_id, 0)) as key
    from jsonb_to_recordset(p_updates) as u (workspace_id text, chat_id text)
    order by 1
  ) c;

  return query
  with updates as materialized (
    select u.*, u.place::int as at,
      case
        when b.workspace_id is null then 'no_bot'
        when u.in_group and b.operators_chat_id is distinct from u.chat_id then 'in_group'
      end as refusal
    from rows from (jsonb_to_recordset(p_updates) as (
      workspace_id uuid, provider text, chat_id text, provider_message_id text, ts timestamptz, provider_seq bigint,
      body jsonb, payload jsonb, trace_id text, in_group boolean)) with ordinality as u (
      workspace_id, provider, chat_id, provider_message_id, ts, provider_seq, body, payload, trace_id, in_group, place)
    left join shopbot.bots b on b.workspace_id = u.workspace_id
  ),
  chats as (
    insert into shopbot.bot_chats (workspace_id, chat_id, first_seen_at, last_seen_at)
    select distinct u.workspace_id, u.chat_id, p_now, p_now from updates u where u.refusal is null
    on conflict (workspace_id, chat_id) do nothing
  ),
  stored as (
    insert into shopbot.bot_inbox (
      workspace_id, provider, chat_id, provider_message_id, ts, provider_seq, body, payload, trace_id, received_at)
    select u.workspace_id, u.provider, u.chat_id, u.provider_message_id,
      -- An update without a time of its own comes after all that wait, even if the clocks of two servers differ.
      coalesce(u.ts, greatest(p_now, (
        select max(i.ts) from shopbot.bot_inbox i
        where i.workspace_id = u.workspace_id and i.chat_id = u.chat_id and i.processed_at is null))),
      u.provider_seq, u.body, u.payload, u.trace_id, p_now
    from updates u
    where u.refusal is null
    order by u.at
    on conflict (workspace_id, provider, chat_id, provider_message_id) do nothing
    returning workspace_id, provider, chat_id, provider_message_id
  ),
  told as (
    -- One notification for all: the engine takes everything that waits.
    select pg_notify('molva_shopbot', 'inbox') from (select from stored limit 1) s
  )
  select u.at, coalesce(u.refusal, case
    when s.chat_id is not null
      and row_number() over (partition by u.workspace_id, u.provider, u.chat_id, u.provider_message_id order by u.at) = 1
    then 'accepted' else 'duplicate' end)
  from updates u
  left join stored s using (workspace_id, provider, chat_id, provider_message_id)
  cross join (select count(*) from told) t
  order by u.at;
end
$$;
