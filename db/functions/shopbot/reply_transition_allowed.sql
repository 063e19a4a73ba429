create or replace function shopbot.reply_transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  when 'waiting' then p_to in ('sending', 'failed')
  when 'sending' then p_to in ('sent', 'waiting', 'failed')
  else false
end;
