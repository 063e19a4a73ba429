-- Corrects a post or takes it back, in each of its deliveries. `p_items` has an element for each:
--   {"delivery_id", "text", "meta", "template_version"?}   the new post as it was compiled for its channel (`edit`)
--   {"delivery_id"}                                         (`remove`)
--   {…, "unchanged": true}                                  readers see this already
--   {"delivery_id", "error": {code, message}}               its platform cannot do it
-- A waiting delivery gets the new content, or is cancelled. One that is being sent, or may have arrived, is corrected after
-- that. Returns the action for each: `edit`, `remove`, `after_sending`, `replaced`, `cancelled`, `none`, `refused`; with a code
-- and a sentence for the last two.
create or replace function delivery.enqueue_corrections(
  p_workspace_id uuid, p_kind text, p_payload jsonb, p_items jsonb, p_operator text, p_reason text, p_now timestamptz default now()
) returns table (delivery_id uuid, correction_id uuid, action text, code text, detail text)
language plpgsql as $$
#variable_conflict use_column
declare
  v_by        constant jsonb := delivery.operator_meta(p_operator, p_reason);
  v_ids       constant uuid[] := array(select (i ->> 'delivery_id')::uuid from jsonb_array_elements(p_items) as i);
  v_revisions jsonb := '{}';
  v_delivery  delivery.deliveries;
  v_row       delivery.corrections;
  v_item      jsonb;
begin
  for v_delivery in
    select * from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids)
    order by d.delivery_id for update
  loop
    select i into v_item from jsonb_array_elements(p_items) as i where (i ->> 'delivery_id')::uuid = v_delivery.delivery_id limit 1;
    delivery_id := v_delivery.delivery_id;
    correction_id := null;
    select r.action, r.code, r.detail into action, code, detail from delivery.correction_action(v_delivery, p_kind, v_item) r;

    if action = 'cancelled' then
      perform delivery.cancel(p_workspace_id, array[v_delivery.delivery_id], p_operator, p_reason, p_now);
    elsif action <> 'none' then
      if p_kind = 'edit' and not v_revisions ? v_delivery.message_id::text then
        v_revisions := v_revisions || jsonb_build_object(v_delivery.message_id, delivery.add_revision(
          p_workspace_id, v_delivery.message_id, p_payload, v_by, p_now));
      end if;
      if action = 'replaced' then
        perform delivery.replace_waiting(v_delivery, v_item,
          v_by || jsonb_build_object('revision_id', v_revisions -> v_delivery.message_id::text), p_now);
      elsif action = 'refused' and v_delivery.status <> 'sent' then
        -- A delivery that was never sent needs no correction; its own events say what happens to it.
        null;
      else
        if action = 'refused' then
          v_item := v_item || jsonb_build_object('error', jsonb_build_object('code', code, 'message', detail));
        end if;
        v_row := delivery.add_correction(v_delivery, p_kind, (v_revisions ->> v_delivery.message_id::text)::uuid, v_item, v_by, p_now);
        correction_id := v_row.correction_id;
      end if;
    end if;
    return next;
  end loop;
  perform pg_notify('molva_deliveries', p_workspace_id || '/corrections');
end
$$;

-- What becomes of one delivery; the caller holds its lock. The one place that decides it, for those who look before too.
-- By corrections_of_delivery: a plan that was kept since the table was small would read all corrections of the workspace.
create or replace function delivery.correction_action(
  p_delivery delivery.deliveries, p_kind text, p_item jsonb, out action text, out code text, out detail text
)
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
declare
  v_live record;
