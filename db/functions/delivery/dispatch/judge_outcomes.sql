-- Reads the reported outcomes and decides what happens to each delivery that still belongs to its reporter; these are locked
-- from here on.
create or replace function delivery.judge_outcomes(
  p_workspace_id uuid, p_delivery_ids uuid[], p_outcomes jsonb, p_now timestamptz
) returns delivery.judged_outcome[]
language plpgsql as $$
declare
  v_policy record;
begin
  select * into v_policy from delivery.workspace_policy(p_workspace_id);
  return array(
    select row(
      d.delivery_id, d.channel_id, d.message_id, d.attempt, o.kind, o.error, o.provider_message_id, o.meta, o.reconciled,
      o.payload_ref, o.late,
      case
        when o.kind = 'sent' then 'sent'
        when o.error ->> 'category' = 'PERMANENT' then 'failed_permanent'
        when d.attempt >= v_policy.max_attempts + d.requeues then 'dead'
        else 'retry'
      end,
      coalesce(o.next_retry_at, p_now + delivery.retry_delay(
        d.attempt, o.error, random(), v_policy.backoff_base_seconds, v_policy.backoff_max_seconds)))::delivery.judged_outcome
    from (
      select (o ->> 'delivery_id')::uuid as delivery_id, o ->> 'token' as token, o ->> 'kind' as kind,
        o ->> 'provider_message_id' as provider_message_id, o -> 'meta' as meta, o ->> 'reconciled' as reconciled,
        o ->> 'payload_ref' as payload_ref, make_interval(secs => (o ->> 'late_ms')::float8 / 1000) as late,
        (o ->> 'next_retry_at')::timestamptz as next_retry_at,
        workspaces.redact(case when o ->> 'kind' = 'unknown'
          then (o -> 'error') || jsonb_build_object('code', 'outcome_unknown', 'category', 'TRANSIENT',
                                                    'cause', o #>> '{error,code}')
          else o -> 'error'
        end) as error
      from jsonb_array_elements(p_outcomes) as o
      -- Keeps the planner from evaluating it once for each column.
      offset 0
    ) o
    join delivery.deliveries d using (delivery_id)
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
      and (d.status = 'sending') is true and d.claim_token = o.token
    for update of d);
end
$$;
