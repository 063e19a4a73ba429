-- Exceeded limits of a bot, by its own settings: too many errors, or too large a share of questions without a rule, if there
-- were enough questions for a share to be meaningful.
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
