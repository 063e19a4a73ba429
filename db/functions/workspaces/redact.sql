-- Masks secrets and personal data before they are written into the audit trail. Ids, numbers, dates, prices and addresses
-- without credentials stay, because operators need them.
--
-- Nearly every error is clean, so a cheap test comes first; it must not pass anything that the thorough functions would
-- change. Words are searched with LIKE: each word in a regular expression would cost more than a microsecond.
--
-- Our own errors have only these keys, none of which names a secret, so only their texts are tested.
create or replace function workspaces.redact(p jsonb) returns jsonb
language sql immutable parallel safe as $$
  select case
    when p is null then null
    when jsonb_typeof(p) = 'object'
      and p - array['category', 'scope', 'code', 'cause', 'message', 'retry_after_ms'] = '{}'
      and coalesce(jsonb_typeof(p -> 'message'), 'string') = 'string'
      and not coalesce(workspaces.redact_suspects(p ->> 'message'), false)
    then p
    else workspaces.redact_json_thoroughly(p)
  end
$$;

create or replace function workspaces.redact_json_thoroughly(p jsonb, p_key text default '') returns jsonb
language plpgsql immutable parallel safe as $$
declare
  c_secret   constant text :=
    '(token|secret|passw(or)?d|passphrase|pwd|authorization|(api|access|private)[_-]?key|api[_-]?hash|cookie|credentials?|session[_-]?string|card[_-]?number|cvv|cvc)$';
  c_personal constant text := '(phone|msisdn|email)([_-]?(number|address))?$|(^|[_-])(tel|telephone|mail)$';
  c_id       constant text := '(^|[_-])(ids?|ref|hash|sha256|fingerprint|etag|mid|cursor|key)$';
  v_type     constant text := jsonb_typeof(p);
begin
  if v_type in ('null', 'boolean') or p = '""' then
    return p;
  elsif p_key ~* c_secret then
    return '"[secret]"';
  elsif p_key ~* c_personal then
    return '"[personal]"';
  elsif v_type = 'object' then
    -- `from` and `to` are what a setting was and became: its own name says what they are.
    return (select coalesce(jsonb_object_agg(workspaces.redact_text(key), workspaces.redact_json_thoroughly(
              value, case when key in ('from', 'to') and p_key <> '' then p_key else key end)), '{}')
            from jsonb_each(p));
  elsif v_type = 'array' then
    return (select coalesce(jsonb_agg(workspaces.redact_json_thoroughly(item, p_key) order by place), '[]')
            from jsonb_array_elements(p) with ordinality as items (item, place));
  elsif v_type = 'string' and workspaces.redact_suspects(p #>> '{}') then
    return to_jsonb(workspaces.redact_text_thoroughly(p #>> '{}', p_key ~* c_id));
  else
    return p;
  end if;
end
$$;
