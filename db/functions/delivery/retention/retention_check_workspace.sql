create or replace function delivery.retention_check_workspace() returns trigger
language plpgsql as $$
declare
  v_fault   text := delivery.retention_fault(new.settings);
  v_days    int;
  v_channel record;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
  end if;
  if tg_op = 'UPDATE' then
    select deliveries_days into v_days from delivery.retention_of(new.settings);
    select channel_id, coalesce(dedup_ttl_hours, 168) as hours into v_channel
    from delivery.channels
    where workspace_id = new.workspace_id and coalesce(dedup_ttl_hours, 168) > v_days * 24
    limit 1;
    if found then
      raise exception 'deliveries cannot be kept for only % days: channel % recognises repeats for % hours',
          v_days, v_channel.channel_id, v_channel.hours
        using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
    end if;
    -- A shorter retention applies to what is already stored; a longer one does not extend it.
    update delivery.payloads
    set expires_at = created_at + make_interval(days => r.payloads_days)
    from delivery.retention_of(new.settings) r
    where workspace_id = new.workspace_id and expires_at > created_at + make_interval(days => r.payloads_days);
  end if;
  return new;
end
$$;
