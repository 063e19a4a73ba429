-- What the platform's compile needs before a post is enqueued: the normal form, and one example of each channel profile
-- that the post would reach, with the template that its channels are written by.
-- Channels are found through channels_route, as enqueue finds them.
create or replace function delivery.prepare_post(p_workspace_id uuid, p_raw jsonb)
returns table (payload jsonb, profiles jsonb)
language plpgsql stable as $$
declare
  v_payload jsonb := delivery.normalize(p_raw);
  v_tags    text[] := delivery.tags_of(p_raw, v_payload);
  v_to_all  text[] := case when p_raw -> 'tagged_only' = 'true' then '{}' else array['*'] end;
begin
  return query
    select v_payload, coalesce(jsonb_agg(
      jsonb_build_object('key', c.profile_key, 'platform', c.platform, 'target_id', c.target_id,
                         'send_mode', c.send_mode, 'settings', c.settings)
      || case when c.template_ref is null then '{}' else jsonb_build_object(
           'template_ref', c.template_ref, 'template', delivery.active_template(p_workspace_id, c.template_ref)) end), '[]')
    from (
      select distinct on (c.profile_key) c.profile_key, c.platform, c.target_id, c.send_mode, c.settings, c.template_ref
      from delivery.channels c
      where c.enabled and c.workspace_id = p_workspace_id
        and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || v_to_all) as t)
        and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
      order by c.profile_key
    ) c;
end
$$;
