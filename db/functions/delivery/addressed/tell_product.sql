-- Enqueues the promised job, unless this end was told before: an end is identified by its word and the code of its error.
-- `p_page` holds the errors of the page of a sent post, which are told in addition to the end. Does nothing for a post that
-- came through an endpoint.
create or replace function delivery.tell_product(
  p_delivery delivery.deliveries, p_end text, p_in_doubt boolean, p_page jsonb default null,
  p_now timestamptz default now()
) returns void
language plpgsql as $$
declare
  v_error   constant jsonb := case when p_end in ('sent', 'deduped') then null
                                   when p_end = 'channel_deleted' then jsonb_build_object(
                                     'code', 'channel_deleted', 'message', 'the channel was deleted before it was sent')
                                   else p_delivery.last_error end;
  v_told    constant text := concat_ws(' ', p_end, v_error ->> 'code', case when p_page is not null then 'page_faulty' end);
  v_promise delivery.addressed_deliveries;
begin
  update delivery.addressed_deliveries a
  set told = v_told, told_at = p_now, times_told = a.times_told + 1
  where a.workspace_id = p_delivery.workspace_id and a.delivery_id = p_delivery.delivery_id and a.told is distinct from v_told
  returning * into v_promise;
  if not found then
    return;
  end if;
  perform molva.add_job(v_promise.task, jsonb_build_object('given', v_promise.given, 'end', jsonb_build_object(
    'workspace_id', p_delivery.workspace_id, 'delivery_id', p_delivery.delivery_id, 'channel_id', p_delivery.channel_id,
    'message_id', p_delivery.message_id, 'user', v_promise.user_id, 'run', v_promise.run, 'step', v_promise.step,
    'outcome', p_end, 'in_doubt', p_in_doubt, 'times_told', v_promise.times_told,
    'url', case p_end when 'sent' then p_delivery.provider_meta ->> 'url' end,
    'provider_message_id', p_delivery.provider_message_id, 'page', p_page,
    'error', case when v_error is not null then jsonb_build_object(
      'code', coalesce(v_error ->> 'code', 'unknown'), 'message', coalesce(v_error ->> 'message', '')) end)),
    v_promise.max_attempts);
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
  values (p_delivery.workspace_id, molva.uuidv7(p_now), p_delivery.delivery_id, p_delivery.message_id, p_delivery.channel_id,
    p_now + interval '8 microseconds', 'product_told', p_delivery.attempt, 'ok', jsonb_build_object(
      'product', v_promise.product, 'run', v_promise.run, 'step', v_promise.step, 'outcome', p_end,
      'in_doubt', p_in_doubt, 'times_told', v_promise.times_told));
end
$$;
