-- Writes one event of a correction, among the events of its delivery.
create or replace function delivery.correction_event(
  p_correction delivery.corrections, p_action text, p_place int, p_error jsonb, p_meta jsonb, p_now timestamptz default now()
) returns void
language sql as $$
  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
  values (
    p_correction.workspace_id, molva.uuidv7(p_now), p_correction.delivery_id, p_correction.message_id, p_correction.channel_id,
    p_now + p_place * interval '1 microsecond', p_action, p_correction.attempt,
    case when p_error is null then 'ok' else 'error' end, workspaces.redact(p_error),
    jsonb_build_object('correction_id', p_correction.correction_id, 'number', p_correction.number, 'kind', p_correction.kind)
      || jsonb_strip_nulls(p_meta))
$$;
