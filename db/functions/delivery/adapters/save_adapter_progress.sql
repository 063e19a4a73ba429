-- Records that one more part of a series was acknowledged.
create or replace function delivery.save_adapter_progress(
  p_workspace_id uuid, p_call_key text, p_index int, p_provider_message_id text
) returns void
language sql as $$
  update delivery.adapter_calls c
  set progress = (
    select jsonb_agg(case when i = p_index then to_jsonb(p_provider_message_id) else coalesce(c.progress -> i, 'null') end order by i)
    from generate_series(0, greatest(p_index, jsonb_array_length(c.progress) - 1)) as i)
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$$;
