-- What the bot says: written down first, sent after the commit, recorded when the provider has it.

create or replace function shopbot.reply_transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  when 'waiting' then p_to in ('sending', 'failed')
  when 'sending' then p_to in ('sent', 'waiting', 'failed')
  else false
end;

create or replace function shopbot.refuse_reply_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a reply cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('outbox %s', old.outbox_id);
end
$$;

create or replace trigger refuse_reply_transition
  before update of status on shopbot.bot_outbox
  for each row
  when (old.status <> new.status and not shopbot.reply_transition_allowed(old.status, new.status))
  execute function shopbot.refuse_reply_transition();

-- One answer per inbound message and chat; the first one stays. Whoever does not send by himself tells those who do.
create or replace function shopbot.put_replies(p_replies jsonb, p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_put int;
begin
  insert into shopbot.bot_outbox (
    workspace_id, chat_id, inbound_provider_message_id, outbox_id, kind, text, compiled, callback_id, notification,
    about_chat_id, author, response_hash, trace_id, not_before, created_at)
  select r.workspace_id, r.chat_id, r.inbound, r.outbox_id, r.kind, r.text, r.compiled, r.callback_id, r.notification,
    r.about_chat_id, r.author, encode(sha256(convert_to(r.text || coalesce(r.compiled::text, ''), 'UTF8')), 'hex'), r.trace_id,
    p_now, p_now
  from rows from (jsonb_to_recordset(p_replies) as (
    workspace_id uuid, chat_id text, inbound text, outbox_id uuid, kind text, text text, compiled jsonb, callback_id text,
    notification text, about_chat_id text, author text, trace_id text)) with ordinality as r
  order by r.ordinality
  on conflict (workspace_id, chat_id, inbound_provider_message_id) do nothing;
  get diagnostics v_put = row_count;
  return v_put;
end
$$;

-- Takes replies that may leave now, at most one per chat, so that a chat reads them in order: the oldest that waits, or one
-- whose sender has been silent for longer than the lease. The bot's and the chats' rates decide how many.
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
      -- What else of ours stands in the chat: an equal text of another reply is not this one.
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

-- How many replies of a bot may leave now: a bucket that holds a second's worth. Its row stays locked until they are taken.
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

-- Records how sends ended. Only who took a reply may end it: `attempt` must be the one that was taken.
-- `sent`; `failed` for good; `retry` not before a time; `unknown`: look before another try.
-- Says whether more is to be sent in the chats of these, which had to wait for them.
create or replace function shopbot.end_replies(p_ends jsonb, p_now timestamptz default now()) returns boolean
language plpgsql as $$
begin
  with ends as (
    select e.*,
      case
        when e.outcome in ('sent', 'failed') then e.outcome
        when e.attempt >= 8 then 'failed'
        else 'waiting'
      end as next
    from jsonb_to_recordset(p_ends) as e (
      workspace_id uuid, chat_id text, inbound text, attempt int, outcome text, provider_message_id text, error jsonb,
      retry_after_ms double precision)
  ),
  ended as (
    update shopbot.bot_outbox o
    set status = e.next,
        sending_started_at = null,
        sent_at = case when e.next = 'sent' then p_now end,
        provider_message_id = case when e.next = 'sent' then e.provider_message_id end,
        last_error = case when e.next = 'sent' then null else workspaces.redact(e.error) end,
        doubtful = o.doubtful and e.outcome <> 'absent' or e.outcome = 'unknown',
        not_before = p_now + greatest(
          make_interval(secs => coalesce(e.retry_after_ms, 0) / 1000),
          case when e.next = 'waiting' then least(interval '5 minutes', interval '1 second' * 2 ^ least(e.attempt - 1, 9))
               else interval '0' end)
    from ends e
    where o.workspace_id = e.workspace_id and o.chat_id = e.chat_id and o.inbound_provider_message_id = e.inbound
      and o.status = 'sending' and o.attempt = e.attempt
    returning o.workspace_id, o.chat_id, o.inbound_provider_message_id, o.status, o.last_error, o.kind, o.about_chat_id, o.outbox_id
  ),
  failed as materialized (
    -- The message whose log it belongs to: what operators are told is about a customer's message, what an operator writes to a
    -- customer was a message in the operators' chat.
    select d.*,
      case
        when d.kind in ('handover', 'relay') then d.about_chat_id
        when d.kind = 'operator' then (select b.operators_chat_id from shopbot.bots b where b.workspace_id = d.workspace_id)
        else d.chat_id
      end as log_chat_id,
      case
        when d.kind in ('handover', 'relay') then substr(d.inbound_provider_message_id, length(d.about_chat_id) + 2)
        when d.kind = 'operator' then substr(d.inbound_provider_message_id, length('op:') + 1)
        else d.inbound_provider_message_id
      end as log_inbound
    from ended d
    where d.status = 'failed'
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
    select f.workspace_id, molva.uuidv7(p_now), p_now, 'bot_send_failed', 'error', f.last_error,
      jsonb_build_object('chat_id', f.chat_id, 'kind', f.kind, 'outbox_id', f.outbox_id)
    from failed f
  )
  update shopbot.bot_logs l
  set result = 'error', meta = l.meta || jsonb_build_object('send_error', d.last_error)
  from failed d
  where l.workspace_id = d.workspace_id and l.chat_id = d.log_chat_id
    and l.inbound_provider_message_id = d.log_inbound
    -- A failed send ends within hours of its log; without the bound every log of the chat would be read.
    and l.ts > p_now - interval '1 day';

  return exists (
    select from jsonb_to_recordset(p_ends) as e (workspace_id uuid, chat_id text)
    join shopbot.bot_outbox o
      on o.workspace_id = e.workspace_id and o.chat_id = e.chat_id and o.status in ('waiting', 'sending'));
end
$$;

-- Whether anything is still to be sent: while there is, its time will come without a word from anybody.
create or replace function shopbot.replies_wait() returns boolean
language sql stable as $$
  select exists (select from shopbot.bot_outbox where status in ('waiting', 'sending'))
$$;
