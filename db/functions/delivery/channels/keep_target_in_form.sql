-- Normalises targets, whoever writes them. A second channel on a chat is refused unless allow_duplicate is set; then it gets
-- a numbered suffix, because the target is part of the table's key. Connections have another key.
create or replace function delivery.keep_target_in_form() returns trigger
language plpgsql as $$
declare
  v_read record := delivery.read_target(new.platform, new.target_id);
  v_plain text;
begin
  if tg_op = 'UPDATE' then
    if new.target_id = old.target_id and new.platform = old.platform then
      return new;
    end if;
    -- The name belonged to the previous chat.
    if new.target_name is not distinct from old.target_name then
      new.target_name := null;
    end if;
  end if;
  if v_read.fault is not null then
    raise exception '%', v_read.fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = 'target_id', constraint = 'target_valid';
  end if;
  v_plain := regexp_replace(v_read.target, '#[0-9]+$', '');
  new.target_id := v_read.target;
  if new.addressed_only then
    new.target_id := v_plain;
    return new;
  end if;
  if new.allow_duplicate then
    for v_number in 2 .. 1000 loop
      exit when not exists (
        select from delivery.channels c
        where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_id = new.target_id
          and c.channel_id <> new.channel_id and not c.addressed_only);
      new.target_id := v_plain || '#' || v_number;
    end loop;
    return new;
  end if;
  new.target_id := v_plain;
  -- An equal target is left to the unique key, so that "on conflict" works.
  if exists (
    select from delivery.channels c
    where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_name = v_plain
      and c.channel_id <> new.channel_id and not c.addressed_only
  ) then
    raise exception 'The workspace already has a channel on this chat.'
      using errcode = 'unique_violation', schema = 'delivery', table = 'channels', column = 'target_id',
        constraint = 'channels_workspace_id_platform_target_id_key';
  end if;
  return new;
end
$$;
