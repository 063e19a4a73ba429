create or replace trigger refuse_transition
  before update of status on delivery.deliveries
  for each row
  when (old.status <> new.status and not delivery.transition_allowed(old.status, new.status))
  execute function delivery.refuse_transition();

create or replace trigger refuse_birth
  before insert on delivery.deliveries
  for each row
  when (new.status not in ('queued', 'deduped', 'failed_permanent') or new.attempt <> 0)
  execute function delivery.refuse_birth();

-- The conditions exclude routed deliveries: for them nothing is looked up and no function is called.
create or replace trigger tell_end_at_birth
  after insert on delivery.deliveries
  for each row
  when (new.addressed and new.status in ('deduped', 'failed_permanent'))
  execute function delivery.tell_end();

create or replace trigger tell_end
  after update of status on delivery.deliveries
  for each row
  when (new.addressed and old.status <> new.status and new.status in ('sent', 'deduped', 'failed_permanent', 'dead'))
  execute function delivery.tell_end();

create or replace trigger tell_end_of_deleted
  after delete on delivery.deliveries
  for each row
  when (old.addressed)
  execute function delivery.tell_end();

-- Only posts that are public pages have both; for all others no function is called.
create or replace trigger expect_page
  after update of status on delivery.deliveries
  for each row
  when (new.status = 'sent' and old.status <> 'sent' and new.provider_meta ? 'page' and new.provider_meta ? 'url')
  execute function delivery.expect_page();
