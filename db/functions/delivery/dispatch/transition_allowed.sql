-- The state machine of a delivery. The trigger fires only for a change that is not in the table.
create or replace function delivery.transition_allowed(p_from text, p_to text) returns boolean
language sql immutable parallel safe
return case p_from
  when 'queued'           then p_to in ('claimed', 'failed_permanent', 'dead')
  when 'retry'            then p_to in ('claimed', 'failed_permanent', 'dead')
  when 'claimed'          then p_to in ('sending', 'queued', 'retry', 'failed_permanent', 'dead')
  when 'sending'          then p_to in ('sent', 'retry', 'failed_permanent', 'dead')
  when 'dead'             then p_to = 'retry'
  when 'failed_permanent' then p_to = 'retry'
  else false
end;
