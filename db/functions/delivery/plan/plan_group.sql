-- The same for deliveries that share a pace: those of one limited group, or of one channel.
--
-- Each channel has lanes: posts with an exact time, which a closed window does not stop, and all others; where the newest go first,
-- what is due already is a lane too, in the opposite order. At each step the lane whose head can depart first lets it go; among equals
-- the channel that has waited longest, because each gets a few slots of a round; then its channel and its group rest for their gaps.
create or replace function delivery.plan_group(
  p_workspace_id uuid, p_config_id uuid, p_delivery_ids uuid[], p_until timestamptz, p_now timestamptz default now()
) returns table (delivery_id uuid, fate text, at timestamptz, reason text, due_at timestamptz)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  -- Claiming and starting take some time, which is not a wait for others.
  c_at_once constant interval := interval '250 milliseconds';
  v_row        record;
  v_lane_key   text;
  v_lanes      int := 0;
  v_count      int := 0;
  v_any        delivery.deliveries;
  -- By delivery, in the order of their lanes.
  v_ids        uuid[] := '{}';
  v_due        timestamptz[] := '{}';
  v_ready      timestamptz[] := '{}';
  v_stale_at   timestamptz[] := '{}';
  v_words      text[] := '{}';
  -- By lane: its channel, its head and end, from when its head may go and what keeps it until then.
  v_channel_of int[] := '{}';
  v_head       int[] := '{}';
  v_end        int[] := '{}';
  v_exact      boolean[] := '{}';
  v_free       timestamptz[] := '{}';
  v_reason     text[] := '{}';
  -- By channel.
  v_channels   delivery.channels[] := '{}';
  v_next       timestamptz[] := '{}';
  v_gap        interval[] := '{}';
  v_group_next timestamptz := '-infinity';
  v_group_gap  interval;
  v_best       int;
  v_at         timestamptz;
  v_best_at    timestamptz;
  v_waits      timestamptz;
  v_best_waits timestamptz;
  v_i          int;
  v_lasting    text;
  v_opening    boolean;
  v_pushed     boolean[] := '{}';
  v_back_ids       uuid[];
  v_back_due       timestamptz[];
  v_back_ready     timestamptz[];
  v_back_stale     timestamptz[];
  v_back_words     text[];
  v_last       int;
