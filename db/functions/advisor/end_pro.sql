-- When Pro ends, its memory of the conversation is deleted, and Free begins with a full daily quota: Pro's questions do not count.
-- A trigger, because plans are also set by hand.
create or replace function advisor.end_pro() returns trigger
language plpgsql as $$
begin
  delete from advisor.sessions s where s.workspace_id = new.workspace_id and s.user_id = new.id;
  update advisor.rate_limits l set count = 0, cooldown_until = null where l.workspace_id = new.workspace_id and l.user_id = new.id;
  return null;
end
$$;
