-- Activates rules together, as a release. A rule with a known text keeps the number of that version; a changed one gets the
-- next. A rollback is the same call with an old release's file.
create or replace function shopbot.apply_release(
  p_workspace_id uuid, p_file text, p_settings jsonb, p_rules jsonb, p_operator text, p_reason text default null,
  p_based_on int default null, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_release int;
  v_wanted  jsonb;
begin
  perform from shopbot.bots where workspace_id = p_workspace_id for update;
  if not found then
    raise exception 'workspace % has no shop bot', p_workspace_id using errcode = 'no_data_found';
  end if;

  insert into shopbot.bot_rules (
    workspace_id, rule_id, version, intent, pattern, priority, max_turns, response_template, next_state, state, event,
    interrupts, accepts, save_as, refusal_template, action, buttons, media, content_hash, created_at)
  select p_workspace_id, r.rule_id,
    coalesce((select max(k.version) from shopbot.bot_rules k
              where k.workspace_id = p_workspace_id and k.rule_id = r.rule_id), 0) + 1,
    r.intent, r.pattern, r.priority, r.max_turns, r.response_template, r.next_state, r.state, r.event, r.interrupts,
    r.accepts, r.save_as, r.refusal_template, r.action, r.buttons, r.media, shopbot.rule_hash(to_jsonb(r)), p_now
  from jsonb_to_recordset(p_rules) as r (
    rule_id text, intent text, pattern jsonb, priority int, max_turns int, response_template text, next_state text,
    state text, event text, interrupts boolean, accepts text, save_as text, refusal_template text, action text,
    buttons jsonb, media jsonb)
  where not exists (
    select from shopbot.bot_rules k
    where k.workspace_id = p_workspace_id and k.rule_id = r.rule_id and k.content_hash = shopbot.rule_hash(to_jsonb(r)));

  select coalesce(jsonb_object_agg(k.rule_id, k.version), '{}') into v_wanted
  from jsonb_array_elements(p_rules) r
  join shopbot.bot_rules k
    on k.workspace_id = p_workspace_id and k.rule_id = r.value ->> 'rule_id'
    and k.content_hash = shopbot.rule_hash(r.value);
  -- Deactivated first: a rule has at most one active version at any moment.
  update shopbot.bot_rules k set enabled = false
  where k.workspace_id = p_workspace_id and k.enabled and (v_wanted ->> k.rule_id)::int is distinct from k.version;
  update shopbot.bot_rules k set enabled = true
  where k.workspace_id = p_workspace_id and not k.enabled and (v_wanted ->> k.rule_id)::int = k.version;

  update shopbot.bots set settings = p_settings, revision = revision + 1, updated_at = p_now
  where workspace_id = p_workspace_id;
  select coalesce(max(release), 0) + 1 into v_release from shopbot.bot_releases where workspace_id = p_workspace_id;
  insert into shopbot.bot_releases (workspace_id, release, file, rules, based_on, operator, reason, created_at)
  values (p_workspace_id, v_release, p_file, v_wanted, p_based_on, p_operator, p_reason, p_now);
  return v_release;
end
$$;

-- The fields by which two versions of a rule are compared.
create or replace function shopbot.rule_hash(p_rule jsonb) returns text
language sql immutable parallel safe as $$
  select encode(sha256(convert_to(jsonb_strip_nulls(p_rule - array['rule_id'])::text, 'UTF8')), 'hex')
$$;
