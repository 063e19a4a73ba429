-- Masks secrets and personal data in what goes into the audit trail. Ids, numbers, dates, prices and addresses without
-- credentials stay, because an operator works with them.
--
-- Nearly every error is clean, so a cheap test comes first; it must let through nothing that the thorough functions would
-- change. Words are looked for with LIKE: each word added to the expression costs it more than a microsecond.

create or replace function workspaces.redact_suspects(p_text text) returns boolean
language sql immutable parallel safe as $$
  select p_text ~ '[@=]|[0-9]([0-9]{5}|[A-Za-z]|[ ()\u00a0-]+[0-9])|[A-Za-z_+][0-9]'
    or p_text like '%uthori%' or p_text like '%UTHORI%' or p_text like '%earer%' or p_text like '%EARER%'
    or p_text like '%eyJ%'
$$;

create or replace function workspaces.redact_text(p_text text) returns text
language sql immutable parallel safe as $$
  select case when workspaces.redact_suspects(p_text) then workspaces.redact_text_thoroughly(p_text) else p_text end
$$;

-- Our own errors have only these keys, none of which names a secret: their words alone decide.
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

-- An id may look like a phone, a card or a key, and must stay; `p_is_id` leaves such runs alone.
create or replace function workspaces.redact_text_thoroughly(p_text text, p_is_id boolean default false) returns text
language plpgsql immutable parallel safe as $$
declare
  v_text text := p_text;
begin
  -- https://user:password@host
  v_text := regexp_replace(v_text, '(://)[^/\s@?#\[\]]+@', '\1[secret]@', 'g');
  -- Bot tokens, JSON web tokens, and tokens that say whose they are.
  v_text := regexp_replace(v_text, '[0-9]{6,}:[A-Za-z0-9_-]{20,}', '[secret]', 'g');
  v_text := regexp_replace(v_text, '\meyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]*)?', '[secret]', 'g');
  v_text := regexp_replace(v_text,
    '\m(mlv_|sk[-_]|rk_|gh[pousr]_|github_pat_|xox[abprs]-|glpat-|AIza|AKIA|ya29\.|y0_|vk1\.a\.|pina_)(?=[A-Za-z0-9_.-]*[A-Za-z_][0-9])[A-Za-z0-9_-]{12,}',
    '[secret]', 'g');
  -- Authorization headers, whatever their scheme.
  v_text := regexp_replace(v_text,
    '(authorization["'']?\s*[:=]\s*["'']?)((bearer|basic|token|oauth|digest)\s+[a-z0-9._~+/=-]{4,}|[a-z0-9._~+/=-]{16,})',
    '\1[secret]', 'gi');
  v_text := regexp_replace(v_text,
    '\m(bearer\s+)((?=[a-z._~+/=-]*[a-z_][0-9])[a-z0-9._~+/=-]{8,}|[a-z0-9._~+/=-]{20,})', '\1[secret]', 'gi');
  -- name=value of a query or a form; name: value only where the value is no word of a sentence.
  v_text := regexp_replace(v_text,
    '\m((?:sig|pwd|[a-z0-9_-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|signature|cookie|session_?id))["'']?=["'']?)[^\s"''&,;<>\[\](){}]{4,}',
    '\1[secret]', 'gi');
  v_text := regexp_replace(v_text,
    '\m((?:pwd|[a-z0-9_-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|cookie|session_?id))["'']?\s*:\s*["'']?)(?=[^\s"''&,;<>\[\](){}]*(?:[a-z_][0-9]|[0-9][a-z]|[0-9]{6}))[^\s"''&,;<>\[\](){}]{6,}',
    '\1[secret]', 'gi');
  v_text := regexp_replace(v_text, '\m((?:phone|tel|msisdn)(?:_number)?=)(?:\+|%2b)?[0-9][0-9() -]{6,}', '\1[phone]', 'gi');
  -- E-mail; a picture's name@2x.png is none.
  v_text := regexp_replace(v_text collate "und-x-icu",
    '[[:alnum:]._%+-]+@(?![0-9]x\.)[[:alnum:]-]+(\.[[:alnum:]-]+)*\.[[:alpha:]]{2,}', '[email]', 'g') collate "default";
  -- +7 999 123-45-67 and any other international number; a sum of money is none.
  v_text := regexp_replace(v_text,
    '(?<![0-9A-Za-z])\+[1-9][0-9]{0,2}([ \u00a0().-]{0,2}[0-9]){7,12}(?![ \u00a0]?[0-9])(?![ \u00a0]?(₽|р\.|руб|\$|€|%|RUB|USD|EUR))',
    '[phone]', 'g');
  if not p_is_id then
    v_text := workspaces.redact_numbers(v_text);
    v_text := workspaces.redact_long_secrets(v_text);
  end if;
  return v_text;
