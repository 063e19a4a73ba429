-- Takes messages that are due, until the lease ends: at most `p_per_webhook` of one webhook are under way at a time, in all
-- processes together, so that a slow receiver delays nobody else; one whose attempts fail has one at a time, and after those that
-- answer. A message whose lease has ended is due again: the attempt of whoever took it is recorded without a result, because nobody
-- knows whether it arrived. Those of a workspace that is not active wait.
create or replace function delivery.claim_webhook_messages(
  p_limit int, p_per_webhook int, p_lease interval, p_token uuid, p_now timestamptz default now()
) returns table (
  workspace_id uuid, webhook_id uuid, event_id uuid, attempts int, tries int, body text, url text, secret_ref text,
  previous_secret_ref text)
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  v_webhooks uuid[];
begin
  -- The locks are taken in a statement of their own: the next one must see what the previous claimer took.
  v_webhooks := array(
    select w.webhook_id from delivery.webhooks w
    join workspaces.workspaces s on s.workspace_id = w.workspace_id and s.status = 'active'
    where w.enabled and exists (
      select from delivery.webhook_messages m
      where m.workspace_id = w.workspace_id and m.webhook_id = w.webhook_id and m.status = 'waiting' and m.due_at <= p_now)
    for no key update of w skip locked);

  return query
  with due as materialized (
    select d.* from delivery.webhooks w
    cross join lateral (
      select m.workspace_id, m.webhook_id, m.event_id, m.due_at, m.taken_by from delivery.webhook_messages m
      where m.workspace_id = w.workspace_id and m.webhook_id = w.webhook_id and m.status = 'waiting' and m.due_at <= p_now
      order by m.due_at, m.event_id
      limit greatest(case when w.failing_since is null then p_per_webhook else 1 end - (
        select count(*) from delivery.webhook_messages t
        where t.workspace_id = w.workspace_id and t.webhook_id = w.webhook_id and t.taken_by is not null and t.due_at > p_now), 0)
    ) d
    where w.webhook_id = any (v_webhooks) and w.enabled
    order by w.failing_since is not null, d.due_at
    limit p_limit
  ),
  taken as (
    update delivery.webhook_messages m
    set attempts = m.attempts + 1, tries = m.tries + 1, taken_by = p_token, due_at = p_now + p_lease
    from due d
    where m.workspace_id = d.workspace_id and m.webhook_id = d.webhook_id and m.event_id = d.event_id
      and m.status = 'waiting' and m.due_at <= p_now
    returning m.workspace_id, m.webhook_id, m.event_id, m.attempts, m.tries, m.payload, d.taken_by as lost_by
  ),
  lost as (
    insert into delivery.webhook_attempts (workspace_id, webhook_id, event_id, number, started_at, error)
    select t.workspace_id, t.webhook_id, t.event_id, t.attempts - 1, p_now,
      'interrupted: the process that sent it stopped before it could say how it ended'
    from taken t where t.lost_by is not null and t.attempts > 1
    on conflict do nothing
  )
  select t.workspace_id, t.webhook_id, t.event_id, t.attempts, t.tries, t.payload::text, w.url, w.secret_ref,
    case when w.previous_ends_at > p_now then w.previous_secret_ref end
  from taken t
  join delivery.webhooks w on w.workspace_id = t.workspace_id and w.webhook_id = t.webhook_id;
end
$$;
