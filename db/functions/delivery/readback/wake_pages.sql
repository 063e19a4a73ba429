-- Wakes overdue steps that nobody works on, because their job is gone or failed. Returns their number.
create or replace function delivery.wake_pages(p_now timestamptz default now()) returns int
language plpgsql as $$
declare
  v_page  record;
  v_woken int := 0;
begin
  for v_page in
    select p.workspace_id, p.delivery_id from delivery.page_checks p
    where p.due_at < p_now - interval '5 minutes' and coalesce(p.taken_until, '-infinity') <= p_now
    order by p.due_at
    limit 1000
    for update skip locked
  loop
    -- Due again from now, so that it is not woken every time while no process runs jobs.
    update delivery.page_checks p set due_at = p_now
    where p.workspace_id = v_page.workspace_id and p.delivery_id = v_page.delivery_id;
    perform delivery.wake_page(v_page.workspace_id, v_page.delivery_id, p_now);
    v_woken := v_woken + 1;
  end loop;
  return v_woken;
end
$$;
