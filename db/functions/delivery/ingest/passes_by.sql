-- Why a channel does not take a post with these tags: the first filter that excludes it; null if the channel takes it.
create or replace function delivery.passes_by(p_channel delivery.channels, p_tags text[], p_tagged_only boolean) returns text
language sql immutable parallel safe as $$
  select case
    when not p_channel.enabled then 'disabled'
    when p_channel.addressed_only then 'addressed_only'
    when p_channel.route_none && p_tags then 'exclude'
    when p_channel.route_any <> '{}' and not p_channel.route_any && p_tags then 'include_any'
    when not p_channel.route_all <@ p_tags then 'include_all'
    when p_tagged_only and p_channel.route_any = '{}' and p_channel.route_all = '{}' then 'takes_everything'
  end
$$;
