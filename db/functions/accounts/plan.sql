-- The planner's side of the queue. Times are worked out in TypeScript (src/accounts/plan) under the lock of the account's row.

-- What the plan of an account depends on, with its row locked until the end of the transaction.
create or replace function accounts.lock_for_plan(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (
  account jsonb, published_today int, last_published_at timestamptz, open jsonb, planned_today boolean)
language plpgsql as $$
declare
  v_account accounts.accounts;
  v_day     timestamptz;
begin
  select * into v_account from accounts.accounts
  where workspace_id = p_workspace_id and id = p_account_id
  for no key update;
  if not found then
    return;
  end if;
  -- A statement of its own: it sees what was committed while we waited for the lock.
  return query
  select to_jsonb(v_account), accounts.published_today(p_workspace_id, p_account_id, v_account.timezone, p_now),
    (select max(h.published_at) from accounts.history h
     where h.workspace_id = p_workspace_id and h.account_id = p_account_id),
    coalesce((
      select jsonb_agg(jsonb_build_object('id', q.id, 'at', q.scheduled_time, 'taken', q.status = 'processing',
          'last_published_at', (
            select max(h.published_at) from accounts.history h
            where h.workspace_id = p_workspace_id and h.object_id = q.object_id and h.chat_id = q.chat_id
              and h.account_id = p_account_id and not h.deleted),
          'object_id', q.object_id, 'chat_id', q.chat_id, 'format', q.format, 'origin', q.origin, 'allow_duplicate', q.allow_duplicate)
        order by q.scheduled_time, q.id)
      from accounts.queue q
      where q.workspace_id = p_workspace_id and q.account_id = p_account_id and q.status in ('pending', 'processing')), '[]'),
    exists (
      select from accounts.planned_days d
      where d.workspace_id = p_workspace_id and d.account_id = p_account_id
        and d.day = (p_now at time zone v_account.timezone)::date);
end
$$;

-- Writes a plan: tasks that are new, and new times for those that wait. One that is there already is left as it is. Gives the
-- new tasks in their order.
create or replace function accounts.write_plan(
  p_workspace_id uuid, p_account_id uuid, p_create jsonb, p_move jsonb, p_now timestamptz default now()
) returns setof accounts.queue
language plpgsql as $$
begin
  update accounts.queue q
  set scheduled_time = m.at, updated_at = p_now
  from jsonb_to_recordset(p_move) as m (id uuid, at timestamptz)
  where q.workspace_id = p_workspace_id and q.id = m.id and q.status = 'pending';

  return query
  insert into accounts.queue as q
    (workspace_id, id, object_id, chat_id, account_id, owner, origin, format, allow_duplicate, scheduled_time, created_at, updated_at)
  select p_workspace_id, molva.uuidv7(p_now), c.object_id, c.chat_id, p_account_id, c.owner, c.origin, c.format,
    coalesce(c.allow_duplicate, false), c.at, p_now, p_now
  from jsonb_to_recordset(p_create) as c (
    object_id uuid, chat_id uuid, owner text, origin text, format text, allow_duplicate boolean, at timestamptz)
  order by c.at
  on conflict (workspace_id, object_id, chat_id, account_id) where status in ('pending', 'processing', 'flood_wait') do nothing
  returning q.*;

  -- The worker looks again when this is committed.
  perform pg_notify('molva_accounts', p_workspace_id::text);
end
$$;

-- Objects and chats for which the account has had a task today, whatever became of it: the daily plan is made once.
create or replace function accounts.tasks_of_day(p_workspace_id uuid, p_account_id uuid, p_now timestamptz default now())
returns table (object_id uuid, chat_id uuid)
language sql stable as $$
  select distinct q.object_id, q.chat_id
  from accounts.queue q
  join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id
  where q.workspace_id = p_workspace_id and q.account_id = p_account_id
    -- Uses queue_of_account; a task may have been put off to today, so its time says more than its birth.
    and q.scheduled_time >= accounts.day_start(a.timezone, p_now)
    and q.scheduled_time < accounts.day_start(a.timezone, p_now) + interval '26 hours'
    and (q.scheduled_time at time zone a.timezone)::date = (p_now at time zone a.timezone)::date
$$;

-- Active accounts whose window has opened on a day that is not planned yet.
create or replace function accounts.accounts_to_plan(p_now timestamptz default now())
returns table (workspace_id uuid, account_id uuid)
language sql stable as $$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and not exists (
      select from accounts.planned_days d
      where d.workspace_id = a.workspace_id and d.account_id = a.id and d.day = (p_now at time zone a.timezone)::date)
  order by 1, 2
$$;

-- Accounts in their window with a task that has missed its time by p_late_seconds and could have gone.
create or replace function accounts.late_accounts(p_late_seconds int, p_now timestamptz default now())
returns table (workspace_id uuid, account_id uuid)
language sql stable as $$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and exists (
      select from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending'
        and q.scheduled_time < p_now - make_interval(secs => p_late_seconds))
  order by 1, 2
$$;

create or replace function accounts.day_planned(
  p_workspace_id uuid, p_account_id uuid, p_created int, p_dropped int, p_now timestamptz default now()
) returns void
language sql as $$
  insert into accounts.planned_days (workspace_id, account_id, day, planned_at, created, dropped)
  select p_workspace_id, p_account_id, (p_now at time zone a.timezone)::date, p_now, p_created, p_dropped
  from accounts.accounts a where a.workspace_id = p_workspace_id and a.id = p_account_id
  on conflict do nothing
$$;
