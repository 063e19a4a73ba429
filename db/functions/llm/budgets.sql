-- Caps and what counts against them. Whoever changes the books of a workspace holds its lock until the end of the
-- transaction, so that parallel calls see each other's reservations.

create or replace function llm.lock_books(p_workspace_id uuid) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.spending ' || p_workspace_id, 0))
$$;

-- Where all workspaces share a cap, reservations of all of them wait for each other too. Always taken after the lock of a
-- workspace's books, and the last lock of its transaction.
create or replace function llm.lock_installation() returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('llm.spending of the installation', 0))
$$;

-- The caps over all workspaces together, with what already counts against each. Index: spending_of_workspaces.
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

-- The books that a call stands in: its workspace, its policy and its user, each by day and by month of its start in UTC.
create or replace function llm.books_of(p_policy text, p_user_id text, p_started_at timestamptz)
returns table (scope text, subject text, period text, starts_on date)
language sql immutable as $$
  select b.scope, b.subject, p.period, date_trunc(p.period, p_started_at at time zone 'UTC')::date
  from (values ('workspace', '*'), ('policy', p_policy), ('user', p_user_id)) b (scope, subject)
  cross join (values ('day'), ('month')) p (period)
  where b.subject is not null
$$;

-- Moves amounts in all books of a call; a negative reservation gives back.
create or replace function llm.book(
  p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamptz,
  p_reserved_usd numeric, p_reserved_tokens bigint, p_reserved_calls bigint,
  p_spent_usd numeric default 0, p_spent_tokens bigint default 0, p_spent_calls bigint default 0
) returns void
language sql as $$
  insert into llm.spending as s (workspace_id, scope, subject, period, starts_on,
    reserved_usd, reserved_tokens, reserved_calls, spent_usd, spent_tokens, spent_calls)
  select p_workspace_id, b.scope, b.subject, b.period, b.starts_on,
    p_reserved_usd, p_reserved_tokens, p_reserved_calls, p_spent_usd, p_spent_tokens, p_spent_calls
  from llm.books_of(p_policy, p_user_id, p_started_at) b
  on conflict (workspace_id, scope, subject, period, starts_on) do update set
    reserved_usd = s.reserved_usd + excluded.reserved_usd,
    reserved_tokens = s.reserved_tokens + excluded.reserved_tokens,
    reserved_calls = s.reserved_calls + excluded.reserved_calls,
    spent_usd = s.spent_usd + excluded.spent_usd,
    spent_tokens = s.spent_tokens + excluded.spent_tokens,
    spent_calls = s.spent_calls + excluded.spent_calls
$$;

-- The caps that a call falls under, with what already counts against each.
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
  -- One that is named has its own cap instead of everybody's.
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

-- The first cap that these amounts would pass, or null. Amounts in dollars may be unknown, which passes any cap in dollars.
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
