-- Enqueues a product's post to connections of one of its users. `p_promise` says who owns it, how a repeat is recognised, and
-- which job runs at the end: {"product", "user", "run", "step", "task", "given"?, "max_attempts"?, "wait_until"?}. The post
-- itself is as any sender gives it, with `channel_ids`. Returns {"repeated", "deliveries": [{delivery_id, channel_id,
-- message_id, status, error?}]}; a second call with the same (run, step) returns the deliveries of the first, whatever the
-- post says.
create or replace function delivery.enqueue_addressed(
  p_workspace_id uuid, p_promise jsonb, p_raw jsonb, p_compiled jsonb default '{}', p_now timestamptz default now()
) returns jsonb
language plpgsql as $$
declare
  v_product constant text := p_promise ->> 'product';
  v_run     constant text := p_promise ->> 'run';
  v_step    constant text := p_promise ->> 'step';
  v_fault   text := coalesce(
    (select format('the promise of an addressed post needs %s', key)
     from unnest(array['product', 'user', 'run', 'step', 'task']) as key
     where jsonb_typeof(p_promise -> key) is distinct from 'string' or btrim(p_promise ->> key) = ''
     limit 1),
    delivery.post_fault(p_raw),
    case when p_raw -> 'channel_ids' is null or p_raw -> 'channel_ids' = 'null' then '/channel_ids must name the connections' end);
  v_before  jsonb;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'invalid_parameter_value';
  end if;
  -- Concurrent calls of the same step are processed one after the other.
  perform pg_advisory_xact_lock(hashtextextended(
    jsonb_build_array('delivery.addressed_deliveries', p_workspace_id, v_product, v_run, v_step)::text, 0));
  v_before := delivery.addressed_before(p_workspace_id, v_product, v_run, v_step);
  if v_before is not null then
    return jsonb_build_object('repeated', true, 'deliveries', v_before);
  end if;
  perform delivery.enqueue_post(p_workspace_id, null, v_product,
    delivery.normal_post(p_raw) || jsonb_build_object('promise', p_promise), p_compiled, v_run, null, p_now);
  return jsonb_build_object(
    'repeated', false, 'deliveries', delivery.addressed_before(p_workspace_id, v_product, v_run, v_step));
end
$$;
