-- Keeps targets in their one form, whoever writes them. A second channel on a chat is refused unless allow_duplicate asks
-- for it; then it gets a number of its own, because the key of the table is the target.
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
    -- The name belonged to the chat that it was.
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
  if new.allow_duplicate then
    for v_number in 2 .. 1000 loop
      exit when not exists (
        select from delivery.channels c
        where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_id = new.target_id
          and c.channel_id <> new.channel_id);
      new.target_id := v_plain || '#' || v_number;
    end loop;
    return new;
  end if;
  new.target_id := v_plain;
  -- The same target is the key's to refuse, so that "on conflict" keeps its meaning.
  if exists (
    select from delivery.channels c
    where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_name = v_plain
      and c.channel_id <> new.channel_id
  ) then
    raise exception 'The workspace already has a channel on this chat.'
      using errcode = 'unique_violation', schema = 'delivery', table = 'channels', column = 'target_id',
        constraint = 'channels_workspace_id_platform_target_id_key';
  end if;
  return new;
end
$$;
