-- How patient a channel is with refusals, when not as its workspace: delivery.policy_of has the workspace's answer.
alter table delivery.channels
  add pause_on_permanent_seconds int check (pause_on_permanent_seconds between 60 and 604800),
  add disable_after_permanent_streak int check (disable_after_permanent_streak between 1 and 1000);

-- Functions whose arguments grew; as they were they would answer calls besides the new ones.
drop function if exists delivery.accept_push(uuid, uuid, text, jsonb, jsonb, timestamptz);
drop function if exists delivery.record_ingress_drop(uuid, uuid, text, text, text, jsonb, timestamptz);
