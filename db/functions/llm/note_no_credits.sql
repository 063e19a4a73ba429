-- Records an event for each workspace and provider whose account turned out to be empty in these calls (settle_calls), at most
-- one an hour. The monitor of deliveries alerts people.
create or replace function llm.note_no_credits(p_calls jsonb) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select distinct on (c.workspace_id, r.provider) c.workspace_id, molva.uuidv7(c.at), c.at, 'llm_no_credits', 'error',
    jsonb_build_object('code', 'no_credits', 'message', format('%s: the account is empty or its limit is reached', r.provider)),
    jsonb_build_object('provider', r.provider, 'model', r.model)
  from jsonb_to_recordset(p_calls) as c (workspace_id uuid, requests jsonb, at timestamptz)
  cross join lateral jsonb_to_recordset(c.requests) as r (provider text, model text, outcome text)
  where r.outcome = 'no_credits'
    and not exists (
      select from workspaces.events e
      where e.workspace_id = c.workspace_id and e.action = 'llm_no_credits' and e.ts > c.at - interval '1 hour'
        and e.meta ->> 'provider' = r.provider)
  order by c.workspace_id, r.provider, c.at
$$;
