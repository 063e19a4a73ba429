-- Finds all violations in the books of a workspace, a row each. One statement, so that it sees one snapshot however much moves
-- meanwhile. It reads all transfers.
create or replace function billing.check_books(p_workspace_id uuid, p_now timestamptz default now())
returns table (finding text, subject text, message text)
language sql stable as $$
  with transfers as materialized (
    select t.* from billing.transfers t where t.workspace_id = p_workspace_id
  ),
  people as (
    select coalesce(u.id, s.user_id) as user_id, u.balance, coalesce(s.tokens, 0) as tokens, coalesce(s.debt, 0) as debt
    from (select u.* from billing.users u where u.workspace_id = p_workspace_id) u
    full join (select t.user_id, sum(t.tokens) as tokens, sum(t.debt) as debt from transfers t group by 1) s on s.user_id = u.id
  ),
  works as (
    select coalesce(h.run, s.run) as run, coalesce(h.step, s.step) as step, coalesce(h.held, 0) as held, coalesce(s.booked, 0) as booked
    from (
      select h.run, h.step, case h.state when 'held' then h.amount else 0 end as held
      from billing.holds h where h.workspace_id = p_workspace_id
    ) h
    full join (
      select t.run, t.step, sum(t.in_progress) as booked from transfers t where t.in_progress <> 0 group by 1, 2
    ) s on (s.run, s.step) = (h.run, h.step)
  ),
  expenses as (
    select coalesce(t.key, e.transfer_key) as key, coalesce(t.moved, 0) as moved, coalesce(e.amount, 0) as amount
    from (select t.key, t.tokens::bigint + t.debt as moved from transfers t) t
    full join (
      select e.transfer_key, sum(e.amount) as amount from billing.token_expenses e
      where e.workspace_id = p_workspace_id and e.transfer_key is not null group by 1
    ) e on e.transfer_key = t.key
  ),
  paid as (
    select coalesce(p.id::text, s.id) as id, coalesce(p.tokens, 0) as tokens, coalesce(p.gone, 0) as gone,
      coalesce(s.credited, 0) as credited, coalesce(s.taken, 0) as taken
    from (
      select p.id, case when p.status in ('completed', 'refunded') then p.tokens_amount else 0 end as tokens, p.refunded_tokens as gone
      from billing.payments p where p.workspace_id = p_workspace_id
    ) p
    full join (
      select split_part(t.key, '/', 2) as id, -sum(t.revenue::bigint + t.bonuses) as credited, sum(t.refunds) as taken
      from transfers t where t.kind in ('purchase', 'payment_refund') group by 1
    ) s on s.id = p.id::text
  )
  select 'transfer_unbalanced', t.key, format('transfer %s sums to %s', t.key,
    t.tokens::bigint + t.debt + t.in_progress + t.done + t.revenue + t.bonuses + t.referral + t.refunds + t.adjustments)
  from transfers t
  where t.tokens::bigint + t.debt + t.in_progress + t.done + t.revenue + t.bonuses + t.referral + t.refunds + t.adjustments <> 0
  union all
  select 'balance_differs', p.user_id::text,
    format('person %s has %s tokens, the entries say %s', p.user_id, coalesce(p.balance::text, 'no account and so no'), p.tokens + p.debt)
  from people p where p.balance is distinct from p.tokens + p.debt
  union all
  select 'debt_wrong', p.user_id::text,
    format('person %s has %s tokens and a debt of %s at once, or less than nothing', p.user_id, p.tokens, -p.debt)
  from people p where p.tokens < 0 or p.debt > 0 or (p.tokens > 0 and p.debt < 0)
  union all
  select 'hold_differs', w.run || '/' || w.step, format('%s/%s holds %s tokens, the entries say %s', w.run, w.step, w.held, w.booked)
  from works w where w.held <> w.booked
  union all
  select 'hold_without_work', l.run, format('%s holds %s tokens since %s and nobody works on it', l.run, l.tokens, l.since)
  from billing.lost_runs('3 hours', 1000, p_workspace_id, p_now) l
  union all
  select 'expense_differs', e.key, format('%s moved %s tokens, the history says %s', e.key, e.moved, e.amount)
  from expenses e where e.moved <> e.amount
  union all
  select 'payment_differs', p.id, format('payment %s: %s tokens bought and %s taken back, the books say %s and %s', p.id, p.tokens, p.gone,
    p.credited, p.taken)
  from paid p where p.tokens <> p.credited or p.gone <> p.taken
  union all
  select c.* from billing.check_costs(p_workspace_id, p_now) c
$$;
