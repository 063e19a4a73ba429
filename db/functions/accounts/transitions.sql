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

create or replace function accounts.refuse_transition() returns trigger
language plpgsql as $$
begin
  raise exception 'a task cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('task %s', old.id);
end
$$;

create or replace trigger refuse_transition
  before update of status on accounts.queue
  for each row
  when (old.status <> new.status and not accounts.transition_allowed(old.status, new.status))
  execute function accounts.refuse_transition();

create or replace function accounts.refuse_birth() returns trigger
language plpgsql as $$
begin
  raise exception 'a task cannot begin as %', new.status using errcode = 'check_violation';
end
$$;

create or replace trigger refuse_birth
  before insert on accounts.queue
  for each row
  when (new.status <> 'pending' or new.attempts <> 0)
  execute function accounts.refuse_birth();
