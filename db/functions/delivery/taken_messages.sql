-- Which of these messages of a provider other deliveries of the channel have on record as theirs. Uses
-- deliveries_provider_message and deliveries_provider_parts; of deliveries under way, deliveries_inflight.
create or replace function delivery.taken_messages(
  p_workspace_id uuid, p_channel_id uuid, p_delivery_id uuid, p_ids text[]
) returns setof text
language plpgsql stable
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
  select d.provider_message_id from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.delivery_id <> p_delivery_id
    and d.provider_message_id = any (p_ids)
  union
  select i.id
  from unnest(p_ids) as i (id)
  join delivery.deliveries d
    on d.provider_meta #> '{raw,messages}' @> jsonb_build_array(jsonb_build_object('id', i.id))
    and d.provider_meta @? '$.raw.messages[1].id'
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.delivery_id <> p_delivery_id
  union
  select part.id
  from delivery.deliveries d
  cross join jsonb_array_elements_text(d.render_meta #> '{series_progress,provider_message_ids}') as part (id)
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.delivery_id <> p_delivery_id
    and d.status in ('queued', 'claimed', 'sending', 'retry')
    and d.render_meta ? 'series_progress' and part.id = any (p_ids);
end
$$;