end
$$;

-- Cards by their check digit, then Russian phones written without the plus. A number after № or #, in a path or behind a
-- minus is an order, an id or a chat.
create or replace function workspaces.redact_numbers(p_text text) returns text
language plpgsql immutable parallel safe as $$
declare
  c_alone constant text := '(?<![0-9A-Za-z/#№=_-])(?<![#№]\s)(?<![0-9][.,])';
  c_end   constant text := '(?![0-9A-Za-z_-]|[.,][0-9])';
  v_text  text := p_text;
  v_run   text;
begin
  for v_run in
    select distinct number[1]
    from regexp_matches(v_text, c_alone || '([2-6][0-9]{3}(?:[ -]?[0-9]{4}){3}(?:[ -]?[0-9]{3})?|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5})' || c_end, 'g') as number
    where workspaces.redact_is_card(number[1])
  loop
    v_text := replace(v_text, v_run, '[card]');
  end loop;
  v_text := regexp_replace(v_text,
    c_alone || '[78][ \u00a0-]?\(?[3489][0-9]{2}\)?[ \u00a0-]?[0-9]{3}[ \u00a0-]?[0-9]{2}[ \u00a0-]?[0-9]{2}' || c_end,
    '[phone]', 'g');
  return regexp_replace(v_text,
    c_alone || '(?:\([3489][0-9]{2}\)[ \u00a0]?|[3489][0-9]{2}[ \u00a0-])[0-9]{3}-[0-9]{2}-[0-9]{2}' || c_end,
    '[phone]', 'g');
end
$$;

-- Luhn's sum: every second digit from the right counts twice, its own digits added.
create or replace function workspaces.redact_is_card(p_number text) returns boolean
language sql immutable parallel safe as $$
  select sum(case when place % 2 = 0 then digit * 2 - case when digit > 4 then 9 else 0 end else digit end) % 10 = 0
  from (
    select digit::int, row_number() over () as place
    from regexp_split_to_table(reverse(regexp_replace(p_number, '[^0-9]', '', 'g')), '') as digit
  ) digits
$$;

-- What no word, slug, path or UUID looks like: 40 digits of hex and more, or 32 signs and more that mix both cases with
-- digits again and again. Addresses are left out: their secrets were found by the parameter's name.
create or replace function workspaces.redact_long_secrets(p_text text) returns text
language plpgsql immutable parallel safe as $$
declare
  v_text text := p_text;
  v_run  text;
begin
  for v_run in
    select distinct run[1]
    from regexp_matches(regexp_replace(p_text, '[a-z]+://[^\s<>"'']+', ' ', 'gi'), '(?<!mid\.)([A-Za-z0-9+/_-]{32,}={0,2})', 'g') as run
    where run[1] ~ '^[0-9a-fA-F]{40,}$' and run[1] ~ '[0-9]' and run[1] ~ '[A-Fa-f]'
       or run[1] ~ '[a-z]' and run[1] ~ '[A-Z]'
          and regexp_count(run[1], '[A-Za-z][0-9]+(?=[A-Za-z])') >= 2
          and regexp_count(run[1], '/') * 20 <= length(run[1])
    order by 1 desc
  loop
    v_text := replace(v_text, v_run, '[secret]');
  end loop;
  return v_text;
end
$$;
