-- The channels that get a post: the only function that decides it, before the enqueue and during it. Uses channels_route,
-- which holds for each channel one tag that a post for it must have. A post that names its channels goes to these and to no
-- others; address_faults checks whether it may name them. Written so that the planner inlines it into the calling query, and
-- skips the half that does not apply.
create or replace function delivery.recipients_of(
  p_workspace_id uuid, p_tags text[], p_tagged_only boolean, p_channel_ids uuid[] default null
)
returns setof delivery.channels
language sql stable as $$
  select c.*
  from delivery.channels c
  where p_channel_ids is null and c.enabled and not c.addressed_only and c.workspace_id = p_workspace_id
    and c.route_keys && array(
      select p_workspace_id || ' ' || t from unnest(p_tags || case when p_tagged_only then '{}' else array['*'] end) as t)
    and delivery.passes_by(c, p_tags, p_tagged_only) is null
  union all
  select c.*
  from delivery.channels c
  where p_channel_ids is not null and c.enabled and c.workspace_id = p_workspace_id and c.channel_id = any (p_channel_ids)
$$;
