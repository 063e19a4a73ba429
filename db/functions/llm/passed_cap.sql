-- The first cap that these amounts would exceed, or null. An unknown amount of dollars exceeds any cap in dollars.
create or replace function llm.passed_cap(
  p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamptz,
  p_usd numeric, p_tokens bigint, p_calls bigint
) returns jsonb
language sql stable as $$
  select jsonb_build_object('scope', c.scope, 'subject', c.subject, 'period', c.period, 'unit', c.unit,
                            'cap', c.cap, 'used', c.used, 'ends_at', c.ends_at,
                            'price_unknown', c.unit = 'usd' and p_usd is null)
  from llm.caps_of(p_workspace_id, p_policy, p_user_id, p_started_at) c
  where case c.unit
          when 'usd' then p_usd is null or c.used + p_usd > c.cap
          when 'tokens' then c.used + p_tokens > c.cap
          else c.used + p_calls > c.cap
        end
  order by c.ends_at desc, c.scope, c.unit
  limit 1
$$;

-- The caps that apply to a call, with their current usage.
create or replace function llm.caps_of(p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamptz)
returns table (scope text, subject text, period text, unit text, cap numeric, used numeric, ends_at timestamptz)
language sql stable as $$
  select k.scope, k.subject, k.period, c.unit, c.cap,
    case c.unit
      when 'usd' then coalesce(s.spent_usd + s.reserved_usd, 0)
      when 'tokens' then coalesce(s.spent_tokens + s.reserved_tokens, 0)
      else coalesce(s.spent_calls + s.reserved_calls, 0)
    end,
    (k.starts_on + ('1 ' || k.period)::interval) at time zone 'UTC'
  from llm.books_of(p_policy, p_user_id, p_started_at) k
  -- A cap for a named user or policy replaces the general one.
  join lateral (
    select distinct on (b.unit) b.unit, b.cap
    from llm.budgets b
    where b.workspace_id = p_workspace_id and b.scope = k.scope and b.period = k.period and b.subject in (k.subject, '*')
    order by b.unit, b.subject = '*'
  ) c on true
  left join llm.spending s on s.workspace_id = p_workspace_id and s.scope = k.scope and s.subject = k.subject
    and s.period = k.period and s.starts_on = k.starts_on
  union all
  select 'installation', '*', i.period, i.unit, i.cap, i.used, i.ends_at from llm.installation_caps_at(p_started_at) i
$$;
