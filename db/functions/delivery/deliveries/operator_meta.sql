-- The operator and the reason, for the event. Both are required; secrets that people paste into reasons are masked as
-- everywhere.
create or replace function delivery.operator_meta(p_operator text, p_reason text) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  if coalesce(btrim(p_operator), '') = '' or coalesce(btrim(p_reason), '') = '' then
    raise exception 'an operation on deliveries needs an operator and a reason' using errcode = 'invalid_parameter_value';
  end if;
  return jsonb_build_object('operator', btrim(p_operator), 'reason', workspaces.redact_text(btrim(p_reason)));
end
$$;
