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

create or replace function delivery.refuse_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a delivery cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('delivery %s', old.delivery_id);
end
$$;

create or replace trigger refuse_transition
  before update of status on delivery.deliveries
  for each row
  when (old.status <> new.status and not delivery.transition_allowed(old.status, new.status))
  execute function delivery.refuse_transition();

create or replace function delivery.refuse_birth() returns trigger
language plpgsql as $$
begin
  raise exception 'a delivery cannot begin as %', new.status using errcode = 'check_violation';
end
$$;

create or replace trigger refuse_birth
  before insert on delivery.deliveries
  for each row
  when (new.status not in ('queued', 'deduped', 'failed_permanent') or new.attempt <> 0)
  execute function delivery.refuse_birth();
