-- Items that a source still lists keep their receipts for another three days, written at most once a day.
create or replace function delivery.renew_pull_receipts(
  p_workspace_id uuid, p_source_id text, p_refs text[], p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.pull_receipts
  set expires_at = p_now + interval '3 days'
  where workspace_id = p_workspace_id and source_id = p_source_id
    and source_ref in (select delivery.short_ref(ref) from unnest(p_refs) as ref)
    and expires_at < p_now + interval '2 days'
$$;
