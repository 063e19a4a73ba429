-- Stores the result of reading a page: `p_findings` is a list of {"code", "message", …}, empty if there are no errors. With
-- `p_may_pass` it is read again while there are attempts left. Returns the result: again, in_order, faulty; null if the step
-- does not belong to the caller any more.
create or replace function delivery.settle_page_read(
  p_workspace_id uuid, p_delivery_id uuid, p_try int, p_findings jsonb, p_may_pass boolean, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_found    constant jsonb := workspaces.redact(p_findings);
  v_page     delivery.page_checks;
  v_delivery delivery.deliveries;
  v_pause    interval;
begin
  select * into v_page from delivery.page_checks p
  where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id and p.step = 'read' and p.tries = p_try
    and p.taken_until is not null
  for update;
  if not found then
    return null;
  end if;
  select * into v_delivery from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  if p_may_pass and v_found <> '[]' then
    v_pause := delivery.page_pause('read', p_try);
  end if;

  if v_pause is not null then
    update delivery.page_checks p
    set due_at = p_now + v_pause, taken_until = null, read_at = p_now, findings = v_found
    where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id;
    perform delivery.wake_page(p_workspace_id, p_delivery_id, p_now + v_pause);
    perform delivery.note_page(v_delivery, 'page_check_retry', v_found -> 0, jsonb_build_object(
      'url', v_page.url, 'tries', p_try, 'next_at', p_now + v_pause, 'findings', v_found), p_now);
    return 'again';
  end if;

  perform delivery.note_page(v_delivery, 'page_checked', v_found -> 0, jsonb_build_object(
    'url', v_page.url, 'tries', p_try, 'findings', v_found), p_now);
  if v_found = '[]' and exists (
    select from delivery.indexnow_keys k
    where k.workspace_id = p_workspace_id and k.channel_id = v_page.channel_id and k.verified_at is not null
  ) then
    update delivery.page_checks p
    set step = 'tell', due_at = p_now, tries = 0, taken_until = null, read_at = p_now, in_order = true, findings = v_found
    where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id;
    perform delivery.wake_page(p_workspace_id, p_delivery_id, p_now);
    return 'in_order';
  end if;
  update delivery.page_checks p
  set step = 'done', due_at = null, taken_until = null, read_at = p_now, in_order = v_found = '[]', findings = v_found
  where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id;
  if v_found <> '[]' and v_delivery.addressed then
    perform delivery.tell_product(v_delivery, 'sent', false, jsonb_build_object('url', v_page.url, 'findings', v_found), p_now);
  end if;
  return case v_found when '[]' then 'in_order' else 'faulty' end;
end
$$;

create or replace function delivery.note_page(
  p_delivery delivery.deliveries, p_action text, p_error jsonb, p_meta jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  values (p_delivery.workspace_id, molva.uuidv7(p_now), p_delivery.delivery_id, p_delivery.message_id, p_delivery.channel_id, p_now,
    p_action, p_delivery.attempt, case when p_error is null then 'ok' else 'error' end, p_error, p_meta)
$$;
