-- Stores the result of telling search engines of a page: {"code", "message", "status"?}, `p_error` if it failed. With
-- `p_again` it is retried while there are attempts left, `p_retry_after` later at the earliest. A refused key is not used
-- until its file was checked again. Returns again or done; null if the step does not belong to the caller any more.
create or replace function delivery.settle_page_told(
  p_workspace_id uuid, p_delivery_id uuid, p_try int, p_said jsonb, p_error boolean, p_again boolean, p_retry_after interval,
  p_key_refused boolean, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_said     constant jsonb := workspaces.redact(p_said);
  v_page     delivery.page_checks;
  v_delivery delivery.deliveries;
  v_pause    interval;
begin
  select * into v_page from delivery.page_checks p
  where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id and p.step = 'tell' and p.tries = p_try
    and p.taken_until is not null
  for update;
  if not found then
    return null;
  end if;
  select * into v_delivery from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  if p_again then
    v_pause := delivery.page_pause('tell', p_try);
  end if;
  if v_pause is not null then
    v_pause := greatest(v_pause, p_retry_after);
  end if;

  update delivery.page_checks p
  set step = case when v_pause is null then 'done' else 'tell' end, due_at = p_now + v_pause, taken_until = null,
      told_at = p_now, told = v_said || jsonb_build_object('ok', not p_error)
  where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id;
  if p_key_refused then
    update delivery.indexnow_keys k set verified_at = null, fault = v_said, updated_at = p_now
    where k.workspace_id = p_workspace_id and k.channel_id = v_page.channel_id;
  end if;
  perform delivery.note_page(v_delivery, case when v_pause is null then 'indexnow_told' else 'indexnow_retry' end,
    case when p_error then v_said end, jsonb_strip_nulls(jsonb_build_object(
      'url', v_page.url, 'tries', p_try, 'said', v_said, 'next_at', p_now + v_pause)), p_now);
  if v_pause is null then
    return 'done';
  end if;
  perform delivery.wake_page(p_workspace_id, p_delivery_id, p_now + v_pause);
  return 'again';
end
$$;
