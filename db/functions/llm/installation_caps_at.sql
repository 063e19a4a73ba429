-- The caps over all workspaces together, with their current usage. Uses spending_of_workspaces.
create or replace function llm.installation_caps_at(p_now timestamptz default now())
returns table (period text, unit text, cap numeric, used numeric, ends_at timestamptz)
language sql stable as $$
  select i.period, i.unit, i.cap,
    case i.unit
      when 'usd' then coalesce(s.usd, 0)
      when 'tokens' then coalesce(s.tokens, 0)
      else coalesce(s.calls, 0)
    end,
    (d.starts_on + ('1 ' || i.period)::interval) at time zone 'UTC'
  from llm.installation_caps i
  cross join lateral (select date_trunc(i.period, p_now at time zone 'UTC')::date as starts_on) d
  cross join lateral (
    select sum(b.spent_usd + b.reserved_usd) as usd, sum(b.spent_tokens + b.reserved_tokens) as tokens,
      sum(b.spent_calls + b.reserved_calls) as calls
    from llm.spending b
    where b.scope = 'workspace' and b.period = i.period and b.starts_on = d.starts_on
  ) s
$$;
