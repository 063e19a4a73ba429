-- How the bot did within the last minutes. A press repeated in a moment, a chat called back, and a bot that is off are no
-- questions, so they count for nothing.
create or replace function shopbot.monitor_snapshot(
  p_workspace_id uuid, p_minutes int default 15, p_now timestamptz default now(),
  out total_logs int, out error_logs int, out fallback_logs int, out fallback_rate_pct numeric
)
language sql stable as $$
  select count(*)::int, count(*) filter (where result = 'error')::int,
    count(*) filter (where matched_rule_id is null)::int,
    coalesce(round(100.0 * count(*) filter (where matched_rule_id is null) / nullif(count(*), 0), 2), 0)
  from shopbot.bot_logs
  where workspace_id = p_workspace_id and ts > p_now - make_interval(mins => p_minutes) and ts <= p_now
    and action = 'bot_engine_processed' and outcome not in ('repeated', 'returned', 'ignored')
$$;

-- What is too much at a bot now, by its own settings: more errors than it allows, or a greater share of questions without a
-- rule, where there were enough questions for a share to say something.
create or replace function shopbot.monitor_alerts(
  p_workspace_id uuid, p_minutes int default null, p_now timestamptz default now()
) returns table (action text, message text, figures jsonb)
language sql stable as $$
  select f.action, f.message, to_jsonb(s)
  from shopbot.bots b
  cross join lateral shopbot.monitor_snapshot(b.workspace_id, coalesce(p_minutes, b.monitor_minutes), p_now) s
  cross join lateral (values
    ('bot_error_spike', s.error_logs > b.monitor_errors, format('%s of %s messages failed', s.error_logs, s.total_logs)),
    ('fallback_rate_high', s.total_logs >= b.monitor_min_questions and s.fallback_rate_pct > b.monitor_fallback_pct,
      format('%s of %s questions fit no rule (%s %%)', s.fallback_logs, s.total_logs, s.fallback_rate_pct))
  ) as f (action, raised, message)
  where b.workspace_id = p_workspace_id and f.raised
$$;

-- Looks at every bot and leaves an event for what is worth telling. The monitor of deliveries tells people about it. An event
-- is not repeated within its window.
create or replace function shopbot.monitor(p_minutes int default null, p_now timestamptz default now())
returns table (workspace_id uuid, action text)
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select b.workspace_id, molva.uuidv7(p_now), p_now, f.action, 'error',
    jsonb_build_object('code', f.action, 'message', f.message), f.figures
  from shopbot.bots b
  cross join lateral shopbot.monitor_alerts(b.workspace_id, p_minutes, p_now) f
  where not exists (
    select from workspaces.events e
    where e.workspace_id = b.workspace_id and e.action = f.action
      and e.ts > p_now - make_interval(mins => coalesce(p_minutes, b.monitor_minutes)))
  returning workspace_id, action
$$;

-- What is older than that many days is forgotten; dialogues that are under way are younger than that.
create or replace function shopbot.forget(p_days int default 90, p_limit int default 10000, p_now timestamptz default now())
returns int
language plpgsql as $$
declare
  v_before constant timestamptz := p_now - make_interval(days => p_days);
  v_count  int := 0;
  v_some   int;
begin
  delete from shopbot.bot_inbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_inbox n
      where n.workspace_id = b.workspace_id and n.received_at < v_before and n.processed_at is not null
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_outbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_outbox n
      where n.workspace_id = b.workspace_id and n.created_at < v_before and n.status in ('sent', 'failed')
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_logs i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_logs n
      where n.workspace_id = b.workspace_id and n.ts < v_before
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  return v_count + v_some;
end
$$;
