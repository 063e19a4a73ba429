-- What is in the queue now, by status and by channel. Only live and dead deliveries: ranges of deliveries_due and
-- deliveries_dead, however long the history is. Channels with the most deliveries come first.
create or replace function delivery.queue_snapshot(
  p_workspace_id uuid, p_channels int default 100, p_now timestamptz default now()
) returns jsonb
language sql stable as $$
  with live as materialized (
    select d.channel_id,
      count(*) filter (where d.status = 'queued') as queued, count(*) filter (where d.status = 'claimed') as claimed,
      count(*) filter (where d.status = 'sending') as sending, count(*) filter (where d.status = 'retry') as retry,
      count(*) filter (where d.held_at is not null) as held,
      count(*) filter (where d.held_at is null and d.status in ('queued', 'retry') and d.due_at <= p_now) as due,
      min(d.due_at) filter (where d.held_at is null and d.status in ('queued', 'retry')) as next_due_at
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry')
    group by 1
  )
  select jsonb_build_object(
    'at', p_now,
    'by_status', jsonb_build_object(
      'queued', coalesce((select sum(queued) from live), 0), 'claimed', coalesce((select sum(claimed) from live), 0),
      'sending', coalesce((select sum(sending) from live), 0), 'retry', coalesce((select sum(retry) from live), 0),
      'dead', (select count(*) from delivery.deliveries d where d.workspace_id = p_workspace_id and d.status = 'dead')),
    'held', coalesce((select sum(held) from live), 0),
    'due', coalesce((select sum(due) from live), 0),
    'channels', coalesce((
      select jsonb_agg(jsonb_build_object(
        'channel', delivery.channel_facts(c),
        'block', delivery.channel_block(c, p_now), 'connection', case when c.addressed_only then c.connection_state end,
        'queued', l.queued, 'claimed', l.claimed, 'sending', l.sending, 'retry', l.retry,
        'held', l.held, 'due', l.due, 'next_due_at', l.next_due_at) order by l.place)
      from (
        select l.*, row_number() over (order by l.due desc, l.queued + l.retry + l.claimed + l.sending desc, l.channel_id) as place
        from live l
      ) l
      join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = l.channel_id
      where l.place <= p_channels), '[]'))
$$;
