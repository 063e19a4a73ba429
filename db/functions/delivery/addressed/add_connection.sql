-- Adds a user's connection of a product, under the product's own key; if the same user adds it again, it is renewed. Returns
-- its channel and 'added' or 'renewed', or why not: 'taken' (the key belongs to somebody else), 'too_many' with the time from
-- which on the user may add more.
create or replace function delivery.add_connection(
  p_workspace_id uuid, p_product text, p_user text, p_key text, p_fields jsonb, p_operator text, p_now timestamptz default now(),
  out outcome text, out channel_id uuid, out wait_until timestamptz
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_known delivery.channels;
begin
  -- Two concurrent calls with one key create one connection.
  perform pg_advisory_xact_lock(hashtextextended(
    jsonb_build_array('delivery.channels', p_workspace_id, p_product, p_key)::text, 0));
  select * into v_known from delivery.channels c
  where c.workspace_id = p_workspace_id and c.owner_product = p_product and c.connection_key = p_key and c.addressed_only
  for update;
  if found and (v_known.owner_user, v_known.platform) is distinct from (p_user, p_fields ->> 'platform') then
    outcome := 'taken';
    return;
  end if;
  if not found then
    wait_until := delivery.take_connection_turn(p_workspace_id, p_product, p_user, p_now);
    if wait_until is not null then
      outcome := 'too_many';
      return;
    end if;
    outcome := 'added';
    insert into delivery.channels (
      workspace_id, channel_id, platform, target_id, title, auth_ref, rate_group, settings, send_mode, addressed_only,
      owner_product, owner_user, connection_key, created_at, updated_at)
    values (
      p_workspace_id, molva.uuidv7(p_now), p_fields ->> 'platform', p_fields ->> 'target_id', p_fields ->> 'title',
      p_fields ->> 'auth_ref', coalesce(p_fields ->> 'rate_group', p_fields ->> 'auth_ref'), coalesce(p_fields -> 'settings', '{}'),
      coalesce(p_fields ->> 'send_mode', 'mixed'), true, p_product, p_user, p_key, p_now, p_now)
    returning channels.channel_id into channel_id;
  else
    outcome := 'renewed';
    channel_id := v_known.channel_id;
    -- The credential that is given now replaces earlier ones.
    delete from delivery.channel_auth a where a.workspace_id = p_workspace_id and a.channel_id = v_known.channel_id;
    update delivery.channels c
    set target_id = p_fields ->> 'target_id', title = coalesce(p_fields ->> 'title', c.title), auth_ref = p_fields ->> 'auth_ref',
        rate_group = coalesce(p_fields ->> 'rate_group', p_fields ->> 'auth_ref'),
        settings = coalesce(p_fields -> 'settings', c.settings), send_mode = coalesce(p_fields ->> 'send_mode', c.send_mode),
        updated_at = p_now
    where c.workspace_id = p_workspace_id and c.channel_id = v_known.channel_id;
    perform delivery.connection_works(p_workspace_id, v_known.channel_id, 'renewed', p_now);
  end if;
  perform workspaces.note_change(p_workspace_id, channel_id, 'channel_changed', p_operator, null, jsonb_build_object(
    case outcome when 'added' then 'created' else 'renewed' end, true, 'platform', p_fields ->> 'platform',
    'target_id', p_fields ->> 'target_id', 'product', p_product, 'user', p_user, 'key', p_key), p_now);
end
$$;
