-- Movements of tokens cost less; the same values are accepted as before.

-- One index instead of two: a history is always read by person, in the order of ids.
alter table billing.token_expenses drop constraint token_expenses_pkey;
drop index billing.token_expenses_of_user;
alter table billing.token_expenses add primary key (workspace_id, user_id, id);

-- A bounded repetition such as {1,150} makes a large automaton: checking a row cost more than inserting it.
alter table billing.holds
  drop constraint holds_run_check,
  drop constraint holds_step_check,
  drop constraint holds_operation_check,
  add constraint holds_run_check check (length(run) between 1 and 150 and run !~ '[\s/]'),
  add constraint holds_step_check check (length(step) between 1 and 100 and step !~ '[\s/]'),
  add constraint holds_operation_check
    check (length(operation) <= 50 and operation ~ '^[a-z][a-z0-9_]*$' and operation not like 'api\_%');
alter table billing.token_expenses
  drop constraint token_expenses_operation_type_check,
  add constraint token_expenses_operation_type_check
    check (length(operation_type) <= 50 and operation_type ~ '^[a-z][a-z0-9_]*$');
