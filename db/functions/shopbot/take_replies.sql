-- Takes replies that may be sent now, at most one per chat, so that they arrive in order: the oldest waiting one, or one whose
-- sender's lease has ended. The rates of the bot and the chats limit how many.
create or replace function shopbot.take_replies(
  p_limit int default 50, p_lease_seconds int default 60, p_now timestamptz default now()
) returns table (
  workspace_id uuid, chat_id text, inbound text, outbox_id uuid, kind text, text text, compiled jsonb, callback_id text,
  notification text, trace_id text, attempt int, doubtful boolean, first_sent_at timestamptz, secret_ref text,
  others text[])
language plpgsql as $$
#variable_conflict use_column
declare
  v_bot   record;
  v_count int;
begin
  for v_bot in
    select b.workspace_id, b.auth_ref, b.rate_rps::double precision as rps, b.chat_rps::double precision as chat_rps
    from shopbot.bots b
    where exists (
      select from shopbot.bot_outbox o where o.workspace_id = b.workspace_id and o.status in ('waiting', 'sending'))
  loop
    v_count := least(p_limit, shopbot.allowance(v_bot.workspace_id, v_bot.rps, p_now));
    return query
    with free as materialized (
      -- The oldest first by bot_outbox_due. Whether one is the first of its chat is a probe of bot_outbox_waiting: as a join
      -- it would be planned by statistics that tables of such short-lived rows do not have.
      select o.ctid as row_id
      from shopbot.bot_outbox o
      where o.workspace_id = v_bot.workspace_id and o.status in ('waiting', 'sending')
        and case o.status when 'waiting' then o.not_before <= p_now
            else o.sending_started_at <= p_now - make_interval(secs => p_lease_seconds) end
        and o.seq = (
          select min(e.seq) from shopbot.bot_outbox e
          where e.workspace_id = v_bot.workspace_id and e.chat_id = o.chat_id and e.status in ('waiting', 'sending'))
        and (v_bot.chat_rps = 0 or p_now - make_interval(secs => 1 / v_bot.chat_rps) >= coalesce((
          select max(l.sent_at) from shopbot.bot_outbox l
          where l.workspace_id = v_bot.workspace_id and l.chat_id = o.chat_id and l.status = 'sent'), '-infinity'))
      order by o.not_before, o.seq
      limit v_count
      for update skip locked
    ),
    taken as (
      update shopbot.bot_outbox o
      set status = 'sending', sending_started_at = p_now, attempt = o.attempt + 1,
          doubtful = o.doubtful or o.status = 'sending',
          first_sent_at = coalesce(o.first_sent_at, p_now)
      from free f
      -- The rows are locked, so they stay where they were found; a join by key could be planned as a walk through the table.
      where o.ctid = f.row_id
      returning o.*
    ),
    spent as (
      update shopbot.bot_buckets k
      set tokens = k.tokens - (select count(*) from taken)
      where k.workspace_id = v_bot.workspace_id and v_bot.rps > 0
    )
    select t.workspace_id, t.chat_id, t.inbound_provider_message_id, t.outbox_id, t.kind, t.text, t.compiled, t.callback_id,
      t.notification, t.trace_id, t.attempt, t.doubtful, t.first_sent_at,
      (select c.secret_ref from workspaces.credential_bindings c
       where c.workspace_id = t.workspace_id and c.auth_ref = v_bot.auth_ref and c.platform = 'max'),
      -- Our other messages in the chat: an equal text of another reply is not this one.
      case when t.doubtful then array(
        select l.provider_message_id from shopbot.bot_outbox l
        where l.workspace_id = t.workspace_id and l.chat_id = t.chat_id and l.status = 'sent'
        order by l.sent_at desc limit 100)
      else '{}' end
    from taken t
    order by t.seq;
  end loop;
end
$$;

-- How many replies of a bot may be sent now: a token bucket of one second. Its row stays locked until they are taken.
create or replace function shopbot.allowance(
  p_workspace_id uuid, p_rps double precision, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_tokens double precision;
begin
  if p_rps = 0 then
    return 1000;
  end if;
  insert into shopbot.bot_buckets (workspace_id, tokens, refilled_at) values (p_workspace_id, greatest(1, p_rps), p_now)
  on conflict (workspace_id) do nothing;
  update shopbot.bot_buckets
  set tokens = least(greatest(1, p_rps), tokens + greatest(0, extract(epoch from p_now - refilled_at)) * p_rps),
      refilled_at = greatest(refilled_at, p_now)
  where workspace_id = p_workspace_id
  returning tokens into v_tokens;
  return floor(v_tokens);
end
$$;
