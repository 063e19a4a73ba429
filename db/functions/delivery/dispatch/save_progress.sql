-- Records that one more request of a series was acknowledged, at once, so that a retry sends only the rest.
create or replace function delivery.save_progress(
  p_workspace_id uuid, p_delivery_id uuid, p_token text, p_index int, p_provider_message_id text
) returns boolean
language plpgsql as $$
begin
  update delivery.deliveries d
  set render_meta = jsonb_set(d.render_meta, '{series_progress}', jsonb_build_object(
        'provider_message_ids', (
          select jsonb_agg(case when i = p_index then to_jsonb(p_provider_message_id)
                                else coalesce(d.render_meta #> array['series_progress', 'provider_message_ids', i::text], 'null') end
                           order by i)
          from generate_series(0, greatest(p_index,
            coalesce(jsonb_array_length(d.render_meta #> '{series_progress,provider_message_ids}'), 0) - 1)) as i)))
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
    and d.status = 'sending' and d.claim_token = p_token;
  return found;
end
$$;
