-- What somebody wrote for a chat in the one form that is kept, or what is wrong with it.
--   Telegram: -1001234567890, @name (in small letters), user:42 (a person); links of t.me become one of these.
--   MAX: the chat's number, user:42.
-- #2 at the end tells several channels of one chat apart. Other platforms' targets are not ours to judge.
create or replace function delivery.read_target(p_platform text, p_typed text, out target text, out fault text)
language plpgsql immutable parallel safe as $$
declare
  v_typed text := btrim(p_typed);
  v_number text := coalesce(substring(v_typed from '#[1-9][0-9]{0,2}$'), '');
begin
  v_typed := left(v_typed, length(v_typed) - length(v_number));
  if p_platform = 'telegram' then
    select t.target, t.fault into target, fault from delivery.read_telegram_target(v_typed) t;
  elsif p_platform = 'max' then
    select t.target, t.fault into target, fault from delivery.read_max_target(v_typed) t;
  else
    target := v_typed;
  end if;
  target := target || v_number;
end
$$;

create or replace function delivery.read_telegram_target(p_typed text, out target text, out fault text)
language plpgsql immutable parallel safe as $$
declare
  -- What follows t.me/ without the query: a name, c/ and a number, or an invitation.
  v_path text := substring(p_typed from '(?i)^(?:https?://)?(?:www\.)?(?:t|telegram)\.(?:me|dog)/([^?#]*)');
  v_name text := coalesce(
    substring(v_path from '(?i)^(?:s/)?@?([a-z]\w{3,31})(?:/|$)'),
    substring(p_typed from '(?i)^tg://resolve\?domain=([a-z]\w{3,31})(?:&|$)'),
    substring(p_typed from '(?i)^@([a-z]\w{3,31})$'));
begin
  if p_typed ~ '^-[1-9][0-9]{0,15}$' or p_typed ~ '^user:[1-9][0-9]{0,15}$' then
    target := p_typed;
  elsif v_path ~ '(?i)^(\+|joinchat/)' then
    fault := 'A bot cannot follow an invitation: add it to the chat and give the chat''s number, such as -1001234567890.';
  elsif v_path ~ '^c/[1-9][0-9]{4,12}(/|$)' then
    target := '-100' || substring(v_path from '^c/([0-9]+)');
  elsif v_name ~ '^[A-Za-z0-9_]+$'
    and v_name !~* '^(addemoji|addlist|addstickers|addtheme|boost|contact|invoice|joinchat|login|proxy|setlanguage|share|socks)$' then
    target := '@' || lower(v_name);
  elsif p_typed ~ '^100[0-9]{10}$' then
    fault := format('The number of a channel begins with a minus: -%s.', p_typed);
  elsif p_typed ~ '^[0-9]+$' then
    fault := format('The number of a channel or a group begins with a minus, such as -1001234567890. A person is user:%s.',
                    p_typed);
  else
    fault := 'Give the chat''s number, such as -1001234567890, its @name or its link https://t.me/name (a name has 4 to 32 letters, digits or _); a person is user:42.';
  end if;
end
$$;

create or replace function delivery.read_max_target(p_typed text, out target text, out fault text)
language plpgsql immutable parallel safe as $$
begin
  if p_typed ~ '^-?[1-9][0-9]{0,18}$' or p_typed ~ '^user:[1-9][0-9]{0,18}$' then
    target := p_typed;
  elsif p_typed ~* 'max\.ru/' then
    fault := 'MAX shows bots no chat by its link: give the chat''s number, which the bot learns when it is added to the chat, such as -70001234567890.';
  else
    fault := 'Give the chat''s number, such as -70001234567890; a person is user:42.';
  end if;
end
$$;

-- The chat itself, as the messenger's API is told: without what tells several channels apart.
create or replace function delivery.chat_of_target(p_platform text, p_target text) returns text
language sql immutable parallel safe as $$
  select case when p_platform = 'telegram' then regexp_replace(plain, '^user:', '') else plain end
  from (select regexp_replace(p_target, '#[0-9]+$', '')) as t (plain)
$$;

-- Another channel of the workspace on the same chat, by its number or by the name it was found by.
create or replace function delivery.channel_on_chat(
  p_workspace_id uuid, p_platform text, p_target text, p_but_for uuid default null
) returns uuid
language sql stable as $$
  select c.channel_id from delivery.channels c
  where c.workspace_id = p_workspace_id and c.platform = p_platform and c.channel_id is distinct from p_but_for
    and (c.target_id = p_target or c.target_name = p_target)
  order by c.target_id = p_target desc, c.channel_id
  limit 1
$$;

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

create or replace trigger keep_target_in_form
  before insert or update of target_id, platform on delivery.channels
  for each row execute function delivery.keep_target_in_form();

-- Keeps the number of a chat that was known by its name, and the chat's title where the channel has none. Answers the target
-- that is kept now; null and whose the chat is, when it is another channel's and nobody asked for two.
create or replace function delivery.keep_chat_found(
  p_workspace_id uuid, p_channel_id uuid, p_name text, p_target text, p_title text, p_now timestamptz default now(),
  out target text, out taken_by uuid
)
language plpgsql as $$
declare
  v_channel delivery.channels;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  -- Somebody changed it meanwhile, or found it too.
  if not found or split_part(v_channel.target_id, '#', 1) <> p_name then
    target := v_channel.target_id;
    return;
  end if;
  if not v_channel.allow_duplicate then
    taken_by := delivery.channel_on_chat(p_workspace_id, v_channel.platform, p_target, p_channel_id);
    if taken_by is not null then
      return;
    end if;
  end if;
  update delivery.channels
  set target_id = p_target, target_name = p_name, title = coalesce(title, p_title), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  returning target_id into target;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', 'molva', null,
    jsonb_build_object('changes', jsonb_build_object('target_id', jsonb_build_object('from', v_channel.target_id, 'to', target))),
    p_now);
end
$$;
