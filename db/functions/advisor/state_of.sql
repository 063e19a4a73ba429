-- What an answer depends on besides the question: remaining quotas, the current conversation, the last offer.
create or replace function advisor.state_of(p_user advisor.users, p_plans jsonb, p_now timestamptz default now()) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'version', advisor.version_of(p_user.workspace_id, p_user.id, p_now),
    'quota', advisor.quota_of(p_user, p_plans, p_now),
    'last_upsell_at', p_user.last_upsell_at,
    'session', (
      select jsonb_build_object('id', t.id, 'context', t.session_context) from advisor.sessions t
      where t.workspace_id = p_user.workspace_id and t.user_id = p_user.id and t.expires_at > p_now))
$$;
