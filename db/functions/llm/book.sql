-- Adds amounts to all books of a call; a negative reservation releases.
create or replace function llm.book(
  p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamptz,
  p_reserved_usd numeric, p_reserved_tokens bigint, p_reserved_calls bigint,
  p_spent_usd numeric default 0, p_spent_tokens bigint default 0, p_spent_calls bigint default 0
) returns void
language sql as $$
  insert into llm.spending as s (workspace_id, scope, subject, period, starts_on,
    reserved_usd, reserved_tokens, reserved_calls, spent_usd, spent_tokens, spent_calls)
  select p_workspace_id, b.scope, b.subject, b.period, b.starts_on,
    p_reserved_usd, p_reserved_tokens, p_reserved_calls, p_spent_usd, p_spent_tokens, p_spent_calls
  from llm.books_of(p_policy, p_user_id, p_started_at) b
  on conflict (workspace_id, scope, subject, period, starts_on) do update set
    reserved_usd = s.reserved_usd + excluded.reserved_usd,
    reserved_tokens = s.reserved_tokens + excluded.reserved_tokens,
    reserved_calls = s.reserved_calls + excluded.reserved_calls,
    spent_usd = s.spent_usd + excluded.spent_usd,
    spent_tokens = s.spent_tokens + excluded.spent_tokens,
    spent_calls = s.spent_calls + excluded.spent_calls
$$;
