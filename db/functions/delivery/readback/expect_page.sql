-- A post that is a public page was sent: it is read from the time on at which readers can open it. A trigger has no p_now:
-- the time of the change is in the row.
create or replace function delivery.expect_page() returns trigger
language plpgsql as $$
declare
  v_due constant timestamptz := delivery.page_pause('read', 0)
    + greatest(new.updated_at, (new.provider_meta #>> '{page,public_from}')::timestamptz);
begin
  insert into delivery.page_checks (workspace_id, delivery_id, channel_id, url, due_at)
  values (new.workspace_id, new.delivery_id, new.channel_id, new.provider_meta ->> 'url', v_due)
  on conflict (workspace_id, delivery_id) do nothing;
  if found then
    perform delivery.wake_page(new.workspace_id, new.delivery_id, v_due);
  end if;
  return null;
end
$$;
