-- Records in the workspace's events who changed the configuration, and why, and the same in the audit, which is kept for longer and
-- cannot be changed. Call it in the transaction of the change. The change may contain a key in a header or an address: it is masked
-- like everything else there.
--
-- The actor is {"kind", "id", "address", "account"}, of which the account, a command's, is a chosen name and only a detail; unless given, the one that the transaction was begun for (`actAs`), else whom the operator's
-- text names (`operator:<id>`, `token:<id>`, `command:uid:<number>@<machine>`), else Molva itself.
create or replace function workspaces.note_change(
  p_workspace_id uuid, p_channel_id uuid, p_action text, p_operator text, p_reason text, p_meta jsonb default '{}',
  p_now timestamptz default now(), p_actor jsonb default null
) returns void
language plpgsql as $$
declare
  v_actor      jsonb := coalesce(p_actor, nullif(current_setting('audit.actor', true), '')::jsonb, case
    when p_operator ~ '^(operator|token):[0-9a-f-]{36}$'
    then jsonb_build_object('kind', split_part(p_operator, ':', 1), 'id', split_part(p_operator, ':', 2))
    when p_operator like 'command:%' then jsonb_build_object('kind', 'command', 'id', substr(p_operator, 9))
    when p_operator like 'cli: %' then '{"kind": "command"}'
    else '{"kind": "system"}' end);
  v_meta       jsonb := jsonb_strip_nulls(jsonb_build_object(
    'operator', p_operator, 'account', v_actor ->> 'account', 'reason', workspaces.redact_text(p_reason))) || workspaces.redact(p_meta);
  v_object     text  := case when p_channel_id is null then v_meta ->> 'object' else 'channel' end;
  v_subject_id text  := coalesce(p_channel_id::text, v_meta ->> 'id', v_meta ->> (v_object || '_id'), v_meta ->> 'key');
begin
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 'ok', v_meta);
  perform audit.note(p_workspace_id, v_actor ->> 'kind', v_actor ->> 'id', p_action,
    case when v_subject_id is not null then v_object end, case when v_object is not null then v_subject_id end,
    'ok', v_actor ->> 'address', v_meta, p_now);
end
$$;
