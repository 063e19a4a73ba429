-- Gives a rate group that has no limit yet the pace that its provider allows an account, so that many channels of one account
-- do not run into the provider's refusals together. An operator's limit stays, also one without a rate.
create or replace function delivery.keep_account_rate(
  p_workspace_id uuid, p_platform text, p_rate_group text, p_operator text, p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_rate constant numeric := delivery.platform_facts() #>> array[p_platform, 'limits', 'perAccountPerSecond'];
begin
  if v_rate is null then
    return;
  end if;
  insert into delivery.platform_limits (workspace_id, platform, rate_group, rate_rps, updated_at)
  values (p_workspace_id, p_platform, p_rate_group, v_rate, p_now)
  on conflict (workspace_id, platform, rate_group) do nothing;
  if found then
    perform workspaces.note_change(p_workspace_id, null, 'config_changed', p_operator, null, jsonb_build_object(
      'object', 'limit', 'platform', p_platform, 'rate_group', p_rate_group, 'rate_rps', v_rate, 'created', true), p_now);
  end if;
end
$$;
