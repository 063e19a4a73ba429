-- The state machine of a correction. The trigger fires only for a change that is not in the table.
create or replace function delivery.correction_transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  when 'queued'  then p_to in ('sending', 'superseded', 'failed_permanent')
  when 'retry'   then p_to in ('sending', 'superseded', 'failed_permanent')
  when 'sending' then p_to in ('done', 'retry', 'failed_permanent', 'dead', 'superseded')
  else false
end;
