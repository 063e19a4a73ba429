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
  v_text := regexp_replace(v_text, '\mwhsec_[A-Za-z0-9_+/=-]{12,}', '[secret]', 'g');
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
  -- `token:<id>` with an id of ours names an actor.
  v_text := regexp_replace(v_text,
    '\m((?:pwd|[a-z0-9_-]*(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|cookie|session_?id))["'']?\s*:\s*["'']?)'
    '(?![0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z_-]))(?=[^\s"''&,;<>\[\](){}]*(?:[a-z_][0-9]|[0-9][a-z]|[0-9]{6}))[^\s"''&,;<>\[\](){}]{6,}',
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
