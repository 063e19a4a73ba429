-- What the platform's compile needs before a post is enqueued: its normal form, and one example of each channel profile that
-- it would reach, with the channels' template. If there are errors, only these are returned. A product that publishes for a
-- user passes itself and the user.
create or replace function delivery.prepare_post(
  p_workspace_id uuid, p_raw jsonb, p_product text default null, p_user text default null
) returns table (fault text, post jsonb, profiles jsonb)
language plpgsql stable as $$
declare
  v_fault text := delivery.post_fault(p_raw);
  v_post  jsonb := case when v_fault is null then delivery.normal_post(p_raw) end;
  v_tags  text[] := array(select jsonb_array_elements_text(v_post -> 'tags'));
  v_named uuid[];
begin
  if v_post ? 'channel_ids' then
    v_named := array(select id::uuid from jsonb_array_elements_text(v_post -> 'channel_ids') as id);
    v_fault := delivery.address_fault(p_workspace_id, v_named, p_product, p_user);
  end if;
  if v_fault is not null then
    return query select v_fault, null::jsonb, '[]'::jsonb;
    return;
  end if;
  return query
    select null::text, v_post, coalesce(jsonb_agg(
      jsonb_build_object('key', c.profile_key, 'platform', c.platform, 'target_id', c.target_id,
                         'send_mode', c.send_mode, 'settings', c.settings)
      || case when c.template_ref is null then '{}' else jsonb_build_object(
           'template_ref', c.template_ref, 'template', delivery.active_template(p_workspace_id, c.template_ref)) end), '[]')
    from (
      select distinct on (c.profile_key) c.profile_key, c.platform, c.target_id, c.send_mode, c.settings, c.template_ref
      from delivery.recipients_of(p_workspace_id, v_tags, (v_post -> 'tagged_only')::boolean, v_named) c
      order by c.profile_key
    ) c;
end
$$;
