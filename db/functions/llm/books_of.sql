-- The books that a call is counted in: its workspace, its policy and its user, each by day and by month of its start in UTC.
create or replace function llm.books_of(p_policy text, p_user_id text, p_started_at timestamptz)
returns table (scope text, subject text, period text, starts_on date)
language sql immutable as $$
  select b.scope, b.subject, p.period, date_trunc(p.period, p_started_at at time zone 'UTC')::date
  from (values ('workspace', '*'), ('policy', p_policy), ('user', p_user_id)) b (scope, subject)
  cross join (values ('day'), ('month')) p (period)
  where b.subject is not null
$$;
