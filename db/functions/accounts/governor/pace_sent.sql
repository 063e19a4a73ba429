-- Records a sent message, and deletes records older than two days.
create or replace function accounts.pace_sent(
  p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_fingerprint bigint, p_now timestamptz default now()
) returns void
language plpgsql as $$
begin
  insert into accounts.pace_sends (workspace_id, account_id, at, chat_id, fingerprint)
  values (p_workspace_id, p_account_id, p_now, p_chat_id, p_fingerprint);
  delete from accounts.pace_sends
  where workspace_id = p_workspace_id and account_id = p_account_id and at < p_now - interval '2 days';
  if p_fingerprint is not null then
    insert into accounts.pace_texts (workspace_id, fingerprint, last_sent_at)
    values (p_workspace_id, p_fingerprint, p_now)
    on conflict (workspace_id, fingerprint) do update
      set last_sent_at = greatest(accounts.pace_texts.last_sent_at, excluded.last_sent_at);
  end if;
  -- Skips locked rows, so that two accounts never wait for each other.
  delete from accounts.pace_texts t
  using (
    select fingerprint from accounts.pace_texts
    where workspace_id = p_workspace_id and last_sent_at < p_now - interval '2 days'
    order by last_sent_at limit 100 for update skip locked
  ) old
  where t.workspace_id = p_workspace_id and t.fingerprint = old.fingerprint;
end
$$;
