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
