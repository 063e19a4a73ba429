-- Records the results of sends: `sent`; `failed` for good; `retry` not before a time; `unknown`: check before another attempt.
-- Only the process that took a reply may end it: `attempt` must be the one that was taken.
-- Returns whether these chats have more replies, which had to wait.
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
    -- The message whose log it belongs to: a notice to operators belongs to a customer's message, an operator's answer to a
    -- message in the operators' chat.
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

  -- Replies to these messages may have waited for their ids.
  perform pg_notify('molva_shopbot', 'inbox')
  from jsonb_to_recordset(p_ends) as e (workspace_id uuid, chat_id text)
  where exists (
    select from shopbot.bot_inbox i
    where i.workspace_id = e.workspace_id and i.chat_id = e.chat_id and i.processed_at is null and i.body ? 'replyTo')
  limit 1;

  return exists (
    select from jsonb_to_recordset(p_ends) as e (workspace_id uuid, chat_id text)
    join shopbot.bot_outbox o
      on o.workspace_id = e.workspace_id and o.chat_id = e.chat_id and o.status in ('waiting', 'sending'));
end
$$;
