-- The state machine of a task. The trigger fires only for a change that is not in the table.
create or replace function accounts.transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  -- To failed by cancellation, before anything was sent.
  when 'pending'    then p_to in ('processing', 'failed')
  when 'processing' then p_to in ('completed', 'pending', 'failed', 'flood_wait')
  -- By reactivation of the account.
  when 'flood_wait' then p_to in ('pending', 'failed')
  else false
end;
