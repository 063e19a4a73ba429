-- What a correction that reached the site means for the page: a changed page is read once more, a removed one is not read any
-- more. A reading in progress continues: if it finds differences, it reads again, and then sees the page as it is now.
create or replace function delivery.page_after_correction(p_correction delivery.corrections, p_now timestamptz default now())
returns void
language plpgsql as $$
declare
  v_due constant timestamptz := p_now + delivery.page_pause('read', 0);
begin
  if p_correction.kind = 'remove' then
    update delivery.page_checks p set step = 'done', due_at = null, taken_until = null
    where p.workspace_id = p_correction.workspace_id and p.delivery_id = p_correction.delivery_id and p.step <> 'done';
    return;
  end if;
  update delivery.page_checks p set step = 'read', due_at = v_due, tries = 0, taken_until = null
  where p.workspace_id = p_correction.workspace_id and p.delivery_id = p_correction.delivery_id
    and coalesce(p.taken_until, '-infinity') <= p_now;
  if found then
    perform delivery.wake_page(p_correction.workspace_id, p_correction.delivery_id, v_due);
  end if;
end
$$;
