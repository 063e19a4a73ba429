-- The state machine of a join task. The trigger fires only for a change that is not in the table.
create or replace function accounts.join_transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  when 'running'    then p_to in ('paused', 'flood_wait', 'completed', 'failed')
  -- A step may have been under way when the task was paused.
  when 'paused'     then p_to in ('running', 'flood_wait', 'completed', 'failed')
  when 'flood_wait' then p_to in ('running', 'failed')
  -- Tried again from where it stopped.
  when 'failed'     then p_to = 'running'
  else false
end;