begin
  for v_row in
    with waiting as (
      select d.delivery_id, d.channel_id, d.status, d.scheduled_for, d.created_at, d.next_retry_at, c as channel, g.rate_rps as group_rps,
        g.next_allowed_at as group_next, g.last_started_at as group_last, d.last_error ->> 'code' = 'outcome_unknown' as unknown,
        case
          when d.status = 'claimed' then d.not_before
          -- What delivery.follow_window does when the hours change.
          when p_config_id <> p_workspace_id and d.scheduled_for is null
            and (c.window_mode, c.posting_window, c.timezone) is distinct from (o.window_mode, o.posting_window, o.timezone)
            then greatest(case when s.opens_at <= p_now and d.not_before > p_now then delivery.place_in_queue(d)
                               when s.opens_at > p_now then s.opens_at else d.not_before end, d.next_retry_at)
          else d.due_at
        end as due_at
      from delivery.deliveries d
      join delivery.channels c on c.workspace_id = p_config_id and c.channel_id = d.channel_id
      join delivery.channels o on o.workspace_id = p_workspace_id and o.channel_id = d.channel_id
      join workspaces.workspaces w on w.workspace_id = p_config_id
      left join delivery.platform_limits g on g.workspace_id = p_config_id and g.platform = c.platform and g.rate_group = c.rate_group
      cross join lateral (select case when p_config_id <> p_workspace_id then delivery.channel_opens_at(c, w.timezone, p_now) end) s (opens_at)
      where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    )
    select w.*, dense_rank() over (order by w.channel_id)::int as channel_no,
      (w.channel).catchup = 'newest_first' and w.due_at <= p_now and w.status <> 'claimed' as newest_first
    from waiting w
    order by w.channel_id, w.scheduled_for is not null, newest_first, w.status = 'claimed' desc,
      case when (w.channel).catchup = 'newest_first' and w.due_at <= p_now and w.status <> 'claimed' then w.due_at end desc nulls last,
      w.due_at, w.delivery_id
  loop
    if v_row.group_rps > 0 and v_group_gap is null then
      v_group_gap := delivery.start_gap(v_row.group_rps);
      v_group_next := coalesce(v_row.group_last + v_group_gap, '-infinity');
    end if;
    if v_channels[v_row.channel_no] is null then
      v_channels[v_row.channel_no] := v_row.channel;
      v_gap[v_row.channel_no] := case when (v_row.channel).rate_rps > 0 then delivery.start_gap((v_row.channel).rate_rps) end;
      v_next[v_row.channel_no] := coalesce((v_row.channel).last_started_at + v_gap[v_row.channel_no], '-infinity');
    end if;
    v_count := v_count + 1;
    if v_lane_key is distinct from concat(v_row.channel_no, v_row.scheduled_for is not null, v_row.newest_first) then
      v_lane_key := concat(v_row.channel_no, v_row.scheduled_for is not null, v_row.newest_first);
      v_lanes := v_lanes + 1;
      v_channel_of[v_lanes] := v_row.channel_no;
      v_head[v_lanes] := v_count;
      v_exact[v_lanes] := v_row.scheduled_for is not null;
    end if;
    v_end[v_lanes] := v_count;
    v_ids[v_count] := v_row.delivery_id;
    v_due[v_count] := greatest(p_now, v_row.due_at);
    v_ready[v_count] := case when v_row.status = 'claimed' then v_due[v_count] else greatest(v_due[v_count],
      case when (v_row.channel).rate_rps > 0 then (v_row.channel).next_allowed_at end,
      case when v_row.group_rps > 0 then v_row.group_next end) end;
    v_stale_at[v_count] := coalesce(v_row.scheduled_for, v_row.created_at) + make_interval(secs => (v_row.channel).max_age_seconds);
    v_words[v_count] := case when v_due[v_count] <= p_now then 'ready' when v_row.status = 'claimed' then 'waiting_for_slot'
      when v_row.next_retry_at is null then 'scheduled' when v_row.unknown then 'outcome_unknown' else 'retry_wait' end;
  end loop;

  loop
    v_best := null;
    for lane in 1 .. v_lanes loop
      v_i := v_head[lane];
      continue when v_i > v_end[lane];
      v_any.scheduled_for := case when v_exact[lane] then p_now end;
      if v_free[lane] is null then
        select f.free_at, f.lasting into v_at, v_lasting
        from delivery.next_free(v_any, v_channels[v_channel_of[lane]], v_due[v_i]) f;
        v_reason[lane] := coalesce(v_lasting, delivery.plan_block(v_any, v_channels[v_channel_of[lane]], v_due[v_i], p_now));
        v_free[lane] := coalesce(v_at, 'infinity');
        v_opening := isfinite(v_free[lane]) and v_free[lane] > v_due[v_i]
          and delivery.delivery_block(v_any, v_channels[v_channel_of[lane]], v_free[lane] - interval '1 millisecond') = 'window_closed';
      else
        v_opening := v_pushed[lane];
      end if;
      -- What is due while the window is closed is taken, found closed, and put back for the opening: then the ids decide the order.
      if v_opening then
        v_pushed[lane] := false;
        select array_agg(w.id order by w.id), array_agg(w.due order by w.id), array_agg(w.ready order by w.id),
          array_agg(w.stale_at order by w.id), array_agg(w.words order by w.id)
        into v_back_ids, v_back_due, v_back_ready, v_back_stale, v_back_words
        from unnest(v_ids[v_i:v_end[lane]], v_due[v_i:v_end[lane]], v_ready[v_i:v_end[lane]], v_stale_at[v_i:v_end[lane]],
          v_words[v_i:v_end[lane]]) as w (id, due, ready, stale_at, words)
        where w.due <= v_free[lane];
        v_last := v_i + cardinality(v_back_ids) - 1;
        v_ids[v_i:v_last] := v_back_ids;
        v_due[v_i:v_last] := v_back_due;
        v_ready[v_i:v_last] := v_back_ready;
        v_stale_at[v_i:v_last] := v_back_stale;
        v_words[v_i:v_last] := v_back_words;
      end if;
      v_waits := greatest(v_ready[v_i], v_free[lane], v_next[v_channel_of[lane]]);
      v_at := greatest(v_waits, v_group_next);
      if v_best is null or v_at < v_best_at or (v_at = v_best_at
          and (v_waits, v_due[v_i], v_ids[v_i]) < (v_best_waits, v_due[v_head[v_best]], v_ids[v_head[v_best]])
          and ((v_channels[v_channel_of[lane]]).catchup = 'paced' or v_channel_of[lane] <> v_channel_of[v_best])) then
        v_best := lane;
        v_best_at := v_at;
        v_best_waits := v_waits;
      end if;
    end loop;
    exit when v_best is null;

    v_i := v_head[v_best];
    v_any.scheduled_for := case when v_exact[v_best] then p_now end;
    -- When its turn comes, the channel may be closed again.
    if isfinite(v_best_at) and v_best_at > v_free[v_best] and v_best_at <= p_until then
      select coalesce(f.free_at, 'infinity') into v_at
      from delivery.next_free(v_any, v_channels[v_channel_of[v_best]], v_best_at) f;
      if v_at > v_best_at then
        v_reason[v_best] := delivery.delivery_block(v_any, v_channels[v_channel_of[v_best]], v_best_at);
        v_free[v_best] := v_at;
        v_pushed[v_best] := isfinite(v_at);
        continue;
      end if;
    end if;

    delivery_id := v_ids[v_i];
    due_at := v_due[v_i];
    at := v_best_at;
    reason := case when v_best_at > greatest(v_free[v_best], v_due[v_i]) + c_at_once then 'rate_gate'
                   else coalesce(v_reason[v_best], v_words[v_i]) end;
    if v_stale_at[v_i] < v_best_at then
      fate := case (v_channels[v_channel_of[v_best]]).on_stale when 'drop' then 'dropped' else 'held' end;
      at := greatest(v_stale_at[v_i], due_at);
    elsif not isfinite(v_best_at) then
      fate := 'stopped';
      at := null;
      reason := v_reason[v_best];
    else
      fate := case when v_best_at <= p_until then 'sent' else 'later' end;
      v_next[v_channel_of[v_best]] := v_best_at + coalesce(v_gap[v_channel_of[v_best]], '0');
      v_group_next := case when v_group_gap is null then '-infinity' else v_best_at + v_group_gap end;
    end if;
    return next;
    v_head[v_best] := v_i + 1;
    -- The next one waits for the same opening, unless its own time is later.
    if v_head[v_best] <= v_end[v_best] and v_due[v_i + 1] > v_free[v_best] then
      v_free[v_best] := null;
    end if;
  end loop;
end
$$;

-- What keeps a delivery in the words of delivery.why: a block that ends no sooner than its own time comes, or one that is active then.
create or replace function delivery.plan_block(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_own_time timestamptz, p_now timestamptz default now()
) returns text
language sql stable as $$
  select case when delivery.block_ends_at(b.block, p_channel, p_now) >= p_own_time then b.block
              else delivery.delivery_block(p_delivery, p_channel, p_own_time) end
  from (select delivery.delivery_block(p_delivery, p_channel, p_now) as block offset 0) b
$$;
