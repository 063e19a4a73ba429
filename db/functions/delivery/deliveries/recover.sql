-- Requeues up to `p_limit` of them and returns them; fewer rows than that mean that none are left. Null for `p_channels`
-- means all channels.
create or replace function delivery.recover(
  p_workspace_id uuid, p_since timestamptz, p_channels uuid[], p_operator text, p_reason text, p_limit int default 1000,
  p_now timestamptz default now()
) returns table (delivery_id uuid, channel_id uuid, was text, code text)
language plpgsql as $$
#variable_conflict use_column
begin
  return query
  with chosen as materialized (
    select r.delivery_id, r.channel_id, r.status, r.last_error ->> 'code' as code
    from delivery.recoverable(p_workspace_id, p_since, p_channels, p_limit, p_now) r
  ),
  sent_again as materialized (
    select s.delivery_id from delivery.send_again(
      p_workspace_id, array(select c.delivery_id from chosen c), true, p_operator, p_reason, p_now) s
    where s.refusal is null
  )
  select c.delivery_id, c.channel_id, c.status, c.code from chosen c join sent_again using (delivery_id);
end
$$;
