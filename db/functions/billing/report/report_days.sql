-- What was sold and spent, by day in the workspace's time zone, what went back, and what the provider calls cost. Uses
-- transfers_by_time, token_expenses_by_time and refunds_by_time.
create or replace function billing.report_days(p_workspace_id uuid, p_from timestamptz, p_to timestamptz)
returns table (day date, revenue_rub numeric, revenue_stars bigint, refunded_rub numeric, refunded_stars bigint, tokens_sold bigint,
  tokens_given bigint, tokens_taken_back bigint, tokens_spent bigint, cost_usd numeric)
language sql stable as $$
  select (f.at at time zone w.timezone)::date, coalesce(sum(f.rub), 0), coalesce(sum(f.stars), 0)::bigint,
    coalesce(round(sum(f.rub_back), 2), 0), coalesce(sum(f.stars_back), 0)::bigint, coalesce(sum(f.sold), 0)::bigint,
    coalesce(sum(f.given), 0)::bigint, coalesce(sum(f.back), 0)::bigint, coalesce(sum(f.spent), 0)::bigint, coalesce(sum(f.usd), 0)
  from workspaces.workspaces w
  cross join lateral (
    -- Sold: paid tokens with the bonus of their package. Given: welcome and referral bonuses, and what an operator added.
    select t.created_at as at, null::numeric as rub, null::int as stars, null::numeric as rub_back, null::numeric as stars_back,
      case when t.kind = 'purchase' or t.provider is not null then -(t.revenue + t.bonuses) end as sold,
      case when t.kind <> 'purchase' then -(t.bonuses + t.referral + t.adjustments) end as given,
      t.refunds as back, t.done as spent, null::numeric as usd
    from billing.transfers t
    where t.workspace_id = p_workspace_id and t.created_at >= p_from and t.created_at < p_to
    union all
    select p.completed_at, p.amount_rub, p.stars_amount, null, null, null, null, null, null, null
    from billing.payments p
    where p.workspace_id = p_workspace_id and p.completed_at >= p_from and p.completed_at < p_to
    union all
    -- Money that was never credited is no revenue, so its refund takes none. Of Stars the same share of the nominal price.
    select r.created_at, null, null, p.amount_rub * r.amount / p.amount, case when p.stars_amount is not null then r.amount end,
      null, null, null, null, null
    from billing.refunds r
    join billing.payments p on p.workspace_id = r.workspace_id and p.id = r.payment_id and p.completed_at is not null
    where r.workspace_id = p_workspace_id and r.created_at >= p_from and r.created_at < p_to
    union all
    select e.created_at, null, null, null, null, null, null, null, null, e.cost_usd
    from billing.token_expenses e
    where e.workspace_id = p_workspace_id and e.created_at >= p_from and e.created_at < p_to and e.call_id is not null
  ) f
  where w.workspace_id = p_workspace_id
  group by 1
  order by 1
$$;
