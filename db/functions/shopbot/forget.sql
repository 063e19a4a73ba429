-- Deletes what is older than that many days; open dialogues are always younger.
create or replace function shopbot.forget(p_days int default 90, p_limit int default 10000, p_now timestamptz default now())
returns int
language plpgsql as $$
declare
  v_before constant timestamptz := p_now - make_interval(days => p_days);
  v_count  int := 0;
  v_some   int;
begin
  delete from shopbot.bot_inbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_inbox n
      where n.workspace_id = b.workspace_id and n.received_at < v_before and n.processed_at is not null
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_outbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_outbox n
      where n.workspace_id = b.workspace_id and n.created_at < v_before and n.status in ('sent', 'failed')
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_logs i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_logs n
      where n.workspace_id = b.workspace_id and n.ts < v_before
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  return v_count + v_some;
end
$$;
