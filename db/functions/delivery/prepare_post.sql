-- What the platform's compile needs before a post is enqueued: the normal form, and one example of each channel profile
-- that the post would reach.
create or replace function delivery.prepare_post(p_workspace_id uuid, p_raw jsonb)
returns table (payload jsonb, profiles jsonb)
language plpgsql stable as $$
declare
  v_payload jsonb := delivery.normalize(p_raw);
  v_tags    text[] := delivery.tags_of(p_raw, v_payload);
begin
  return query
    select v_payload, coalesce(jsonb_agg(profile), '[]')
    from (
      select distinct on (c.profile_key)
        jsonb_build_object('key', c.profile_key, 'platform', c.platform, 'target_id', c.target_id,
                           'send_mode', c.send_mode, 'settings', c.settings) as profile
      from delivery.channels c
      where c.workspace_id = p_workspace_id and c.enabled and delivery.route_matches(c.route_filter, v_tags)
      order by c.profile_key
    ) as distinct_profiles;
end
$$;
