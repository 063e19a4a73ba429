-- Events have no foreign keys, so that writing them stays cheap; this checks afterwards whether the rows that they refer to
-- exist. One reader follows the end of the trail, the other goes through everything that is kept, because a row may also
-- disappear later. Both read at most `p_limit` events per call and continue in the next.
create or replace function delivery.orphan_reconcile(
  p_workspace_id uuid default null,
  p_limit        int default 20000,
  p_kept         interval default interval '90 days',
  p_now          timestamptz default now()
) returns table (scanned bigint, orphans bigint)
language plpgsql as $$
declare
  v_left      int := p_limit;
  v_workspace uuid;
  v_reader    text;
  v_read      record;
begin
  scanned := 0;
  orphans := 0;
  -- Workspaces that were read longest ago come first, so that a busy one does not starve the others.
  for v_workspace in
    select s.workspace_id from delivery.health_scope(p_workspace_id) s
    left join delivery.orphan_cursors c on c.workspace_id = s.workspace_id and c.reader = 'fresh'
    order by c.moved_at nulls first, s.workspace_id
  loop
    foreach v_reader in array array['fresh', 'round'] loop
      exit when v_left <= 0;
      select * into v_read from delivery.orphan_read(v_workspace, v_reader, v_left, p_kept, p_now);
      scanned := scanned + v_read.scanned;
      orphans := orphans + v_read.orphans;
      v_left := v_left - v_read.scanned;
    end loop;
  end loop;
  return next;
end
$$;
