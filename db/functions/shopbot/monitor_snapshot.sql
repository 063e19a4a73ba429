-- The bot's figures of the last minutes. Repeated taps, chats that were taken back, and updates while the bot is off are not
-- questions, so they are not counted.
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
