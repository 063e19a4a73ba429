-- One chat is one channel: targets are kept in one form (db/functions/delivery/targets.sql), and several channels of a chat
-- are there only where somebody asked for them.
alter table delivery.channels
  add allow_duplicate boolean not null default false,
  -- The @name by which a chat was found whose number is kept in target_id.
  add target_name text;

-- Channels that are there stay, whatever they are called: of several spellings of one name the one in small letters keeps it,
-- else the oldest gets it, and the others get a number behind it. Which chats names stand for is found out at the next test or send.
update delivery.channels c
set allow_duplicate = true,
    target_id = n.name || case when n.place > 1 then '#' || n.place else '' end
from (
  select workspace_id, channel_id, lower(target_id) as name,
    row_number() over (partition by workspace_id, lower(target_id)
      order by target_id = lower(target_id) desc, created_at, channel_id) as place
  from delivery.channels
  where platform = 'telegram' and target_id ~ '^@[A-Za-z0-9_]+$'
) n
where c.workspace_id = n.workspace_id and c.channel_id = n.channel_id;

-- A person's number is told apart from a channel's that lost its minus.
update delivery.channels set target_id = 'user:' || target_id where platform = 'telegram' and target_id ~ '^[1-9][0-9]*$';