begin
  -- The kinds of corrections that wait or are in progress.
  select bool_or(c.kind = 'remove') as removal, count(*) as count into v_live from delivery.corrections c
  where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id
    and c.status in ('queued', 'retry', 'sending');
  if p_delivery.status in ('deduped', 'failed_permanent', 'dead') then
    action := 'none';
    code := 'not_sent';
    detail := 'it was never sent';
  elsif p_delivery.withdrawn_at is not null then
    action := case p_kind when 'remove' then 'none' else 'refused' end;
    code := 'withdrawn';
    detail := 'it was taken back';
  elsif v_live.removal then
    action := case p_kind when 'remove' then 'none' else 'refused' end;
    code := 'being_withdrawn';
    detail := 'it is being taken back';
  elsif p_item -> 'error' is not null then
    action := 'refused';
    code := p_item #>> '{error,code}';
    detail := p_item #>> '{error,message}';
  elsif p_delivery.status in ('queued', 'claimed', 'retry') and not delivery.is_in_doubt(p_delivery) then
    action := case p_kind when 'edit' then 'replaced' else 'cancelled' end;
  elsif p_delivery.status <> 'sent' then
    action := 'after_sending';
  elsif p_item -> 'unchanged' = 'true' and v_live.count = 0 then
    action := 'none';
    code := 'unchanged';
    detail := 'readers see this already';
  else
    action := p_kind;
  end if;
end
$$;

create or replace function delivery.add_revision(
  p_workspace_id uuid, p_message_id uuid, p_payload jsonb, p_by jsonb, p_now timestamptz default now()
) returns uuid
language sql as $$
  insert into delivery.revisions (workspace_id, revision_id, message_id, payload, operator, reason, created_at)
  values (p_workspace_id, molva.uuidv7(p_now), p_message_id, p_payload, p_by ->> 'operator', p_by ->> 'reason', p_now)
  returning revision_id
$$;

-- A waiting post is sent with its new content. The caller has locked the row, and the content is read when the delivery
-- starts.
create or replace function delivery.replace_waiting(
  p_delivery delivery.deliveries, p_item jsonb, p_meta jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.deliveries d
  set rendered_text = p_item ->> 'text', render_meta = p_item -> 'meta', template_version = p_item ->> 'template_version',
      updated_at = p_now
  where d.workspace_id = p_delivery.workspace_id and d.delivery_id = p_delivery.delivery_id;
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
  values (p_delivery.workspace_id, molva.uuidv7(p_now), p_delivery.delivery_id, p_delivery.message_id, p_delivery.channel_id, p_now,
          'post_replaced', p_delivery.attempt, 'ok', p_meta);
$$;

-- One more correction of a delivery; an older one that still waits is superseded. By corrections_of_delivery, as above.
create or replace function delivery.add_correction(
  p_delivery delivery.deliveries, p_kind text, p_revision_id uuid, p_item jsonb, p_by jsonb, p_now timestamptz default now()
) returns delivery.corrections
language plpgsql
set plan_cache_mode = force_custom_plan
as $$
declare
  v_error constant jsonb := case when p_item -> 'error' is not null then
    '{"category": "PERMANENT", "scope": "delivery"}' || (p_item -> 'error') end;
  v_old   delivery.corrections;
  v_new   delivery.corrections;
begin
  if v_error is null then
    update delivery.corrections c set status = 'superseded', ended_at = p_now, updated_at = p_now
    where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id and c.status in ('queued', 'retry')
    returning * into v_old;
  end if;
  insert into delivery.corrections (
    workspace_id, correction_id, delivery_id, message_id, channel_id, number, kind, revision_id, status, due_at, last_error,
    rendered_text, render_meta, template_version, operator, reason, ended_at, created_at, updated_at)
  select p_delivery.workspace_id, molva.uuidv7(p_now), p_delivery.delivery_id, p_delivery.message_id, p_delivery.channel_id,
    coalesce(max(c.number), 0) + 1, p_kind, p_revision_id, case when v_error is null then 'queued' else 'failed_permanent' end,
    -- A request of the older one may still arrive until its next attempt would have been due, so the newer one waits until
    -- then.
    greatest(p_now, v_old.due_at), v_error, p_item ->> 'text', coalesce(p_item -> 'meta', '{}'), p_item ->> 'template_version',
    p_by ->> 'operator', p_by ->> 'reason', case when v_error is not null then p_now end, p_now, p_now
  from delivery.corrections c
  where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id
  returning * into v_new;
  if v_old.correction_id is not null then
    perform delivery.correction_event(v_old, 'correction_superseded', 0, null,
      jsonb_build_object('by', v_new.correction_id), p_now);
  end if;
  perform delivery.correction_event(v_new, case when v_error is null then 'correction_queued' else 'correction_failed' end, 1, v_error,
    p_by || jsonb_build_object('revision_id', p_revision_id), p_now);
  return v_new;
end
$$;
