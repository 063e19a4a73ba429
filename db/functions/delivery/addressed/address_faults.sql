-- The errors in the channels that a post names: none of them may belong to another workspace, be disabled, or be somebody
-- else's connection. A product publishes to connections of one user; without an owner, a post must not name connections.
create or replace function delivery.address_faults(
  p_workspace_id uuid, p_channel_ids uuid[], p_product text default null, p_user text default null
) returns table (pointer text, detail text)
language sql stable as $$
  select '/channel_ids/' || (g.place - 1), case
      when c.channel_id is null then format('There is no channel %s in this workspace.', g.id)
      when p_product is null and c.addressed_only then format('The channel %s is a connection: only the product it belongs to may address it.', g.id)
      when p_product is not null and not c.addressed_only then format('The channel %s is no connection of this product.', g.id)
      when (c.owner_product, c.owner_user) <> (p_product, p_user) then format('The channel %s belongs to somebody else.', g.id)
      else format('The channel %s is disabled: enable it, or leave it out.', g.id)
    end
  from unnest(p_channel_ids) with ordinality as g (id, place)
  left join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = g.id
  where c.channel_id is null or not c.enabled or c.addressed_only <> (p_product is not null)
    or (c.owner_product, c.owner_user) is distinct from (p_product, p_user)
  order by g.place
$$;

-- All errors in one text, each with its place; null if there are none.
create or replace function delivery.address_fault(p_workspace_id uuid, p_channel_ids uuid[], p_product text, p_user text) returns text
language sql stable as $$
  select string_agg(f.pointer || ' ' || f.detail, E'\n' order by f.pointer)
  from delivery.address_faults(p_workspace_id, p_channel_ids, p_product, p_user) f
$$;
