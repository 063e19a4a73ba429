-- The database as the migrations and functions of this release leave it, without rows.
-- Made by `npm run generate`, to be read and compared; `molva migrate` makes the real one.

BEGIN;

-- A function may name what is created after it.
SET LOCAL check_function_bodies = off;

CREATE SCHEMA accounts;
COMMENT ON SCHEMA accounts IS 'Paced publishing from people''s own Telegram accounts';

CREATE SCHEMA advisor;
COMMENT ON SCHEMA advisor IS 'Advice by a language model, with plans, quotas and memory';

CREATE SCHEMA delivery;
COMMENT ON SCHEMA delivery IS 'Everything that goes out to a channel: posts, their deliveries, and what happened to them';

CREATE SCHEMA dialogs;
COMMENT ON SCHEMA dialogs IS 'Conversations of bots with people';

CREATE SCHEMA llm;
COMMENT ON SCHEMA llm IS 'Policies, prompts, budgets and calls of language models';

CREATE SCHEMA molva;
COMMENT ON SCHEMA molva IS 'Molva''s own tables: migrations, operators, keys and values';

CREATE SCHEMA shopbot;
COMMENT ON SCHEMA shopbot IS 'A bot that answers customers in MAX by rules';

CREATE SCHEMA workspaces;
COMMENT ON SCHEMA workspaces IS 'Tenants, their credentials, and the audit trail of everything that happens to them';

-- molva ---------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION molva.uuidv7(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM p_now) * (1000)::numeric))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

CREATE TABLE molva.operators (
  id            uuid NOT NULL DEFAULT molva.uuidv7(),
  login         text NOT NULL,
  name          text NOT NULL,
  password_hash text,
  disabled      boolean NOT NULL DEFAULT false,
  created_at    timestamptz NOT NULL,
  CONSTRAINT operators_pkey PRIMARY KEY (id),
  CONSTRAINT operators_login_key UNIQUE (login),
  CONSTRAINT operators_login_check CHECK (login = lower(login) AND login <> ''::text)
);
ALTER TABLE molva.operators ENABLE ROW LEVEL SECURITY;
COMMENT ON COLUMN molva.operators.password_hash IS 'PHC string with its own parameters; null: signs in by link only';

CREATE TABLE molva.api_tokens (
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  name         text NOT NULL,
  token_sha256 text NOT NULL,
  scopes       text[] NOT NULL,
  workspace_id uuid,
  created_by   uuid,
  created_at   timestamptz NOT NULL,
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  CONSTRAINT api_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT api_tokens_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT api_tokens_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'write'::text, 'operate'::text, 'payload'::text, 'people'::text, 'metrics'::text, 'admin'::text]),
  CONSTRAINT api_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES molva.operators(id) ON DELETE CASCADE
);
ALTER TABLE molva.api_tokens ENABLE ROW LEVEL SECURITY;
COMMENT ON COLUMN molva.api_tokens.workspace_id IS 'null: every workspace';
COMMENT ON COLUMN molva.api_tokens.created_by IS 'null: made at the command line; a disabled operator''s tokens stop working';

CREATE TABLE molva.functions (
  path       text NOT NULL,
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT functions_pkey PRIMARY KEY (path)
);
ALTER TABLE molva.functions ENABLE ROW LEVEL SECURITY;

CREATE UNLOGGED TABLE molva.kv (
  key        text NOT NULL,
  value      text NOT NULL,
  expires_at timestamptz,
  CONSTRAINT kv_pkey PRIMARY KEY (key),
  CONSTRAINT kv_key_check CHECK (length(key) >= 1 AND length(key) <= 512)
) WITH (fillfactor=70);
CREATE INDEX kv_expires_at ON molva.kv USING btree (expires_at) WHERE expires_at IS NOT NULL;
ALTER TABLE molva.kv ENABLE ROW LEVEL SECURITY;
COMMENT ON TABLE molva.kv IS 'Keys and values with a time to live; may be emptied by a crash';

CREATE TABLE molva.migrations (
  number     integer NOT NULL,
  name       text NOT NULL,
  checksum   text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (number)
);
ALTER TABLE molva.migrations ENABLE ROW LEVEL SECURITY;

CREATE TABLE molva.sessions (
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  operator_id  uuid NOT NULL,
  token_sha256 text NOT NULL,
  created_at   timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  user_agent   text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES molva.operators(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expiry ON molva.sessions USING btree (expires_at);
CREATE INDEX sessions_operator ON molva.sessions USING btree (operator_id);
ALTER TABLE molva.sessions ENABLE ROW LEVEL SECURITY;

CREATE TABLE molva.signin_attempts (
  subject_sha256 text NOT NULL,
  attempts       integer NOT NULL,
  window_ends_at timestamptz NOT NULL,
  CONSTRAINT signin_attempts_pkey PRIMARY KEY (subject_sha256)
);
CREATE INDEX signin_attempts_expiry ON molva.signin_attempts USING btree (window_ends_at);
ALTER TABLE molva.signin_attempts ENABLE ROW LEVEL SECURITY;
COMMENT ON COLUMN molva.signin_attempts.subject_sha256 IS 'hashed, because people type passwords into the login field';

CREATE TABLE molva.signin_links (
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  operator_id  uuid NOT NULL,
  token_sha256 text NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  used_at      timestamptz,
  CONSTRAINT signin_links_pkey PRIMARY KEY (id),
  CONSTRAINT signin_links_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT signin_links_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES molva.operators(id) ON DELETE CASCADE
);
CREATE INDEX signin_links_expiry ON molva.signin_links USING btree (expires_at);
CREATE INDEX signin_links_operator ON molva.signin_links USING btree (operator_id);
ALTER TABLE molva.signin_links ENABLE ROW LEVEL SECURITY;

CREATE TABLE molva.upgrades (
  name    text NOT NULL,
  done_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT upgrades_pkey PRIMARY KEY (name)
);
ALTER TABLE molva.upgrades ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION molva.admit_application(p_role name)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_schema name;
  v_table  regclass;
begin
  for v_schema in
    select nspname from pg_namespace
    where nspowner = (select nspowner from pg_namespace where nspname = 'molva')
      and nspname not in ('public', 'information_schema') and nspname !~ '^pg_'
  loop
    execute format('grant usage on schema %I to %I', v_schema, p_role);
    execute format('grant select, insert, update, delete on all tables in schema %I to %I', v_schema, p_role);
    execute format('grant usage, select on all sequences in schema %I to %I', v_schema, p_role);
    execute format('grant execute on all functions in schema %I to %I', v_schema, p_role);
    -- Days of events are reached through their parent; only the one for rows of no day is also asked by its own name.
    for v_table in
      select c.oid from pg_class c
      where c.relnamespace = v_schema::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
        and (not c.relispartition or pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
        and not exists (
          select from pg_policy p where p.polrelid = c.oid and p_role::regrole::oid = any (p.polroles))
    loop
      execute format('create policy %I on %s to %I using (true) with check (true)', 'for_' || p_role, v_table, p_role);
    end loop;
  end loop;
  -- Which release the database has is for its owner to say.
  execute format('revoke insert, update, delete on molva.migrations, molva.functions from %I', p_role);
end
$function$;

CREATE OR REPLACE FUNCTION molva.hooks(p_name text)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  select format('%I.%I', n.nspname, p.proname)
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  where p.proname = p_name and n.nspowner = (select nspowner from pg_namespace where nspname = 'molva')
    and n.nspname not in ('pg_catalog', 'information_schema', 'public')
  order by n.nspname
$function$;

CREATE OR REPLACE FUNCTION molva.uuid_at(p_batch text, p_place bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (p_batch || lpad(to_hex(p_place), 5, '0'))::uuid
$function$;

CREATE OR REPLACE FUNCTION molva.uuid_batch(p_now timestamp with time zone DEFAULT clock_timestamp())
 RETURNS text
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select left(replace(molva.uuidv7(p_now)::text, '-', ''), 27)
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TABLE workspaces.workspaces (
  workspace_id uuid NOT NULL DEFAULT molva.uuidv7(),
  name         text NOT NULL,
  status       text NOT NULL DEFAULT 'active'::text,
  timezone     text NOT NULL DEFAULT 'Europe/Moscow'::text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  settings     jsonb NOT NULL DEFAULT '{}'::jsonb,
  exported_at  timestamptz,
  CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspaces_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  CONSTRAINT workspaces_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT workspaces_status_check CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))
);
ALTER TABLE workspaces.workspaces ENABLE ROW LEVEL SECURITY;

CREATE TABLE workspaces.credential_bindings (
  workspace_id uuid NOT NULL,
  auth_ref     text NOT NULL,
  platform     text NOT NULL,
  secret_ref   text NOT NULL,
  rotated_at   timestamptz,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT credential_bindings_pkey PRIMARY KEY (workspace_id, auth_ref, platform),
  CONSTRAINT credential_bindings_secret_ref_check CHECK (secret_ref ~ '^(vault|env):.+'::text),
  CONSTRAINT credential_bindings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE workspaces.credential_bindings ENABLE ROW LEVEL SECURITY;

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION delivery.wake_dispatcher()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('molva_deliveries', new.workspace_id::text);
  return null;
end
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TRIGGER wake_dispatcher AFTER INSERT OR UPDATE ON workspaces.credential_bindings FOR EACH ROW EXECUTE FUNCTION delivery.wake_dispatcher();

CREATE TABLE workspaces.events (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  delivery_id  uuid,
  message_id   uuid,
  channel_id   uuid,
  ts           timestamptz NOT NULL DEFAULT now(),
  action       text NOT NULL,
  attempt      integer NOT NULL DEFAULT 0,
  result       text NOT NULL,
  error        jsonb,
  payload_ref  text,
  meta         jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT events_pkey PRIMARY KEY (workspace_id, ts, id),
  CONSTRAINT events_result_check CHECK (result = ANY (ARRAY['ok'::text, 'error'::text]))
) PARTITION BY RANGE (ts);
CREATE INDEX events_by_action ON workspaces.events USING btree (workspace_id, action, ts DESC);
CREATE INDEX events_by_channel ON workspaces.events USING btree (workspace_id, channel_id, ts DESC) WHERE channel_id IS NOT NULL;
CREATE INDEX events_by_delivery ON workspaces.events USING btree (workspace_id, delivery_id, ts DESC) WHERE delivery_id IS NOT NULL;
CREATE INDEX events_by_message ON workspaces.events USING btree (workspace_id, message_id, ts DESC) WHERE message_id IS NOT NULL;
CREATE INDEX events_by_result ON workspaces.events USING btree (workspace_id, result, ts DESC);
ALTER TABLE workspaces.events ENABLE ROW LEVEL SECURITY;

CREATE TABLE workspaces.events_rest PARTITION OF workspaces.events DEFAULT;
ALTER TABLE workspaces.events_rest ENABLE ROW LEVEL SECURITY;

CREATE TABLE workspaces.secrets (
  workspace_id uuid NOT NULL,
  secret_id    uuid NOT NULL DEFAULT molva.uuidv7(),
  ciphertext   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT secrets_pkey PRIMARY KEY (workspace_id, secret_id),
  CONSTRAINT secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE workspaces.secrets ENABLE ROW LEVEL SECURITY;

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION delivery.follow_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform delivery.follow_window(c, new.timezone, case when new.updated_at <> old.updated_at then new.updated_at else now() end)
  from delivery.channels c
  where c.workspace_id = new.workspace_id and c.timezone is null and c.window_mode = 'windowed';
  return null;
end
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TRIGGER follow_window AFTER UPDATE OF timezone ON workspaces.workspaces FOR EACH ROW WHEN (old.timezone <> new.timezone) EXECUTE FUNCTION delivery.follow_workspace();

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION delivery.policy_check_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault text := delivery.policy_fault(new.settings);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'policy_settings';
  end if;
  return new;
end
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TRIGGER policy_check_workspace BEFORE INSERT OR UPDATE OF settings ON workspaces.workspaces FOR EACH ROW EXECUTE FUNCTION delivery.policy_check_workspace();

CREATE OR REPLACE FUNCTION workspaces.refuse_bad_timezone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault text := workspaces.timezone_fault(new.timezone);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = tg_table_schema, table = tg_table_name,
      column = 'timezone', constraint = 'timezone_valid';
  end if;
  return new;
end
$function$;

CREATE TRIGGER refuse_bad_timezone BEFORE INSERT OR UPDATE OF timezone ON workspaces.workspaces FOR EACH ROW EXECUTE FUNCTION workspaces.refuse_bad_timezone();

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION delivery.retention_check_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault   text := delivery.retention_fault(new.settings);
  v_days    int;
  v_channel record;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
  end if;
  if tg_op = 'UPDATE' then
    select deliveries_days into v_days from delivery.retention_of(new.settings);
    select channel_id, coalesce(dedup_ttl_hours, 168) as hours into v_channel
    from delivery.channels
    where workspace_id = new.workspace_id and coalesce(dedup_ttl_hours, 168) > v_days * 24
    limit 1;
    if found then
      raise exception 'deliveries cannot be kept for only % days: channel % recognises repeats for % hours',
          v_days, v_channel.channel_id, v_channel.hours
        using errcode = 'check_violation', column = 'settings', constraint = 'retention_settings';
    end if;
    -- A shorter promise holds for what is stored already; a longer one does not prolong it.
    update delivery.payloads
    set expires_at = created_at + make_interval(days => r.payloads_days)
    from delivery.retention_of(new.settings) r
    where workspace_id = new.workspace_id and expires_at > created_at + make_interval(days => r.payloads_days);
  end if;
  return new;
end
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TRIGGER retention_check_workspace BEFORE INSERT OR UPDATE OF settings ON workspaces.workspaces FOR EACH ROW EXECUTE FUNCTION delivery.retention_check_workspace();

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION delivery.retention_end_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update delivery.payloads set expires_at = '-infinity' where workspace_id = old.workspace_id;
  update delivery.media_origin set last_seen_at = '-infinity' where workspace_id = old.workspace_id;
  return null;
end
$function$;

-- workspaces ----------------------------------------------------------------------------------------------------------

CREATE TRIGGER retention_end_workspace AFTER DELETE ON workspaces.workspaces FOR EACH ROW EXECUTE FUNCTION delivery.retention_end_workspace();

CREATE TRIGGER wake_dispatcher AFTER UPDATE OF status ON workspaces.workspaces FOR EACH ROW WHEN (new.status = 'active'::text) EXECUTE FUNCTION delivery.wake_dispatcher();

CREATE OR REPLACE FUNCTION workspaces.bind_credential(p_workspace_id uuid, p_auth_ref text, p_platform text, p_secret_ref text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_old_ref text;
begin
  -- Until the end of the transaction, one writer per binding: two first ones would leave a secret behind.
  perform pg_advisory_xact_lock(
    hashtextextended('workspaces.credential_bindings ' || p_workspace_id || ' ' || p_platform || ' ' || p_auth_ref, 0));
  select secret_ref into v_old_ref from workspaces.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform;
  insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref, updated_at)
  values (p_workspace_id, p_auth_ref, p_platform, p_secret_ref, p_now)
  on conflict (workspace_id, auth_ref, platform) do update
    set secret_ref = excluded.secret_ref, rotated_at = p_now, updated_at = p_now;
  perform workspaces.forget_secret(p_workspace_id, v_old_ref);
  perform workspaces.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref,
    case when v_old_ref is null then 'created' else 'rotated' end, true), p_now);
  return v_old_ref is not null;
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.counts_of(p_workspace_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_hook   text;
  v_counts jsonb;
  v_all    jsonb := '{}';
begin
  for v_hook in select molva.hooks('workspace_counts') loop
    execute format('select %s($1)', v_hook) into v_counts using p_workspace_id;
    v_all := v_all || v_counts;
  end loop;
  return v_all;
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.delete_credential(p_workspace_id uuid, p_auth_ref text, p_platform text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_secret_ref text;
  v_hook       text;
  v_users      text;
begin
  delete from workspaces.credential_bindings
  where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = p_platform
  returning secret_ref into v_secret_ref;
  if not found then
    return false;
  end if;
  for v_hook in select molva.hooks('credential_users') loop
    execute format('select %s($1, $2, $3)', v_hook) into v_users using p_workspace_id, p_platform, p_auth_ref;
    if v_users is not null then
      raise exception 'The credential is still used by %: rotate to another first.', v_users
        using errcode = 'restrict_violation';
    end if;
  end loop;
  perform workspaces.forget_secret(p_workspace_id, v_secret_ref);
  perform workspaces.note_change(p_workspace_id, null, 'config_changed', p_operator, p_reason, jsonb_build_object(
    'object', 'credential', 'platform', p_platform, 'auth_ref', p_auth_ref, 'deleted', true), p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.delete_workspace(p_workspace_id uuid, p_name text, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_refusal text;
begin
  perform from workspaces.workspaces where workspace_id = p_workspace_id for update;
  v_refusal := workspaces.workspace_deletion_refusal(p_workspace_id, p_name, p_now);
  if v_refusal <> '' then
    return v_refusal;
  end if;
  perform workspaces.forget_workspace(p_workspace_id);
  return 'deleted';
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.ensure_event_partitions(p_days_ahead integer DEFAULT 7, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
declare
  v_day  date;
  v_name text;
  v_made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('workspaces.event_partitions'));
  for v_day in
    select generate_series((p_now at time zone 'UTC')::date - 1, (p_now at time zone 'UTC')::date + p_days_ahead, '1 day')
  loop
    v_name := 'events_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass('workspaces.' || v_name) is not null;
    -- Rows of that day that came before their partition are moved into it.
    execute format('create table workspaces.%I (like workspaces.events including defaults including constraints)', v_name);
    execute format(
      'with early as (delete from workspaces.events_rest where ts >= %L and ts < %L returning *)
       insert into workspaces.%I select * from early',
      v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC', v_name);
    execute format('alter table workspaces.events attach partition workspaces.%I for values from (%L) to (%L)',
      v_name, v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC');
    execute format('alter table workspaces.%I enable row level security', v_name);
    v_made := v_made + 1;
  end loop;
  return v_made;
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.forget_secret(p_workspace_id uuid, p_secret_ref text)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from workspaces.secrets
  where workspace_id = p_workspace_id and 'vault:' || secret_id = p_secret_ref
$function$;

CREATE OR REPLACE FUNCTION workspaces.forget_workspace(p_workspace_id uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_table text;
begin
  -- Most goes with the workspace; what refers to nothing, because it outlives what it tells of, is told.
  delete from workspaces.workspaces where workspace_id = p_workspace_id;
  for v_table in select t.name from workspaces.workspace_tables() t where t.name <> 'workspaces.workspaces' loop
    execute format('delete from %s where workspace_id = $1', v_table) using p_workspace_id;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.keep_secret(p_workspace_id uuid, p_secret_id uuid, p_ciphertext text, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
AS $function$
  insert into workspaces.secrets (workspace_id, secret_id, ciphertext, created_at, updated_at)
  values (p_workspace_id, p_secret_id, p_ciphertext, p_now, p_now)
  returning 'vault:' || secret_id
$function$;

CREATE OR REPLACE FUNCTION workspaces.note_change(p_workspace_id uuid, p_channel_id uuid, p_action text, p_operator text, p_reason text, p_meta jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 'ok',
          jsonb_strip_nulls(jsonb_build_object(
            'operator', p_operator, 'reason', workspaces.redact_text(p_reason))) || workspaces.redact(p_meta))
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact(p jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when p is null then null
    when jsonb_typeof(p) = 'object'
      and p - array['category', 'scope', 'code', 'cause', 'message', 'retry_after_ms'] = '{}'
      and coalesce(jsonb_typeof(p -> 'message'), 'string') = 'string'
      and not coalesce(workspaces.redact_suspects(p ->> 'message'), false)
    then p
    else workspaces.redact_json_thoroughly(p)
  end
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_is_card(p_number text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select sum(case when place % 2 = 0 then digit * 2 - case when digit > 4 then 9 else 0 end else digit end) % 10 = 0
  from (
    select digit::int, row_number() over () as place
    from regexp_split_to_table(reverse(regexp_replace(p_number, '[^0-9]', '', 'g')), '') as digit
  ) digits
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_json_thoroughly(p jsonb, p_key text DEFAULT ''::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_long_secrets(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_numbers(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_suspects(p_text text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p_text ~ '[@=]|[0-9]([0-9]{5}|[A-Za-z]|[ ()\u00a0-]+[0-9])|[A-Za-z_+][0-9]'
    or p_text like '%uthori%' or p_text like '%UTHORI%' or p_text like '%earer%' or p_text like '%EARER%'
    or p_text like '%eyJ%'
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_text(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when workspaces.redact_suspects(p_text) then workspaces.redact_text_thoroughly(p_text) else p_text end
$function$;

CREATE OR REPLACE FUNCTION workspaces.redact_text_thoroughly(p_text text, p_is_id boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION workspaces.timezone_fault(p_timezone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  -- PostgreSQL takes an unknown name with a number in it for a rule of its own, so numbers are let in by form only.
  if p_timezone !~ '^(UTC|[A-Z][A-Za-z_]+(/[A-Z][A-Za-z_-]+)+|Etc/GMT(0|[+]([0-9]|1[0-2])|-([0-9]|1[0-4])))$' then
    raise invalid_parameter_value;
  end if;
  perform timestamptz 'epoch' at time zone p_timezone;
  return null;
exception when invalid_parameter_value then
  return format('%s is not a time zone: give an IANA name, such as "Europe/Moscow".', to_json(p_timezone));
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.workspace_deletion_refusal(p_workspace_id uuid, p_name text, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_refusal text;
  v_hook    text;
  v_busy    boolean;
begin
  select case
      when w.name is distinct from p_name then 'other_name'
      when w.status <> 'disabled' then 'not_disabled'
      when w.exported_at is null or w.exported_at < p_now - interval '1 day' then 'not_exported'
      else ''
    end into v_refusal
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;
  if v_refusal is null then
    return 'not_found';
  end if;
  if v_refusal <> '' then
    return v_refusal;
  end if;
  for v_hook in select molva.hooks('workspace_busy') loop
    execute format('select %s($1)', v_hook) into v_busy using p_workspace_id;
    if v_busy then
      return 'busy';
    end if;
  end loop;
  return '';
end
$function$;

CREATE OR REPLACE FUNCTION workspaces.workspace_tables()
 RETURNS TABLE(name text)
 LANGUAGE sql
 STABLE
AS $function$
  select format('%I.%I', n.nspname, c.relname)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  order by n.nspname <> 'workspaces', c.relname <> 'workspaces', n.nspname, c.relname
$function$;

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE TABLE delivery.adapter_calls (
  workspace_id  uuid NOT NULL,
  call_key      text NOT NULL,
  channel_id    uuid NOT NULL,
  body_hash     text,
  started_at    timestamptz NOT NULL,
  running_until timestamptz NOT NULL,
  progress      jsonb NOT NULL DEFAULT '[]'::jsonb,
  answer        jsonb,
  CONSTRAINT adapter_calls_pkey PRIMARY KEY (workspace_id, call_key),
  CONSTRAINT adapter_calls_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX adapter_calls_by_age ON delivery.adapter_calls USING btree (started_at);
ALTER TABLE delivery.adapter_calls ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.alert_targets (
  workspace_id uuid NOT NULL,
  target_id    uuid NOT NULL DEFAULT molva.uuidv7(),
  kind         text NOT NULL,
  config       jsonb NOT NULL,
  secret_ref   text,
  enabled      boolean NOT NULL DEFAULT true,
  language     text NOT NULL DEFAULT 'ru'::text,
  sent_count   bigint NOT NULL DEFAULT 0,
  failed_count bigint NOT NULL DEFAULT 0,
  last_error   text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT alert_targets_pkey PRIMARY KEY (workspace_id, target_id),
  CONSTRAINT alert_targets_config_check CHECK (jsonb_typeof(config) = 'object'::text),
  CONSTRAINT alert_targets_kind_check CHECK (kind = ANY (ARRAY['telegram'::text, 'webhook'::text, 'email'::text])),
  CONSTRAINT alert_targets_language_check CHECK (language = ANY (ARRAY['ru'::text, 'en'::text])),
  CONSTRAINT alert_targets_secret_ref_check CHECK (secret_ref ~ '^(vault|env):.+'::text),
  CONSTRAINT telegram_has_token CHECK (kind <> 'telegram'::text OR secret_ref IS NOT NULL),
  CONSTRAINT alert_targets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.alert_targets ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.alerts (
  workspace_id      uuid NOT NULL,
  alert_id          uuid NOT NULL DEFAULT molva.uuidv7(),
  alert_fingerprint text NOT NULL,
  reasons           text[] NOT NULL,
  findings          jsonb NOT NULL,
  created_at        timestamptz NOT NULL,
  CONSTRAINT alerts_pkey PRIMARY KEY (workspace_id, alert_id),
  CONSTRAINT alerts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX alerts_by_time ON delivery.alerts USING btree (workspace_id, created_at DESC);
ALTER TABLE delivery.alerts ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.alert_sends (
  workspace_id uuid NOT NULL,
  alert_id     uuid NOT NULL,
  target_id    uuid NOT NULL,
  status       text NOT NULL DEFAULT 'pending'::text,
  attempts     integer NOT NULL DEFAULT 0,
  taken_until  timestamptz,
  last_error   text,
  ended_at     timestamptz,
  CONSTRAINT alert_sends_pkey PRIMARY KEY (workspace_id, alert_id, target_id),
  CONSTRAINT alert_sends_status_check CHECK (status = ANY (ARRAY['pending'::text, 'sent'::text, 'given_up'::text])),
  CONSTRAINT alert_sends_workspace_id_alert_id_fkey FOREIGN KEY (workspace_id, alert_id) REFERENCES delivery.alerts(workspace_id, alert_id) ON DELETE CASCADE,
  CONSTRAINT alert_sends_workspace_id_target_id_fkey FOREIGN KEY (workspace_id, target_id) REFERENCES delivery.alert_targets(workspace_id, target_id) ON DELETE CASCADE
);
CREATE INDEX alert_sends_pending ON delivery.alert_sends USING btree (workspace_id, alert_id) WHERE status = 'pending'::text;
ALTER TABLE delivery.alert_sends ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION delivery.filter_tags(p_filter jsonb, p_key text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select lower(btrim(element) collate "und-x-icu") as tag
    from jsonb_array_elements_text(
      case when jsonb_typeof(p_filter -> p_key) = 'array' then p_filter -> p_key else '[]' end) as element
  ) as tags
  where tag <> ''
$function$;

CREATE OR REPLACE FUNCTION delivery.route_keys(p_workspace_id uuid, p_filter jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(p_workspace_id || ' ' || key)
  from unnest(case
    when delivery.filter_tags(p_filter, 'include_any') <> '{}' then delivery.filter_tags(p_filter, 'include_any')
    when delivery.filter_tags(p_filter, 'include_all') <> '{}' then (delivery.filter_tags(p_filter, 'include_all'))[1:1]
    else array['*']
  end) as key
$function$;

CREATE TABLE delivery.channels (
  workspace_id                   uuid NOT NULL,
  channel_id                     uuid NOT NULL DEFAULT molva.uuidv7(),
  platform                       text NOT NULL,
  target_id                      text NOT NULL,
  auth_ref                       text NOT NULL,
  rate_group                     text NOT NULL,
  enabled                        boolean NOT NULL DEFAULT true,
  title                          text,
  send_mode                      text NOT NULL DEFAULT 'mixed'::text,
  rate_rps                       numeric DEFAULT 1,
  max_parallel                   integer NOT NULL DEFAULT 1,
  next_allowed_at                timestamptz,
  paused_until                   timestamptz,
  timezone                       text,
  window_mode                    text NOT NULL DEFAULT 'immediate'::text,
  posting_window                 jsonb,
  dedup_ttl_hours                integer DEFAULT 168,
  error_streak                   integer NOT NULL DEFAULT 0,
  unknown_policy                 text NOT NULL DEFAULT 'at_least_once'::text,
  settings                       jsonb NOT NULL DEFAULT '{}'::jsonb,
  tags                           text[] NOT NULL DEFAULT '{}'::text[],
  route_filter                   jsonb,
  created_at                     timestamptz NOT NULL DEFAULT now(),
  updated_at                     timestamptz NOT NULL DEFAULT now(),
  template_ref                   text,
  max_age_seconds                integer,
  on_stale                       text NOT NULL DEFAULT 'drop'::text,
  catchup                        text NOT NULL DEFAULT 'paced'::text,
  silence_after_seconds          integer,
  route_any                      text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'include_any'::text)) STORED,
  route_all                      text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'include_all'::text)) STORED,
  route_none                     text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'exclude'::text)) STORED,
  route_keys                     text[] NOT NULL GENERATED ALWAYS AS (delivery.route_keys(workspace_id, route_filter)) STORED,
  profile_key                    text NOT NULL GENERATED ALWAYS AS (md5((((((platform || '|'::text) || send_mode) || '|'::text) || settings::text) || '|'::text) || COALESCE(template_ref, ''::text))) STORED,
  last_started_at                timestamptz,
  pause_on_permanent_seconds     integer,
  disable_after_permanent_streak integer,
  allow_duplicate                boolean NOT NULL DEFAULT false,
  target_name                    text,
  CONSTRAINT channels_pkey PRIMARY KEY (workspace_id, channel_id),
  CONSTRAINT channels_workspace_id_platform_target_id_key UNIQUE (workspace_id, platform, target_id),
  CONSTRAINT channels_auth_ref_check CHECK (auth_ref <> ''::text),
  CONSTRAINT channels_catchup_check CHECK (catchup = ANY (ARRAY['paced'::text, 'newest_first'::text])),
  CONSTRAINT channels_dedup_ttl_hours_check CHECK (dedup_ttl_hours >= 0),
  CONSTRAINT channels_disable_after_permanent_streak_check CHECK (disable_after_permanent_streak >= 1 AND disable_after_permanent_streak <= 1000),
  CONSTRAINT channels_error_streak_check CHECK (error_streak >= 0),
  CONSTRAINT channels_max_age_seconds_check CHECK (max_age_seconds > 0),
  CONSTRAINT channels_max_parallel_check CHECK (max_parallel >= 1),
  CONSTRAINT channels_on_stale_check CHECK (on_stale = ANY (ARRAY['drop'::text, 'hold'::text])),
  CONSTRAINT channels_pause_on_permanent_seconds_check CHECK (pause_on_permanent_seconds >= 60 AND pause_on_permanent_seconds <= 604800),
  CONSTRAINT channels_rate_group_check CHECK (rate_group <> ''::text),
  CONSTRAINT channels_rate_rps_check CHECK (rate_rps >= 0::numeric),
  CONSTRAINT channels_route_filter_check CHECK (route_filter IS NULL OR jsonb_typeof(route_filter) = 'object'::text),
  CONSTRAINT channels_send_mode_check CHECK (send_mode = ANY (ARRAY['text'::text, 'media'::text, 'mixed'::text])),
  CONSTRAINT channels_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT channels_silence_after_seconds_check CHECK (silence_after_seconds > 0),
  CONSTRAINT channels_target_id_check CHECK (target_id <> ''::text),
  CONSTRAINT channels_unknown_policy_check CHECK (unknown_policy = ANY (ARRAY['at_least_once'::text, 'at_most_once'::text])),
  CONSTRAINT channels_window_mode_check CHECK (window_mode = ANY (ARRAY['immediate'::text, 'windowed'::text])),
  CONSTRAINT channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX channels_enabled ON delivery.channels USING btree (workspace_id, enabled);
CREATE INDEX channels_rate_group ON delivery.channels USING btree (workspace_id, platform, rate_group);
CREATE INDEX channels_route ON delivery.channels USING gin (route_keys) WHERE enabled;
CREATE INDEX channels_tags ON delivery.channels USING gin (tags);
CREATE INDEX channels_watched_for_silence ON delivery.channels USING btree (workspace_id, channel_id) WHERE silence_after_seconds IS NOT NULL;
ALTER TABLE delivery.channels ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.channel_auth (
  workspace_id uuid NOT NULL,
  channel_id   uuid NOT NULL,
  auth_ref     text NOT NULL,
  rotated_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT channel_auth_pkey PRIMARY KEY (workspace_id, channel_id),
  CONSTRAINT channel_auth_workspace_id_channel_id_fkey FOREIGN KEY (workspace_id, channel_id) REFERENCES delivery.channels(workspace_id, channel_id) ON DELETE CASCADE
);
ALTER TABLE delivery.channel_auth ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.channel_silences (
  workspace_id  uuid NOT NULL,
  channel_id    uuid NOT NULL,
  alive_at      timestamptz NOT NULL,
  looked_until  timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  quiet_since   timestamptz,
  overdue_since timestamptz,
  CONSTRAINT channel_silences_pkey PRIMARY KEY (workspace_id, channel_id),
  CONSTRAINT channel_silences_workspace_id_channel_id_fkey FOREIGN KEY (workspace_id, channel_id) REFERENCES delivery.channels(workspace_id, channel_id) ON DELETE CASCADE
);
ALTER TABLE delivery.channel_silences ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION delivery.check_channel_rules()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault  text := delivery.route_filter_fault(new.route_filter);
  v_column text := 'route_filter';
begin
  if v_fault is null then
    v_fault := delivery.channel_settings_fault(new.settings);
    v_column := 'settings';
  end if;
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = v_column, constraint = v_column || '_valid';
  end if;
  new.tags := delivery.tags_in_order(new.tags);
  new.route_filter := case when new.route_filter is not null then delivery.route_filter_in_order(new.route_filter) end;
  return new;
end
$function$;

CREATE TRIGGER check_channel_rules BEFORE INSERT OR UPDATE OF route_filter, tags, settings ON delivery.channels FOR EACH ROW EXECUTE FUNCTION delivery.check_channel_rules();

CREATE OR REPLACE FUNCTION delivery.follow_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform delivery.follow_window(new, w.timezone, case when new.updated_at <> old.updated_at then new.updated_at else now() end)
  from workspaces.workspaces w where w.workspace_id = new.workspace_id;
  return null;
end
$function$;

CREATE TRIGGER follow_window AFTER UPDATE OF window_mode, posting_window, timezone ON delivery.channels FOR EACH ROW WHEN (old.window_mode IS DISTINCT FROM new.window_mode OR old.posting_window IS DISTINCT FROM new.posting_window OR old.timezone IS DISTINCT FROM new.timezone) EXECUTE FUNCTION delivery.follow_channel();

CREATE OR REPLACE FUNCTION delivery.keep_target_in_form()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_read record := delivery.read_target(new.platform, new.target_id);
  v_plain text;
begin
  if tg_op = 'UPDATE' then
    if new.target_id = old.target_id and new.platform = old.platform then
      return new;
    end if;
    -- The name belonged to the chat that it was.
    if new.target_name is not distinct from old.target_name then
      new.target_name := null;
    end if;
  end if;
  if v_read.fault is not null then
    raise exception '%', v_read.fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = 'target_id', constraint = 'target_valid';
  end if;
  v_plain := regexp_replace(v_read.target, '#[0-9]+$', '');
  new.target_id := v_read.target;
  if new.allow_duplicate then
    for v_number in 2 .. 1000 loop
      exit when not exists (
        select from delivery.channels c
        where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_id = new.target_id
          and c.channel_id <> new.channel_id);
      new.target_id := v_plain || '#' || v_number;
    end loop;
    return new;
  end if;
  new.target_id := v_plain;
  -- The same target is the key's to refuse, so that "on conflict" keeps its meaning.
  if exists (
    select from delivery.channels c
    where c.workspace_id = new.workspace_id and c.platform = new.platform and c.target_name = v_plain
      and c.channel_id <> new.channel_id
  ) then
    raise exception 'The workspace already has a channel on this chat.'
      using errcode = 'unique_violation', schema = 'delivery', table = 'channels', column = 'target_id',
        constraint = 'channels_workspace_id_platform_target_id_key';
  end if;
  return new;
end
$function$;

CREATE TRIGGER keep_target_in_form BEFORE INSERT OR UPDATE OF target_id, platform ON delivery.channels FOR EACH ROW EXECUTE FUNCTION delivery.keep_target_in_form();

CREATE TRIGGER refuse_bad_timezone BEFORE INSERT OR UPDATE OF timezone ON delivery.channels FOR EACH ROW WHEN (new.timezone IS NOT NULL) EXECUTE FUNCTION workspaces.refuse_bad_timezone();

CREATE OR REPLACE FUNCTION delivery.refuse_bad_window()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault text := case
    when new.window_mode = 'windowed' and new.posting_window is null
      then 'A windowed channel needs a posting window.'
    else delivery.posting_window_fault(new.posting_window)
  end;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = 'posting_window', constraint = 'posting_window_valid';
  end if;
  return new;
end
$function$;

CREATE TRIGGER refuse_bad_window BEFORE INSERT OR UPDATE OF window_mode, posting_window ON delivery.channels FOR EACH ROW WHEN (new.posting_window IS NOT NULL OR new.window_mode = 'windowed'::text) EXECUTE FUNCTION delivery.refuse_bad_window();

CREATE OR REPLACE FUNCTION delivery.retention_check_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_hours int := coalesce(new.dedup_ttl_hours, 168);
  v_days  int;
begin
  -- The lock keeps the retention from being shortened at the same moment.
  select r.deliveries_days into v_days
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = new.workspace_id
  for share of w;
  if v_hours > v_days * 24 then
    raise exception 'dedup_ttl_hours is % hours, but deliveries are kept for % days (% hours): a repeat could not be recognised that long',
        v_hours, v_days, v_days * 24
      using errcode = 'check_violation', column = 'dedup_ttl_hours', constraint = 'dedup_within_retention';
  end if;
  return new;
end
$function$;

CREATE TRIGGER retention_check_channel BEFORE INSERT OR UPDATE OF dedup_ttl_hours ON delivery.channels FOR EACH ROW EXECUTE FUNCTION delivery.retention_check_channel();

CREATE TABLE delivery.claim_marks (
  workspace_id uuid NOT NULL,
  channel_id   uuid NOT NULL,
  CONSTRAINT claim_marks_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT claim_marks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.claim_marks ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.messages (
  workspace_id        uuid NOT NULL,
  message_id          uuid NOT NULL DEFAULT molva.uuidv7(),
  hash_version        integer NOT NULL DEFAULT 1,
  content_hash        text NOT NULL,
  payload             jsonb NOT NULL,
  tags                text[] NOT NULL DEFAULT '{}'::text[],
  source              jsonb,
  source_ref          text,
  first_seen_trace_id text,
  first_ingest_run_id text,
  last_seen_at        timestamptz NOT NULL DEFAULT now(),
  last_ingest_run_id  text,
  seen_count          bigint NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT messages_pkey PRIMARY KEY (workspace_id, message_id),
  CONSTRAINT messages_workspace_id_hash_version_content_hash_key UNIQUE (workspace_id, hash_version, content_hash),
  CONSTRAINT messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX messages_blobs ON delivery.messages USING gin (jsonb_path_query_array(payload, '$."media"[*]."blob_ref"'::jsonpath) jsonb_path_ops) WHERE payload ? 'media'::text;
CREATE INDEX messages_by_time ON delivery.messages USING btree (workspace_id, created_at);
CREATE INDEX messages_tags ON delivery.messages USING gin (tags);
ALTER TABLE delivery.messages ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.deliveries (
  workspace_id        uuid NOT NULL,
  delivery_id         uuid NOT NULL DEFAULT molva.uuidv7(),
  message_id          uuid NOT NULL,
  channel_id          uuid NOT NULL,
  hash_version        integer NOT NULL,
  content_hash        text NOT NULL,
  not_before          timestamptz NOT NULL DEFAULT now(),
  scheduled_for       timestamptz,
  status              text NOT NULL,
  attempt             integer NOT NULL DEFAULT 0,
  requeues            integer NOT NULL DEFAULT 0,
  next_retry_at       timestamptz,
  held_at             timestamptz,
  hold_reason         text,
  provider_message_id text,
  sent_at             timestamptz,
  last_error          jsonb,
  rendered_text       text,
  render_meta         jsonb NOT NULL DEFAULT '{}'::jsonb,
  provider_meta       jsonb,
  template_version    text,
  trace_id            text,
  claimed_at          timestamptz,
  claim_token         text,
  sending_started_at  timestamptz,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  due_at              timestamptz NOT NULL GENERATED ALWAYS AS (GREATEST(not_before, COALESCE(next_retry_at, not_before))) STORED,
  CONSTRAINT deliveries_pkey PRIMARY KEY (workspace_id, delivery_id),
  CONSTRAINT deliveries_attempt_check CHECK (attempt >= 0),
  CONSTRAINT deliveries_requeues_check CHECK (requeues >= 0),
  CONSTRAINT deliveries_status_check CHECK (status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'sent'::text, 'retry'::text, 'deduped'::text, 'failed_permanent'::text, 'dead'::text])),
  CONSTRAINT hold_has_reason CHECK ((held_at IS NULL) = (hold_reason IS NULL)),
  CONSTRAINT retry_has_time CHECK (status <> 'retry'::text OR next_retry_at IS NOT NULL),
  CONSTRAINT sent_has_time CHECK (status <> 'sent'::text OR sent_at IS NOT NULL),
  CONSTRAINT token_only_while_taken CHECK ((claim_token IS NOT NULL) = (status = ANY (ARRAY['claimed'::text, 'sending'::text]))),
  CONSTRAINT deliveries_workspace_id_channel_id_fkey FOREIGN KEY (workspace_id, channel_id) REFERENCES delivery.channels(workspace_id, channel_id) ON DELETE CASCADE,
  CONSTRAINT deliveries_workspace_id_message_id_fkey FOREIGN KEY (workspace_id, message_id) REFERENCES delivery.messages(workspace_id, message_id) ON DELETE CASCADE
);
CREATE INDEX deliveries_audit ON delivery.deliveries USING btree (workspace_id, channel_id, hash_version, content_hash) WHERE status = ANY (ARRAY['sent'::text, 'deduped'::text]);
CREATE INDEX deliveries_by_message ON delivery.deliveries USING hash (message_id);
CREATE INDEX deliveries_claimed ON delivery.deliveries USING btree (workspace_id, channel_id, not_before, delivery_id) WITH (deduplicate_items=off) WHERE status = 'claimed'::text;
CREATE INDEX deliveries_dead ON delivery.deliveries USING btree (workspace_id) WHERE status = 'dead'::text;
CREATE INDEX deliveries_due ON delivery.deliveries USING btree (workspace_id, status, not_before, next_retry_at) WITH (deduplicate_items=off) WHERE status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'retry'::text]);
CREATE INDEX deliveries_ended ON delivery.deliveries USING btree (workspace_id, channel_id, delivery_id) WHERE (status = ANY (ARRAY['sent'::text, 'deduped'::text, 'failed_permanent'::text, 'dead'::text])) IS TRUE;
CREATE INDEX deliveries_inflight ON delivery.deliveries USING btree (workspace_id, channel_id, hash_version, content_hash, created_at) WITH (fillfactor='50', deduplicate_items=off) WHERE status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'retry'::text]);
CREATE INDEX deliveries_retry ON delivery.deliveries USING btree (workspace_id, status, next_retry_at) WHERE next_retry_at IS NOT NULL;
CREATE INDEX deliveries_sent ON delivery.deliveries USING btree (workspace_id, channel_id, hash_version, content_hash, sent_at) WHERE status = 'sent'::text AND sent_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON delivery.deliveries USING btree (workspace_id, channel_id, due_at, delivery_id) WITH (deduplicate_items=off) WHERE (status = ANY (ARRAY['queued'::text, 'retry'::text])) AND held_at IS NULL;
ALTER TABLE delivery.deliveries ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION delivery.refuse_birth()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a delivery cannot begin as %', new.status using errcode = 'check_violation';
end
$function$;

CREATE TRIGGER refuse_birth BEFORE INSERT ON delivery.deliveries FOR EACH ROW WHEN ((new.status <> ALL (ARRAY['queued'::text, 'deduped'::text, 'failed_permanent'::text])) OR new.attempt <> 0) EXECUTE FUNCTION delivery.refuse_birth();

CREATE OR REPLACE FUNCTION delivery.refuse_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a delivery cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('delivery %s', old.delivery_id);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.transition_allowed(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_from WHEN 'queued'::text THEN (p_to = ANY (ARRAY['claimed'::text, 'failed_permanent'::text, 'dead'::text])) WHEN 'retry'::text THEN (p_to = ANY (ARRAY['claimed'::text, 'failed_permanent'::text, 'dead'::text])) WHEN 'claimed'::text THEN (p_to = ANY (ARRAY['sending'::text, 'queued'::text, 'retry'::text, 'failed_permanent'::text, 'dead'::text])) WHEN 'sending'::text THEN (p_to = ANY (ARRAY['sent'::text, 'retry'::text, 'failed_permanent'::text, 'dead'::text])) WHEN 'dead'::text THEN (p_to = 'retry'::text) WHEN 'failed_permanent'::text THEN (p_to = 'retry'::text) ELSE false END;

CREATE TRIGGER refuse_transition BEFORE UPDATE OF status ON delivery.deliveries FOR EACH ROW WHEN (old.status <> new.status AND NOT delivery.transition_allowed(old.status, new.status)) EXECUTE FUNCTION delivery.refuse_transition();

CREATE TABLE delivery.dispatcher_runs (
  run_id        text NOT NULL,
  joined_at     timestamptz NOT NULL DEFAULT now(),
  missing_since timestamptz,
  missed_at     timestamptz,
  CONSTRAINT dispatcher_runs_pkey PRIMARY KEY (run_id),
  CONSTRAINT missing_has_both CHECK ((missing_since IS NULL) = (missed_at IS NULL))
);
ALTER TABLE delivery.dispatcher_runs ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.dispatcher_state (
  only_row          boolean NOT NULL DEFAULT true,
  workspace_id_last uuid,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT dispatcher_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT dispatcher_state_only_row_check CHECK (only_row)
);
ALTER TABLE delivery.dispatcher_state ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.event_minutes (
  workspace_id uuid NOT NULL,
  minute       timestamptz NOT NULL,
  action       text NOT NULL,
  count        bigint NOT NULL,
  CONSTRAINT event_minutes_pkey PRIMARY KEY (workspace_id, minute, action),
  CONSTRAINT event_minutes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.event_minutes ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.event_rollups (
  workspace_id uuid NOT NULL,
  rolled_until timestamptz NOT NULL,
  CONSTRAINT event_rollups_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT event_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.event_rollups ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.event_totals (
  workspace_id uuid NOT NULL,
  action       text NOT NULL,
  count        bigint NOT NULL,
  CONSTRAINT event_totals_pkey PRIMARY KEY (workspace_id, action),
  CONSTRAINT event_totals_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.event_totals ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.ingest_runs (
  workspace_id uuid NOT NULL,
  run_id       text NOT NULL,
  kind         text NOT NULL,
  endpoint_id  uuid,
  started_at   timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz,
  stats_json   jsonb NOT NULL DEFAULT '{}'::jsonb,
  source_id    text,
  trace_ids    text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT ingest_runs_pkey PRIMARY KEY (workspace_id, run_id),
  CONSTRAINT ingest_runs_kind_check CHECK (kind = ANY (ARRAY['push'::text, 'pull'::text])),
  CONSTRAINT ingest_runs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX ingest_runs_by_source ON delivery.ingest_runs USING btree (workspace_id, source_id, started_at DESC) WHERE source_id IS NOT NULL;
CREATE INDEX ingest_runs_by_time ON delivery.ingest_runs USING btree (workspace_id, started_at);
ALTER TABLE delivery.ingest_runs ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.pull_sources (
  workspace_id    uuid NOT NULL,
  source_id       text NOT NULL,
  kind            text NOT NULL,
  config_json     jsonb NOT NULL,
  secret_ref      text,
  enabled         boolean NOT NULL DEFAULT true,
  every_seconds   integer NOT NULL DEFAULT 1800,
  next_run_at     timestamptz NOT NULL DEFAULT now(),
  leased_by       text,
  leased_until    timestamptz,
  last_run_at     timestamptz,
  last_success_at timestamptz,
  listed_at       timestamptz,
  forgotten_up_to timestamptz,
  failures        integer NOT NULL DEFAULT 0,
  last_error      jsonb,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pull_sources_pkey PRIMARY KEY (workspace_id, source_id),
  CONSTRAINT lease_is_whole CHECK ((leased_by IS NULL) = (leased_until IS NULL)),
  CONSTRAINT pull_sources_config_json_check CHECK (jsonb_typeof(config_json) = 'object'::text),
  CONSTRAINT pull_sources_every_seconds_check CHECK (every_seconds >= 10 AND every_seconds <= 604800),
  CONSTRAINT pull_sources_failures_check CHECK (failures >= 0),
  CONSTRAINT pull_sources_kind_check CHECK (kind = ANY (ARRAY['rss'::text, 'api'::text, 'db'::text])),
  CONSTRAINT pull_sources_secret_ref_check CHECK (secret_ref ~ '^(vault:.+|env:MOLVA_SOURCE_[A-Z0-9_]+)$'::text),
  CONSTRAINT pull_sources_source_id_check CHECK (source_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT pull_sources_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX pull_sources_due ON delivery.pull_sources USING btree (next_run_at) WHERE enabled;
ALTER TABLE delivery.pull_sources ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.workspace_endpoints (
  workspace_id         uuid NOT NULL,
  endpoint_id          uuid NOT NULL DEFAULT molva.uuidv7(),
  kind                 text NOT NULL,
  secret_hash          text,
  enabled              boolean NOT NULL DEFAULT true,
  ingress_rps          numeric NOT NULL DEFAULT 5,
  max_payload_bytes    integer NOT NULL DEFAULT 262144,
  hash_drop_window_sec integer NOT NULL DEFAULT 10,
  meta                 jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  source_id            text,
  CONSTRAINT workspace_endpoints_pkey PRIMARY KEY (workspace_id, endpoint_id),
  CONSTRAINT source_or_secret CHECK (
CASE kind
    WHEN 'pull_source'::text THEN source_id IS NOT NULL AND secret_hash IS NULL
    ELSE source_id IS NULL AND secret_hash IS NOT NULL
END),
  CONSTRAINT workspace_endpoints_hash_drop_window_sec_check CHECK (hash_drop_window_sec >= 1),
  CONSTRAINT workspace_endpoints_ingress_rps_check CHECK (ingress_rps >= 0::numeric),
  CONSTRAINT workspace_endpoints_kind_check CHECK (kind = ANY (ARRAY['webhook_push'::text, 'bot_webhook'::text, 'pull_source'::text])),
  CONSTRAINT workspace_endpoints_max_payload_bytes_check CHECK (max_payload_bytes >= 0),
  CONSTRAINT workspace_endpoints_secret_hash_check CHECK (secret_hash ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT workspace_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE,
  CONSTRAINT workspace_endpoints_workspace_id_source_id_fkey FOREIGN KEY (workspace_id, source_id) REFERENCES delivery.pull_sources(workspace_id, source_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX workspace_endpoints_active_secret ON delivery.workspace_endpoints USING btree (kind, secret_hash) WHERE enabled;
CREATE UNIQUE INDEX workspace_endpoints_active_source ON delivery.workspace_endpoints USING btree (workspace_id, source_id) WHERE enabled AND source_id IS NOT NULL;
ALTER TABLE delivery.workspace_endpoints ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.ingress_buckets (
  workspace_id uuid NOT NULL,
  endpoint_id  uuid NOT NULL,
  tokens       double precision NOT NULL,
  refilled_at  timestamptz NOT NULL,
  CONSTRAINT ingress_buckets_pkey PRIMARY KEY (workspace_id, endpoint_id),
  CONSTRAINT ingress_buckets_workspace_id_endpoint_id_fkey FOREIGN KEY (workspace_id, endpoint_id) REFERENCES delivery.workspace_endpoints(workspace_id, endpoint_id) ON DELETE CASCADE
) WITH (fillfactor=50);
ALTER TABLE delivery.ingress_buckets ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.ingress_receipts (
  workspace_id  uuid NOT NULL,
  receipt_id    uuid NOT NULL DEFAULT molva.uuidv7(),
  endpoint_id   uuid NOT NULL,
  endpoint_kind text NOT NULL,
  source_ref    text,
  payload_hash  text NOT NULL,
  received_at   timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL,
  CONSTRAINT ingress_receipts_pkey PRIMARY KEY (workspace_id, receipt_id),
  CONSTRAINT ingress_receipts_endpoint_kind_check CHECK (endpoint_kind = ANY (ARRAY['webhook_push'::text, 'bot_webhook'::text])),
  CONSTRAINT ingress_receipts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX ingress_receipts_expiry ON delivery.ingress_receipts USING btree (expires_at);
CREATE INDEX ingress_receipts_hash ON delivery.ingress_receipts USING btree (workspace_id, endpoint_id, payload_hash, received_at DESC);
CREATE UNIQUE INDEX ingress_receipts_source ON delivery.ingress_receipts USING btree (workspace_id, endpoint_id, source_ref) WHERE source_ref IS NOT NULL;
ALTER TABLE delivery.ingress_receipts ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.media_blobs (
  workspace_id uuid NOT NULL,
  blob_ref     text NOT NULL,
  provider     text NOT NULL,
  file_id      text,
  url          text,
  expires_at   timestamptz,
  meta         jsonb,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT media_blobs_pkey PRIMARY KEY (workspace_id, blob_ref, provider),
  CONSTRAINT media_blobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.media_blobs ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.media_claims (
  workspace_id uuid NOT NULL,
  blob_ref     text NOT NULL,
  purpose      text NOT NULL,
  holder       uuid NOT NULL,
  expires_at   timestamptz NOT NULL,
  CONSTRAINT media_claims_pkey PRIMARY KEY (workspace_id, blob_ref, purpose)
);
ALTER TABLE delivery.media_claims ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.media_origin (
  workspace_id uuid NOT NULL,
  blob_ref     text NOT NULL,
  origin_url   text NOT NULL,
  sha256       text,
  content_type text,
  size_bytes   bigint,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  ref_count    bigint NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  source_url   text,
  file_name    text,
  width        integer,
  height       integer,
  fetched_at   timestamptz,
  fetch_after  timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT media_origin_pkey PRIMARY KEY (workspace_id, blob_ref)
);
CREATE INDEX media_origin_expected ON delivery.media_origin USING btree (workspace_id, fetch_after) WHERE origin_url !~~ 'storage:%'::text;
CREATE INDEX media_origin_unreferenced ON delivery.media_origin USING btree (workspace_id, blob_ref) WHERE ref_count = 0;
ALTER TABLE delivery.media_origin ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION delivery.media_expect()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- In one order, so that two posts with the same media do not wait for each other in a circle.
  insert into delivery.media_origin (workspace_id, blob_ref, origin_url, last_seen_at, created_at)
  select distinct on (m ->> 'blob_ref') new.workspace_id, m ->> 'blob_ref', m ->> 'url', new.last_seen_at, new.created_at
  from jsonb_array_elements(new.payload -> 'media') as m
  where m ->> 'url' ~ '^https?://' and m ->> 'blob_ref' is not null
  order by m ->> 'blob_ref'
  on conflict do nothing;
  perform pg_notify('molva_media', '');
  return null;
end
$function$;

CREATE TRIGGER media_expect AFTER INSERT ON delivery.messages FOR EACH ROW WHEN (new.payload @? '$."media"[*]."url"'::jsonpath) EXECUTE FUNCTION delivery.media_expect();

CREATE OR REPLACE FUNCTION delivery.media_gc_touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- In one order, so that two posts with the same media do not wait for each other in a circle.
  perform from delivery.media_origin o
  where o.workspace_id = new.workspace_id
    and o.blob_ref in (select jsonb_array_elements_text(jsonb_path_query_array(new.payload, '$.media[*].blob_ref')))
  order by o.blob_ref
  for update;
  update delivery.media_origin o
  set last_seen_at = greatest(o.last_seen_at, new.last_seen_at)
  where o.workspace_id = new.workspace_id
    and o.blob_ref in (select jsonb_array_elements_text(jsonb_path_query_array(new.payload, '$.media[*].blob_ref')));
  return null;
end
$function$;

CREATE TRIGGER media_gc_touch AFTER INSERT OR UPDATE OF last_seen_at ON delivery.messages FOR EACH ROW WHEN (new.payload @? '$."media"[*]."blob_ref"'::jsonpath) EXECUTE FUNCTION delivery.media_gc_touch();

CREATE TABLE delivery.monitor_alert_receipts (
  workspace_key     text NOT NULL,
  alert_fingerprint text NOT NULL,
  first_sent_at     timestamptz NOT NULL,
  last_sent_at      timestamptz NOT NULL,
  sent_count        bigint NOT NULL DEFAULT 1,
  CONSTRAINT monitor_alert_receipts_pkey PRIMARY KEY (workspace_key, alert_fingerprint)
);
ALTER TABLE delivery.monitor_alert_receipts ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.monitor_settings (
  workspace_id               uuid NOT NULL,
  failed_permanent_threshold integer NOT NULL DEFAULT 5,
  paused_channels_threshold  integer NOT NULL DEFAULT 10,
  alert_cooldown_seconds     integer NOT NULL DEFAULT 300,
  updated_at                 timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT monitor_settings_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT monitor_settings_alert_cooldown_seconds_check CHECK (alert_cooldown_seconds >= 1),
  CONSTRAINT monitor_settings_failed_permanent_threshold_check CHECK (failed_permanent_threshold >= 0),
  CONSTRAINT monitor_settings_paused_channels_threshold_check CHECK (paused_channels_threshold >= 0),
  CONSTRAINT monitor_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.monitor_settings ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.monitor_state (
  workspace_id   uuid NOT NULL,
  reported_until timestamptz NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  reported_after jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT monitor_state_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT monitor_state_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.monitor_state ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.orphan_cursors (
  workspace_id uuid NOT NULL,
  reader       text NOT NULL,
  ts           timestamptz NOT NULL,
  event_id     uuid NOT NULL,
  moved_at     timestamptz NOT NULL,
  CONSTRAINT orphan_cursors_pkey PRIMARY KEY (workspace_id, reader),
  CONSTRAINT orphan_cursors_reader_check CHECK (reader = ANY (ARRAY['fresh'::text, 'round'::text])),
  CONSTRAINT orphan_cursors_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.orphan_cursors ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.orphan_events (
  workspace_id uuid NOT NULL,
  event_id     uuid NOT NULL,
  event_ts     timestamptz NOT NULL,
  action       text NOT NULL,
  missing      text NOT NULL,
  missing_id   uuid NOT NULL,
  found_at     timestamptz NOT NULL,
  CONSTRAINT orphan_events_pkey PRIMARY KEY (workspace_id, event_id),
  CONSTRAINT orphan_events_missing_check CHECK (missing = ANY (ARRAY['channel'::text, 'message'::text, 'delivery'::text])),
  CONSTRAINT orphan_events_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX orphan_events_found ON delivery.orphan_events USING btree (workspace_id, found_at);
ALTER TABLE delivery.orphan_events ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.payloads (
  workspace_id uuid NOT NULL,
  payload_ref  uuid NOT NULL DEFAULT molva.uuidv7(),
  storage_key  text NOT NULL,
  kind         text NOT NULL,
  size_bytes   bigint NOT NULL,
  sha256       text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT payloads_pkey PRIMARY KEY (workspace_id, payload_ref),
  CONSTRAINT payloads_check CHECK (expires_at > created_at OR expires_at = '-infinity'::timestamp with time zone),
  CONSTRAINT payloads_kind_check CHECK (kind = ANY (ARRAY['provider_answer'::text, 'ingress_body'::text])),
  CONSTRAINT payloads_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT payloads_size_bytes_check CHECK (size_bytes >= 0)
);
CREATE INDEX payloads_expiry ON delivery.payloads USING btree (expires_at, payload_ref);
ALTER TABLE delivery.payloads ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.platform_limits (
  workspace_id    uuid NOT NULL,
  platform        text NOT NULL,
  rate_group      text NOT NULL,
  rate_rps        numeric,
  next_allowed_at timestamptz,
  cooldown_until  timestamptz,
  updated_at      timestamptz NOT NULL DEFAULT now(),
  last_started_at timestamptz,
  CONSTRAINT platform_limits_pkey PRIMARY KEY (workspace_id, platform, rate_group),
  CONSTRAINT platform_limits_rate_rps_check CHECK (rate_rps >= 0::numeric),
  CONSTRAINT platform_limits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
ALTER TABLE delivery.platform_limits ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.pull_cursors (
  workspace_id uuid NOT NULL,
  source_id    text NOT NULL,
  cursor_json  jsonb NOT NULL DEFAULT '{}'::jsonb,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pull_cursors_pkey PRIMARY KEY (workspace_id, source_id),
  CONSTRAINT pull_cursors_cursor_json_check CHECK (jsonb_typeof(cursor_json) = 'object'::text),
  CONSTRAINT pull_cursors_workspace_id_source_id_fkey FOREIGN KEY (workspace_id, source_id) REFERENCES delivery.pull_sources(workspace_id, source_id) ON DELETE CASCADE
);
ALTER TABLE delivery.pull_cursors ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.pull_receipts (
  workspace_id uuid NOT NULL,
  source_id    text NOT NULL,
  source_ref   text NOT NULL,
  message_id   uuid,
  published_at timestamptz,
  received_at  timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT pull_receipts_pkey PRIMARY KEY (workspace_id, source_id, source_ref),
  CONSTRAINT pull_receipts_source_ref_check CHECK (octet_length(source_ref) >= 1 AND octet_length(source_ref) <= 1024),
  CONSTRAINT pull_receipts_workspace_id_source_id_fkey FOREIGN KEY (workspace_id, source_id) REFERENCES delivery.pull_sources(workspace_id, source_id) ON DELETE CASCADE
);
CREATE INDEX pull_receipts_expiry ON delivery.pull_receipts USING btree (expires_at);
ALTER TABLE delivery.pull_receipts ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.templates (
  workspace_id uuid NOT NULL,
  template_id  text NOT NULL,
  version      integer NOT NULL,
  body         text NOT NULL,
  defaults     jsonb NOT NULL DEFAULT '{}'::jsonb,
  active       boolean NOT NULL DEFAULT false,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT templates_pkey PRIMARY KEY (workspace_id, template_id, version),
  CONSTRAINT templates_defaults_check CHECK (jsonb_typeof(defaults) = 'object'::text),
  CONSTRAINT templates_template_id_check CHECK (template_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT templates_version_check CHECK (version >= 1),
  CONSTRAINT templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX templates_active ON delivery.templates USING btree (workspace_id, template_id) WHERE active;
ALTER TABLE delivery.templates ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION delivery.accept_push(p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_raw jsonb, p_compiled jsonb DEFAULT '{}'::jsonb, p_payload_ref text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_endpoint delivery.workspace_endpoints;
  v_hash     text := delivery.content_hash(delivery.normalize(p_raw));
  v_ref      text := nullif(btrim(p_raw ->> 'source_ref'), '');
  v_missed   uuid[];
  v_run_id   text := delivery.push_run(p_workspace_id, p_raw, p_run_id);
  v_counts   jsonb;
begin
  select * into strict v_endpoint from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;

  -- A request that came before is dropped, unless a channel refused its post: then it is for those channels only.
  if not delivery.take_receipt(v_endpoint, v_ref, v_hash, p_now) then
    v_missed := delivery.missed_by_receipt(v_endpoint, v_ref, v_hash);
  end if;
  if v_missed = '{}' then
    perform delivery.record_ingress_drop(p_workspace_id, p_endpoint_id, v_run_id, 'dedup_dropped',
      'ingress_dedup_dropped', jsonb_strip_nulls(jsonb_build_object('source_ref', p_raw ->> 'source_ref')),
      p_payload_ref, p_now);
    return jsonb_build_object('ok', true, 'dropped', true, 'reason', 'ingress_dedup_dropped', 'run_id', v_run_id);
  end if;

  v_counts := delivery.enqueue_messages_and_deliveries(
    p_workspace_id, p_endpoint_id, v_endpoint.kind, p_raw, p_now, p_compiled, v_run_id, v_missed);
  perform delivery.add_to_push_run(p_workspace_id, p_endpoint_id, v_run_id, (v_counts - 'message_id')
    || jsonb_build_object('processed', 1, 'accepted', 1, 'dropped', 0, 'trace_id', p_raw ->> 'trace_id',
                          'payload_ref', p_payload_ref), p_now);
  if p_payload_ref is not null then
    -- By events_by_message: the few events of this run.
    update workspaces.events set payload_ref = p_payload_ref
    where workspace_id = p_workspace_id and message_id = (v_counts ->> 'message_id')::uuid and ts = p_now
      and meta ->> 'run_id' = v_run_id;
  end if;
  if v_missed is null and v_counts @> '{"queued": 0, "deduped": 0, "failed_permanent": 0, "skipped_inflight": 0}' then
    v_counts := v_counts || jsonb_build_object('unrouted', delivery.unrouted(
      p_workspace_id, delivery.tags_of(p_raw, delivery.normalize(p_raw)), coalesce(p_raw -> 'tagged_only' = 'true', false)));
  end if;
  return jsonb_build_object('ok', true, 'run_id', v_run_id) || v_counts;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.activate_template(p_workspace_id uuid, p_template_id text, p_version integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  if not exists (
    select from delivery.templates t
    where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version
  ) then
    return false;
  end if;
  -- Two statements, the old one off first: the index that allows one active version is checked row by row.
  update delivery.templates t set active = false
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active and t.version <> p_version;
  update delivery.templates t set active = true
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.version = p_version and not t.active;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.active_template(p_workspace_id uuid, p_template_id text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('id', t.template_id, 'version', t.version, 'body', t.body, 'defaults', t.defaults,
                            'timezone', w.timezone)
  from delivery.templates t
  join workspaces.workspaces w using (workspace_id)
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active
$function$;

CREATE OR REPLACE FUNCTION delivery.add_pull_source(p_workspace_id uuid, p_source_id text, p_kind text, p_config jsonb, p_every_seconds integer DEFAULT 1800, p_secret_ref text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS delivery.pull_sources
 LANGUAGE plpgsql
AS $function$
declare
  v_source delivery.pull_sources;
begin
  insert into delivery.pull_sources (
    workspace_id, source_id, kind, config_json, every_seconds, secret_ref, next_run_at, created_at, updated_at)
  values (p_workspace_id, p_source_id, p_kind, p_config, p_every_seconds, p_secret_ref, p_now, p_now, p_now)
  returning * into v_source;
  insert into delivery.workspace_endpoints (workspace_id, endpoint_id, kind, source_id, ingress_rps, created_at, updated_at)
  values (p_workspace_id, molva.uuidv7(p_now), 'pull_source', p_source_id, 0, p_now, p_now);
  perform pg_notify('molva_sources', p_workspace_id::text);
  return v_source;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.add_to_push_run(p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_stats jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.ingest_runs as r (workspace_id, run_id, kind, endpoint_id, started_at, finished_at, stats_json)
  values (p_workspace_id, p_run_id, 'push', p_endpoint_id, p_now, p_now, jsonb_strip_nulls(p_stats))
  on conflict (workspace_id, run_id) do update
    set finished_at = greatest(r.finished_at, excluded.finished_at),
        stats_json = r.stats_json || (
          select jsonb_object_agg(n.key, case jsonb_typeof(n.value)
            when 'number' then to_jsonb(n.value::text::numeric + coalesce((r.stats_json ->> n.key)::numeric, 0))
            else n.value end)
          from jsonb_each(excluded.stats_json) as n)
$function$;

CREATE OR REPLACE FUNCTION delivery.add_to_run(p_endpoint delivery.workspace_endpoints, p_run_id text, p_stats jsonb, p_items jsonb, p_finished boolean, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.ingest_runs as r (
    workspace_id, run_id, kind, endpoint_id, source_id, started_at, finished_at, stats_json, trace_ids)
  select p_endpoint.workspace_id, p_run_id, 'pull', p_endpoint.endpoint_id, p_endpoint.source_id,
    p_now, case when p_finished then p_now end, p_stats,
    coalesce(array_agg(distinct item ->> 'trace_id') filter (where item ->> 'trace_id' <> ''), '{}')
  from jsonb_array_elements(p_items) as item
  on conflict (workspace_id, run_id) do update
    set trace_ids = r.trace_ids || excluded.trace_ids,
        stats_json = r.stats_json || (
          select jsonb_object_agg(key, value::bigint + coalesce((r.stats_json ->> key)::bigint, 0))
          from jsonb_each_text(excluded.stats_json))
$function$;

CREATE OR REPLACE FUNCTION delivery.attempts_of(p_delivery delivery.deliveries)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('attempt', p_delivery.attempt, 'max_attempts', p.max_attempts + p_delivery.requeues)
  from delivery.workspace_policy(p_delivery.workspace_id) p
$function$;

CREATE OR REPLACE FUNCTION delivery.begin_adapter_call(p_workspace_id uuid, p_call_key text, p_channel_id uuid, p_body_hash text, p_lease interval, p_now timestamp with time zone DEFAULT now(), OUT verdict text, OUT answer jsonb, OUT progress jsonb, OUT started_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_call delivery.adapter_calls;
begin
  insert into delivery.adapter_calls (workspace_id, call_key, channel_id, body_hash, started_at, running_until)
  values (p_workspace_id, p_call_key, p_channel_id, p_body_hash, p_now, p_now + p_lease)
  on conflict (workspace_id, call_key) do nothing;
  if found then
    verdict := 'begun';
    progress := '[]';
    started_at := p_now;
    return;
  end if;

  select * into v_call from delivery.adapter_calls c
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
  for update;
  progress := v_call.progress;
  started_at := v_call.started_at;
  answer := v_call.answer;
  verdict := case
    when (v_call.channel_id, v_call.body_hash) is distinct from (p_channel_id, p_body_hash) then 'other_body'
    when v_call.answer is null and v_call.running_until > p_now then 'running'
    -- Its process died on the way, or the provider's answer was lost.
    when v_call.answer is null or v_call.answer ->> 'outcome' = 'unknown' then 'doubtful'
    -- It certainly did not happen, and may go better now. A delivery has its next attempt for that.
    when v_call.body_hash is not null and v_call.answer #>> '{error,category}' = 'TRANSIENT' then 'begun'
    else 'ended'
  end;
  -- A delivery's token is good for one call: its next attempt looks first.
  if verdict = 'doubtful' and v_call.body_hash is null then
    verdict := case when v_call.answer is null then 'running' else 'ended' end;
  end if;
  if verdict in ('begun', 'doubtful') then
    update delivery.adapter_calls c set running_until = p_now + p_lease, answer = null
    where c.workspace_id = p_workspace_id and c.call_key = p_call_key;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.beside_outcome(p_said jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
    'payload_ref', p_said -> 'payload_ref', 'reconciled', p_said -> 'reconciled', 'late_ms', p_said -> 'late_ms'))
$function$;

CREATE OR REPLACE FUNCTION delivery.blob_ref_of(p_url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select 'url-' || left(encode(sha256(convert_to(delivery.canonical_url(p_url, true), 'UTF8')), 'hex'), 40)
$function$;

CREATE OR REPLACE FUNCTION delivery.block_ends_at(p_block text, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select case when isfinite(ends_at) then ends_at end
  from (
    select case p_block
      when 'channel_paused' then p_channel.paused_until
      when 'group_cooldown' then (
        select g.cooldown_until from delivery.platform_limits g
        where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
          and g.rate_group = p_channel.rate_group)
      when 'window_closed' then (
        select delivery.channel_opens_at(p_channel, w.timezone, p_now) from workspaces.workspaces w
        where w.workspace_id = p_channel.workspace_id)
    end as ends_at
  ) e
$function$;

CREATE OR REPLACE FUNCTION delivery.block_facts(p_block text, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now(), OUT since timestamp with time zone, OUT details jsonb)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if p_block like 'workspace\_%' then
    select w.updated_at, '{}' into since, details from workspaces.workspaces w
    where w.workspace_id = p_channel.workspace_id;
  elsif p_block = 'group_cooldown' then
    select g.updated_at, jsonb_build_object(
      'platform', g.platform, 'rate_group', g.rate_group, 'cooldown_until', g.cooldown_until)
    into since, details
    from delivery.platform_limits g
    where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
      and g.rate_group = p_channel.rate_group;
  elsif p_block in ('channel_paused', 'channel_disabled') then
    select s.since, jsonb_strip_nulls(jsonb_build_object(
      'paused_until', case p_block when 'channel_paused' then p_channel.paused_until end,
      'error_streak', p_channel.error_streak, 'error', s.error,
      'stopped_by', s.stopped_by, 'operator', s.operator, 'stop_reason', s.reason, 'help', s.help))
    into since, details
    from delivery.channel_stop(p_channel, p_now) s;
  elsif p_block = 'window_closed' then
    details := jsonb_strip_nulls(jsonb_build_object(
      'opens_at', delivery.block_ends_at(p_block, p_channel, p_now), 'timezone', p_channel.timezone));
  end if;
  since := coalesce(since, p_channel.updated_at);
  details := coalesce(details, '{}');
end
$function$;

CREATE OR REPLACE FUNCTION delivery.block_of(p_channel delivery.channels, p_workspace workspaces.workspaces, p_group delivery.platform_limits, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when not p_channel.enabled then 'channel_disabled'
    when p_channel.paused_until > p_now then 'channel_paused'
    when p_workspace.status <> 'active' then 'workspace_' || p_workspace.status
    when p_group.cooldown_until > p_now then 'group_cooldown'
    when p_channel.window_mode = 'windowed' and not delivery.is_open(
      p_channel.posting_window, coalesce(p_channel.timezone, p_workspace.timezone), p_now) then 'window_closed'
  end
$function$;

CREATE OR REPLACE FUNCTION delivery.cancel(p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  with asked as materialized (
    select d.delivery_id, d.status as was, delivery.waiting_refusal(d) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set status = 'failed_permanent', next_retry_at = null, held_at = null, hold_reason = null,
        claimed_at = null, claim_token = null, updated_at = p_now,
        last_error = jsonb_build_object('category', 'PERMANENT', 'scope', 'delivery', 'code', 'cancelled',
                                        'message', 'an operator called it off')
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.was
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'cancelled', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('from_status', m.was)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$function$;

CREATE OR REPLACE FUNCTION delivery.canonical_url(p_url text, p_for_comparison boolean DEFAULT false)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_part  text[] := regexp_match(btrim(p_url), '^(https?)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$', 'i');
  v_host  text;
  v_path  text;
  v_query text;
begin
  if v_part is null then
    return btrim(p_url);
  end if;
  v_host := regexp_replace(v_part[2], '[^@]*$', lower(substring(v_part[2] from '[^@]*$')));
  v_host := regexp_replace(v_host, case lower(v_part[1]) when 'http' then ':80$' else ':443$' end, '');
  v_path := coalesce(nullif(v_part[3], ''), '/');
  if not p_for_comparison then
    return lower(v_part[1]) || '://' || v_host || v_path || coalesce(v_part[4], '') || coalesce(v_part[5], '');
  end if;
  select '?' || string_agg(p, '&' order by p) into v_query
  from regexp_split_to_table(substring(v_part[4] from 2), '&') as p
  where p <> '' and p !~* '^(utm_[a-z]+|fbclid|gclid|yclid|ysclid|_openstat)(=|$)';
  return lower(v_part[1]) || '://' || v_host || regexp_replace(v_path, '/+$', '') || coalesce(v_query, '');
end
$function$;

CREATE OR REPLACE FUNCTION delivery.change_pull_source(p_workspace_id uuid, p_source_id text, p_config jsonb DEFAULT NULL::jsonb, p_every_seconds integer DEFAULT NULL::integer, p_enabled boolean DEFAULT NULL::boolean, p_secret_ref text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS delivery.pull_sources
 LANGUAGE plpgsql
AS $function$
declare
  v_before delivery.pull_sources;
  v_source delivery.pull_sources;
begin
  select * into v_before from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id
  for no key update;
  if not found then
    return null;
  end if;
  perform delivery.require_secret_for_new_origin(
    v_before.config_json, coalesce(p_config, v_before.config_json), v_before.secret_ref, p_secret_ref);
  if p_config is not null and (p_config -> 'url', p_config -> 'query')
                              is distinct from (v_before.config_json -> 'url', v_before.config_json -> 'query') then
    delete from delivery.pull_cursors where workspace_id = p_workspace_id and source_id = p_source_id;
  end if;
  update delivery.pull_sources
  set config_json = coalesce(p_config, config_json),
      every_seconds = coalesce(p_every_seconds, every_seconds),
      enabled = coalesce(p_enabled, enabled),
      secret_ref = coalesce(p_secret_ref, secret_ref),
      next_run_at = p_now,
      failures = 0,
      updated_at = p_now
  where workspace_id = p_workspace_id and source_id = p_source_id
  returning * into v_source;
  perform pg_notify('molva_sources', p_workspace_id::text);
  return v_source;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_block(p_channel delivery.channels, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select delivery.block_of(p_channel, w, g, p_now)
  from workspaces.workspaces w
  left join delivery.platform_limits g
    on g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform and g.rate_group = p_channel.rate_group
  where w.workspace_id = p_channel.workspace_id
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_on_chat(p_workspace_id uuid, p_platform text, p_target text, p_but_for uuid DEFAULT NULL::uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select c.channel_id from delivery.channels c
  where c.workspace_id = p_workspace_id and c.platform = p_platform and c.channel_id is distinct from p_but_for
    and (c.target_id = p_target or c.target_name = p_target)
  order by c.target_id = p_target desc, c.channel_id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_opens_at(p_channel delivery.channels, p_workspace_timezone text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case p_channel.window_mode
    when 'immediate' then p_at
    else delivery.next_open(p_channel.posting_window, coalesce(p_channel.timezone, p_workspace_timezone), p_at)
  end
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_policy(p_workspace_id uuid, p_channel_id uuid)
 RETURNS TABLE(max_attempts integer, backoff_base_seconds double precision, backoff_max_seconds double precision, pause_on_permanent_seconds integer, disable_after_permanent_streak integer)
 LANGUAGE sql
 STABLE
AS $function$
  select p.max_attempts, p.backoff_base_seconds, p.backoff_max_seconds,
    coalesce(c.pause_on_permanent_seconds, p.pause_on_permanent_seconds),
    coalesce(c.disable_after_permanent_streak, p.disable_after_permanent_streak)
  from delivery.channels c
  cross join delivery.workspace_policy(p_workspace_id) p
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_setting_kinds()
 RETURNS TABLE(key text, kinds text[], words text[])
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  values ('parse_mode', array['string'], array['HTML', 'Markdown', 'None']),
         ('dialect', array['string'], array['commonmark', 'telegram', 'telegram_legacy', 'max']),
         ('too_long', array['string'], array['refuse', 'split']),
         ('broken_markup', array['string'], array['refuse', 'plain']),
         ('markup', array['string'], array['entities', 'html']),
         ('disable_preview', array['boolean'], null),
         ('silent', array['boolean'], null),
         ('protect', array['boolean'], null),
         ('strict', array['boolean'], null),
         ('convert_images', array['boolean'], null),
         ('link_preview', array['object'], null),
         ('thread_id', array['string', 'number'], null)
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_settings_fault(p_settings jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return (
    select case
        when k.key is null then format('settings.%s: a secret does not belong into the settings; bind it as a credential.', g.key)
        when jsonb_typeof(g.value) <> all (k.kinds) then format('settings.%s must be a %s.', g.key, array_to_string(k.kinds, ' or a '))
        else format('settings.%s must be one of %s.', g.key, array_to_string(k.words, ', '))
      end
    from jsonb_each(p_settings) g
    left join delivery.channel_setting_kinds() k on k.key = g.key
    where g.value <> 'null'
      and (jsonb_typeof(g.value) <> all (k.kinds)
           or k.words is not null and g.value #>> '{}' <> all (k.words)
           or k.key is null and g.key ~* 'token|secret|passw|authorization|api_?key')
    order by g.key
    limit 1);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_stop(p_channel delivery.channels, p_now timestamp with time zone DEFAULT now(), OUT since timestamp with time zone, OUT stopped_by text, OUT operator text, OUT reason text, OUT error jsonb, OUT help text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_event workspaces.events;
begin
  -- By events_by_action: few channels are stopped, however long their history is. "Offset 0" keeps it from being read by channel.
  select s.* into v_event
  from (
    select e.* from workspaces.events e
    where e.workspace_id = p_channel.workspace_id
      and e.action = case when p_channel.enabled then 'channel_paused' else 'channel_disabled' end
      and e.ts <= p_now + interval '1 second'
    order by e.ts desc
    offset 0
  ) s
  where s.channel_id = p_channel.channel_id
  limit 1;
  -- A pause that is not the one on record was made by hand.
  if found and not (p_channel.enabled
                    and coalesce((v_event.meta ->> 'paused_until')::timestamptz <> p_channel.paused_until, false)) then
    since := v_event.ts;
    error := delivery.error_of(v_event.error);
    operator := v_event.meta ->> 'operator';
    reason := coalesce(v_event.meta ->> 'reason', error ->> 'message');
    stopped_by := case when v_event.meta ? 'manual' then 'operator' else 'refusals' end;
  end if;
  help := case
    when stopped_by is distinct from 'refusals' then 'resume'
    when error ->> 'code' in ('unauthorized', 'missing_credential') then 'set_credential'
    else 'mend_channel'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.channel_turn(p_workspace_id uuid, p_channel_id uuid, p_now timestamp with time zone DEFAULT now(), OUT granted boolean, OUT at timestamp with time zone, OUT cooling boolean)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_channel delivery.channels;
  v_group   delivery.platform_limits;
begin
  select g.* into v_group from delivery.platform_limits g
  join delivery.channels c using (workspace_id, platform, rate_group)
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
  for no key update of g;
  select * into v_channel from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id
  for no key update;

  at := greatest(p_now, v_group.cooldown_until,
    case when v_channel.rate_rps > 0 then v_channel.last_started_at + delivery.start_gap(v_channel.rate_rps) end,
    case when v_group.rate_rps > 0 then v_group.last_started_at + delivery.start_gap(v_group.rate_rps) end);
  granted := at <= p_now + delivery.start_lead();
  if not granted then
    at := at - delivery.start_lead();
    cooling := coalesce(v_group.cooldown_until, p_now) > p_now;
    return;
  end if;
  cooling := false;
  update delivery.platform_limits g
  set last_started_at = channel_turn.at, updated_at = p_now,
      next_allowed_at = greatest(p_now, coalesce(g.next_allowed_at, p_now)) + interval '1 second' / g.rate_rps::float8
  where g.workspace_id = p_workspace_id and g.platform = v_group.platform and g.rate_group = v_group.rate_group
    and g.rate_rps > 0;
  update delivery.channels c
  set last_started_at = channel_turn.at,
      next_allowed_at = greatest(p_now, coalesce(c.next_allowed_at, p_now)) + interval '1 second' / c.rate_rps::float8
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and c.rate_rps > 0;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.channels_in_words(p_names text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select format('%s %s (%s%s)', cardinality(p_names), case cardinality(p_names) when 1 then 'channel' else 'channels' end,
    array_to_string(p_names[1:3], ', '), case when cardinality(p_names) > 3 then ', …' else '' end)
  where p_names is not null
$function$;

CREATE OR REPLACE FUNCTION delivery.channels_of_credential(p_workspace_id uuid, p_platform text, p_auth_ref text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(c.channel_id), '{}')
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$function$;

CREATE OR REPLACE FUNCTION delivery.channels_of_group(p_workspace_id uuid, p_rate_group text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(channel_id), '{}') from delivery.channels
  where workspace_id = p_workspace_id and rate_group = p_rate_group
$function$;

CREATE OR REPLACE FUNCTION delivery.chat_of_target(p_platform text, p_target text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when p_platform = 'telegram' then regexp_replace(plain, '^user:', '') else plain end
  from (select regexp_replace(p_target, '#[0-9]+$', '')) as t (plain)
$function$;

CREATE OR REPLACE FUNCTION delivery.checked_post(p_raw jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_fault text := delivery.post_fault(p_raw);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'invalid_parameter_value';
  end if;
  return p_raw;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.claim_again()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select interval '1 second' $function$;

CREATE OR REPLACE FUNCTION delivery.claim_ahead()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select interval '2 seconds' $function$;

CREATE OR REPLACE FUNCTION delivery.claim_deliveries(p_workspace_id uuid, p_run_id text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, channel_id uuid, not_before timestamp with time zone)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  c_ahead   constant interval := delivery.claim_ahead();
  v_waiting uuid[];
begin
  if p_limit <= 0 or not exists (
    select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active'
  ) then
    return;
  end if;
  v_waiting := delivery.waiting_channels(p_workspace_id, p_limit, p_now);
  if v_waiting = '{}' then
    return;
  end if;
  perform delivery.expire_stale(p_workspace_id, v_waiting, p_now);

  -- Statements of their own: what is read below must be seen after the locks were got. They leave the keys alone, so
  -- that nobody who adds a delivery waits for them.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.rate_rps > 0
    and (g.platform, g.rate_group) in (
      select c.platform, c.rate_group from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting))
  order by g.platform, g.rate_group
  for no key update;
  -- A channel without a rate has no slots to share, so several claimers may take from it at once.
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting) and c.rate_rps > 0
  order by c.channel_id
  for no key update;

  return query
  with open_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.catchup, c.rate_rps > 0 or g.rate_rps > 0 as limited,
      nullif(c.rate_rps, 0)::float8 as rps, nullif(g.rate_rps, 0)::float8 as group_rps,
      greatest(p_now, coalesce(c.next_allowed_at, p_now)) as base,
      greatest(p_now, coalesce(g.next_allowed_at, p_now)) as group_base,
      -- A limited channel gets what its rate lets out in the time ahead, another one what it can send next and after
      -- that; no more while earlier ones still wait.
      least(
        p_limit / count(*) over (),
        greatest(0, case when c.rate_rps > 0 then ceil(c.rate_rps * extract(epoch from c_ahead)) + 1
                         else 2 * c.max_parallel::float8 end - coalesce(n.claimed, 0))
      )::int as room
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    left join (
      select t.channel_id, count(*) as claimed
      from (
        -- In the order of deliveries_claimed, so that it is read through that index.
        select d.channel_id from delivery.deliveries d
        where d.workspace_id = p_workspace_id and d.status = 'claimed'
        order by d.channel_id, d.not_before, d.delivery_id
        offset 0
      ) t
      group by 1
    ) n using (channel_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting) and delivery.claimable_from(c, g) <= p_now
  ),
  taken as materialized (
    select o.channel_id, w.row_id, w.delivery_id, w.due_at
    from open_channels o
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at, d.delivery_id
      limit o.room
      for update skip locked
    ) w
    where o.catchup = 'paced'
    union all
    select o.channel_id, w.row_id, w.delivery_id, w.due_at
    from open_channels o
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at desc, d.delivery_id desc
      limit o.room
      for update skip locked
    ) w
    where o.catchup = 'newest_first'
  ),
  channel_slots as (
    select t.*, o.platform, o.rate_group, o.rps, o.group_rps, o.base, o.group_base,
      case when o.rps is null then p_now else o.base + (row_number() over (
        partition by t.channel_id
        order by case o.catchup when 'paced' then t.due_at end, t.due_at desc,
          case o.catchup when 'paced' then t.delivery_id end, t.delivery_id desc) - 1)
        * interval '1 second' / o.rps
      end as channel_slot
    from taken t
    join open_channels o using (channel_id)
    where o.limited
  ),
  limited as materialized (
    select * from (
      select s.*,
        case when s.group_rps is null then s.channel_slot
          else greatest(s.channel_slot, s.group_base + (row_number() over (
            partition by s.platform, s.rate_group order by s.channel_slot, s.due_at, s.delivery_id) - 1)
            * interval '1 second' / s.group_rps)
        end as slot
      from channel_slots s
    ) as slots
    where group_rps is null or slot <= p_now + c_ahead
  ),
  moved_channels as (
    update delivery.channels c
    set next_allowed_at = n.base + n.taken * interval '1 second' / n.rps
    from (select channel_id, base, rps, count(*) as taken from limited where rps is not null group by 1, 2, 3) n
    where c.workspace_id = p_workspace_id and c.channel_id = n.channel_id
  ),
  moved_groups as (
    update delivery.platform_limits g
    set next_allowed_at = n.group_base + n.taken * interval '1 second' / n.group_rps, updated_at = p_now
    from (select platform, rate_group, group_base, group_rps, count(*) as taken
          from limited where group_rps is not null group by 1, 2, 3, 4) n
    where g.workspace_id = p_workspace_id and g.platform = n.platform and g.rate_group = n.rate_group
  )
  update delivery.deliveries d
  set status = 'claimed', not_before = s.slot, claimed_at = p_now, claim_token = p_run_id, updated_at = p_now
  from (
    select l.row_id, l.slot from limited l
    union all
    -- Without a pace there are no slots: the order in which they were due is the order in which they start.
    select t.row_id, case o.catchup when 'paced' then t.due_at else p_now end from taken t
    join open_channels o using (channel_id)
    where o.limited is not true
  ) s
  -- The rows are locked, so they stay where they were found.
  where d.ctid = s.row_id
  returning d.delivery_id, d.channel_id, d.not_before;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.claim_token_of(p_workspace_id uuid, p_delivery_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select d.claim_token from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
$function$;

CREATE OR REPLACE FUNCTION delivery.claimable_from(p_channel delivery.channels, p_group delivery.platform_limits)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when p_channel.enabled then greatest('-infinity', p_channel.paused_until, p_group.cooldown_until,
    case when p_channel.rate_rps > 0 then p_channel.next_allowed_at - delivery.claim_again() end,
    case when p_group.rate_rps > 0 then p_group.next_allowed_at - delivery.claim_again() end) end
$function$;

CREATE OR REPLACE FUNCTION delivery.clean_text(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN NULLIF(btrim(regexp_replace(CASE WHEN (p_text ~* '<(pre|code)|`'::text) THEN regexp_replace(p_text, '\r\n?'::text, '
'::text, 'g'::text) ELSE regexp_replace(regexp_replace(regexp_replace(p_text, '\r\n?'::text, '
'::text, 'g'::text), '[ \t\u00a0]+'::text, ' '::text, 'g'::text), ' ?\n ?'::text, '
'::text, 'g'::text) END, '\n{3,}'::text, '

'::text, 'g'::text), ' 
	'::text), ''::text);

CREATE OR REPLACE FUNCTION delivery.clock_change(p_timezone text, p_from timestamp with time zone, p_till timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
declare
  v_offset interval := p_from at time zone p_timezone - p_from at time zone 'UTC';
  v_before bigint := floor(extract(epoch from p_from));
  v_after  bigint := floor(extract(epoch from p_till));
  v_middle timestamptz;
begin
  while v_after - v_before > 1 loop
    v_middle := to_timestamp((v_before + v_after) / 2);
    if v_middle at time zone p_timezone - v_middle at time zone 'UTC' = v_offset then
      v_before := (v_before + v_after) / 2;
    else
      v_after := (v_before + v_after) / 2;
    end if;
  end loop;
  return to_timestamp(v_after);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.content_hash(p_payload jsonb, p_hash_version integer DEFAULT 1)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
select encode(sha256(convert_to(
  p_hash_version || '|' || (p_payload || jsonb_strip_nulls(jsonb_build_object(
    'text', delivery.fold_for_hash(p_payload ->> 'text'),
    'media', (select jsonb_agg(
                case when item ->> 'blob_ref' = delivery.blob_ref_of(item ->> 'url') then item - 'blob_ref' else item end
                || jsonb_strip_nulls(jsonb_build_object(
                     'url', delivery.canonical_url(item ->> 'url', true),
                     'caption', delivery.fold_for_hash(item ->> 'caption'))) order by place)
              from jsonb_array_elements(p_payload -> 'media') with ordinality as items (item, place))
  )))::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION delivery.credential_users(p_workspace_id uuid, p_platform text, p_auth_ref text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select delivery.channels_in_words(array_agg(coalesce(c.title, c.target_id) order by c.channel_id))
  from delivery.channels c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  where c.workspace_id = p_workspace_id and c.platform = p_platform and coalesce(a.auth_ref, c.auth_ref) = p_auth_ref
$function$;

CREATE OR REPLACE FUNCTION delivery.day_intervals(p_window jsonb, p_day timestamp without time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(p_window #> array['holidays', to_char(p_day, 'YYYY-MM-DD')], p_window -> to_char(p_day, 'dy'), '[]')
$function$;

CREATE OR REPLACE FUNCTION delivery.delete_channel(p_workspace_id uuid, p_channel_id uuid, p_force boolean, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now(), OUT outcome text, OUT live integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_channel delivery.channels;
  v_sending int;
begin
  live := 0;
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    outcome := 'not_found';
    return;
  end if;
  select count(*), count(*) filter (where status = 'sending') into live, v_sending
  from delivery.deliveries
  where workspace_id = p_workspace_id and channel_id = p_channel_id
    and status in ('queued', 'claimed', 'sending', 'retry');
  outcome := case when v_sending > 0 then 'sending' when live > 0 and not p_force then 'waiting' else 'deleted' end;
  if outcome <> 'deleted' then
    return;
  end if;

  insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
  select p_workspace_id, molva.uuidv7(p_now), d.delivery_id, d.message_id, p_channel_id, p_now, 'cancelled', d.attempt, 'ok',
    jsonb_strip_nulls(jsonb_build_object('operator', p_operator, 'reason', workspaces.redact_text(p_reason)))
      || '{"channel_deleted": true}'
  from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id and d.status in ('queued', 'claimed', 'retry');
  delete from delivery.channels where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', p_operator, p_reason,
    jsonb_build_object('deleted', true, 'platform', v_channel.platform, 'target_id', v_channel.target_id,
                       'title', v_channel.title), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.delete_template(p_workspace_id uuid, p_template_id text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  if exists (
    select from delivery.channels c where c.workspace_id = p_workspace_id and c.template_ref = p_template_id
  ) then
    return 'in_use';
  end if;
  delete from delivery.templates t where t.workspace_id = p_workspace_id and t.template_id = p_template_id;
  return case when found then 'deleted' else 'not_found' end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.delivery_block(p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when b.block = 'window_closed' and p_delivery.scheduled_for is not null then null else b.block end
  from (select delivery.channel_block(p_channel, p_now) as block) b
$function$;

CREATE OR REPLACE FUNCTION delivery.delivery_in_hand(p_workspace_id uuid, p_delivery_id uuid, p_claim_token text)
 RETURNS TABLE(workspace_id uuid, delivery_id uuid, claim_token text, channel_id uuid, platform text, target_id text, send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, rendered_text text, render_meta jsonb, last_error jsonb, created_at timestamp with time zone, departs_at timestamp with time zone, gap_ms double precision)
 LANGUAGE sql
 STABLE
AS $function$
  select d.workspace_id, d.delivery_id, d.claim_token, d.channel_id, c.platform, c.target_id, c.send_mode, c.settings,
    delivery.secret_ref_of(c), c.unknown_policy, m.payload, d.rendered_text, d.render_meta, d.last_error, d.created_at,
    d.sending_started_at, (1000 / nullif(c.rate_rps, 0))::float8
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  join delivery.messages m using (workspace_id, message_id)
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending'
    and d.claim_token = p_claim_token
$function$;

CREATE OR REPLACE FUNCTION delivery.disable_channel(p_workspace_id uuid, p_channel_id uuid, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select delivery.switch_channels(p_workspace_id, array[p_channel_id], false, p_operator, p_reason, '{}', p_now) > 0
$function$;

CREATE OR REPLACE FUNCTION delivery.disable_group(p_workspace_id uuid, p_rate_group text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE sql
AS $function$
  select delivery.switch_channels(p_workspace_id, delivery.channels_of_group(p_workspace_id, p_rate_group), false,
    p_operator, p_reason, jsonb_build_object('rate_group', p_rate_group), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.drop_pull_item(p_endpoint delivery.workspace_endpoints, p_ref text, p_outcome text, p_fault jsonb, p_run_id text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, ts, action, result, meta)
  values (p_endpoint.workspace_id, molva.uuidv7(p_now), p_now, 'ingress_' || p_outcome,
          case p_outcome when 'dedup_dropped' then 'ok' else 'error' end,
          jsonb_strip_nulls(jsonb_build_object(
            'source_id', p_endpoint.source_id, 'endpoint_id', p_endpoint.endpoint_id, 'run_id', p_run_id,
            'source_ref', p_ref, 'fault', workspaces.redact(p_fault))));
  select jsonb_strip_nulls(jsonb_build_object('source_ref', p_ref, 'outcome', p_outcome, 'fault', p_fault));
$function$;

CREATE OR REPLACE FUNCTION delivery.enable_channel(p_workspace_id uuid, p_channel_id uuid, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select delivery.switch_channels(p_workspace_id, array[p_channel_id], true, p_operator, p_reason, '{}', p_now) > 0
$function$;

CREATE OR REPLACE FUNCTION delivery.enable_group(p_workspace_id uuid, p_rate_group text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE sql
AS $function$
  select delivery.switch_channels(p_workspace_id, delivery.channels_of_group(p_workspace_id, p_rate_group), true,
    p_operator, p_reason, jsonb_build_object('rate_group', p_rate_group), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.end_adapter_call(p_workspace_id uuid, p_call_key text, p_answer jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.adapter_calls c set answer = p_answer
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$function$;

CREATE OR REPLACE FUNCTION delivery.endpoint_of_source(p_workspace_id uuid, p_source_id text)
 RETURNS uuid
 LANGUAGE sql
 STABLE
AS $function$
  select endpoint_id from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and source_id = p_source_id and enabled
$function$;

CREATE OR REPLACE FUNCTION delivery.endpoints_of_source(p_workspace_id uuid, p_source text)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(e.endpoint_id), '{}') from delivery.workspace_endpoints e
  where e.workspace_id = p_workspace_id and (e.source_id = p_source or e.endpoint_id::text = lower(p_source))
$function$;

CREATE OR REPLACE FUNCTION delivery.enqueue_messages_and_deliveries(p_workspace_id uuid, p_endpoint_id uuid, p_kind text, p_raw jsonb, p_now timestamp with time zone DEFAULT now(), p_compiled jsonb DEFAULT '{}'::jsonb, p_run_id text DEFAULT NULL::text, p_only uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_payload    jsonb := delivery.normalize(delivery.checked_post(p_raw));
  v_tags       text[] := delivery.tags_of(p_raw, v_payload);
  v_version    int := case when jsonb_typeof(p_raw -> 'hash_version') = 'number'
                             and (p_raw ->> 'hash_version') ~ '^[0-9]{1,9}$'
                           then (p_raw ->> 'hash_version')::int else 1 end;
  v_hash       text := delivery.content_hash(v_payload, v_version);
  -- Only for channels that ask for one of its tags, not for those that take everything.
  v_to_all     text[] := case when p_raw -> 'tagged_only' = 'true' then '{}' else array['*'] end;
  v_trace      text := coalesce(nullif(btrim(p_raw ->> 'trace_id'), ''), p_run_id);
  -- The sender's own, or the one that brought it.
  v_run_id     text := coalesce(p_run_id, nullif(btrim(p_raw ->> 'ingest_run_id'), ''));
  v_scheduled  timestamptz := (p_raw ->> 'scheduled_for')::timestamptz;
  v_meta       jsonb := jsonb_strip_nulls(jsonb_build_object(
                          'trace_id', v_trace, 'endpoint_id', p_endpoint_id, 'kind', p_kind, 'run_id', p_run_id,
                          'repeats_refused', case when p_only is not null then true end));
  v_message_id uuid;
  v_first_tags text[];
  v_is_new     boolean;
  v_timezone   text;
  v_keep_rows  boolean;
  v_repeats    uuid[] := '{}';
  v_reasons    text[] := '{}';
  v_earlier    uuid[] := '{}';
  v_counts     jsonb;
  v_ids        text := molva.uuid_batch(p_now);
  v_event_ids  text := molva.uuid_batch(p_now);
begin
  -- The upsert holds the message's row until commit, so the same post sent twice at once is judged one after the other.
  insert into delivery.messages as m (
    workspace_id, message_id, hash_version, content_hash, payload, tags, source, source_ref,
    first_seen_trace_id, first_ingest_run_id, last_seen_at, last_ingest_run_id, created_at)
  values (
    p_workspace_id, molva.uuidv7(p_now), v_version, v_hash, v_payload, v_tags,
    jsonb_strip_nulls(coalesce(p_raw -> 'source', '{}') || jsonb_build_object(
      'kind', p_kind, 'endpoint_id', p_endpoint_id, 'content_hash', p_raw ->> 'content_hash')),
    nullif(btrim(p_raw ->> 'source_ref'), ''), v_trace, v_run_id, p_now, v_run_id, p_now)
  on conflict (workspace_id, hash_version, content_hash) do update
    set last_seen_at = p_now, last_ingest_run_id = v_run_id, seen_count = m.seen_count + 1
  returning m.message_id, m.payload, m.tags, m.xmax = 0 into v_message_id, v_payload, v_first_tags, v_is_new;

  select w.timezone, coalesce((w.settings ->> 'deduped_rows')::boolean, false) into v_timezone, v_keep_rows
  from workspaces.workspaces w where w.workspace_id = p_workspace_id;

  if not v_is_new then
    if v_first_tags <> v_tags then
      insert into workspaces.events (workspace_id, id, message_id, ts, action, result, meta)
      values (p_workspace_id, molva.uuidv7(p_now), v_message_id, p_now, 'message_tag_mismatch', 'ok',
              v_meta || jsonb_build_object('first_seen', v_first_tags, 'now', v_tags));
      v_tags := v_first_tags;
    end if;
    -- Only a message that was seen before can have deliveries. Planned anew each time: a plan kept from when the table
    -- was empty may look through the wrong index when it is large.
    execute 'select coalesce(array_agg(channel_id), ''{}''), coalesce(array_agg(reason), ''{}''), coalesce(array_agg(earlier), ''{}'')
             from delivery.repeats_of($1, $2, $3, $4, $5)'
      into v_repeats, v_reasons, v_earlier
      using p_workspace_id, v_version, v_hash, v_tags, p_now;
  end if;

  -- Taken apart once for all channels of a profile.
  with renderings as materialized (
    select profile_key, (rendering ->> 'ok')::boolean as ok, rendering -> 'error' as error, rendering ->> 'text' as text,
      rendering -> 'meta' as meta, rendering ->> 'template_version' as template_version
    from jsonb_each(p_compiled) as compiled (profile_key, rendering)
  ),
  judged as (
    select c.channel_id, r.reason as repeat_of, r.earlier, x.text, x.meta, x.template_version,
      case
        when r.reason is not null then null
        when x.profile_key is not null then case when not x.ok then x.error end
        else delivery.preflight(c.platform, c.send_mode, v_payload, c.settings)
      end as problem,
      case when v_scheduled is not null then greatest(p_now, v_scheduled)
           when c.window_mode = 'immediate' then p_now
           else delivery.channel_opens_at(c, v_timezone, p_now)
      end as opens_at
    from delivery.channels c
    left join renderings x using (profile_key)
    left join unnest(v_repeats, v_reasons, v_earlier) as r (channel_id, reason, earlier) using (channel_id)
    where c.enabled and c.workspace_id = p_workspace_id
      and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || v_to_all) as t)
      and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
      and (p_only is null or c.channel_id = any (p_only))
    order by c.channel_id
  ),
  decided as materialized (
    select molva.uuid_at(v_ids, row_number() over ()) as delivery_id, j.channel_id, j.repeat_of, j.earlier, j.text, j.meta, j.template_version,
      j.opens_at,
      coalesce(j.problem, case when j.opens_at is null and j.repeat_of is null then jsonb_build_object(
        'category', 'PERMANENT', 'scope', 'delivery', 'code', 'validation_failed',
        'message', 'the channel''s posting window never opens') end) as problem
    from judged j
  ),
  created as (
    insert into delivery.deliveries (
      workspace_id, delivery_id, message_id, channel_id, hash_version, content_hash, not_before, scheduled_for, status,
      last_error, rendered_text, render_meta, template_version, trace_id, created_at, updated_at)
    select p_workspace_id, d.delivery_id, v_message_id, d.channel_id, v_version, v_hash,
      coalesce(d.opens_at, p_now), v_scheduled,
      case when d.repeat_of is not null then 'deduped' when d.problem is not null then 'failed_permanent' else 'queued' end,
      d.problem,
      coalesce(d.text, nullif(btrim(p_raw ->> 'rendered_text'), ''), v_payload ->> 'text'),
      coalesce(d.meta, '{}'), d.template_version,
      v_trace, p_now, p_now
    from decided d
    where d.repeat_of is null or v_keep_rows
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, molva.uuid_at(v_event_ids, row_number() over ()),
      case when d.repeat_of is null or v_keep_rows then d.delivery_id end, v_message_id, d.channel_id, p_now,
      case when d.repeat_of is not null then 'dedup_suppressed'
           when d.problem is not null then 'validation_failed' else 'enqueue' end,
      case when d.problem is null then 'ok' else 'error' end,
      workspaces.redact(d.problem),
      case when d.repeat_of is null then v_meta
           else v_meta || jsonb_build_object('reason', d.repeat_of, 'earlier_delivery_id', d.earlier) end
    from decided d
  )
  select jsonb_build_object(
    'message_id', v_message_id,
    'queued', count(*) filter (where d.repeat_of is null and d.problem is null),
    'deduped', count(*) filter (where d.repeat_of = 'sent_recently'),
    'failed_permanent', count(*) filter (where d.problem is not null),
    'skipped_inflight', count(*) filter (where d.repeat_of = 'inflight'))
  into v_counts
  from decided d;

  if (v_counts ->> 'queued')::int > 0 then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return v_counts;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.error_of(p_error jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when p_error is not null then jsonb_strip_nulls(jsonb_build_object(
    'code', p_error -> 'code', 'message', p_error -> 'message', 'category', p_error -> 'category',
    'scope', p_error -> 'scope', 'retry_after_ms', p_error -> 'retry_after_ms')) end
$function$;

CREATE OR REPLACE FUNCTION delivery.expire_stale(p_workspace_id uuid, p_channels uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_count int;
begin
  if not exists (
    select from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
  ) then
    return 0;
  end if;
  with stale as materialized (
    select d.delivery_id, c.on_stale
    from delivery.channels c
    join delivery.deliveries d on d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      and delivery.is_stale(d.created_at, d.scheduled_for, c.max_age_seconds, p_now)
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
    limit 1000
    for update of d skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = case s.on_stale when 'drop' then 'failed_permanent' else d.status end,
        held_at = case s.on_stale when 'hold' then p_now end,
        hold_reason = case s.on_stale when 'hold' then 'stale' end,
        next_retry_at = case s.on_stale when 'drop' then null else d.next_retry_at end,
        last_error = case s.on_stale when 'drop' then jsonb_build_object(
          'category', 'PERMANENT', 'scope', 'delivery', 'code', 'stale_dropped',
          'message', 'the post was older than the channel takes when its turn came') else d.last_error end,
        updated_at = p_now
    from stale s
    where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.last_error, s.on_stale
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now,
      case m.on_stale when 'drop' then 'stale_dropped' else 'held' end, m.attempt,
      case m.on_stale when 'drop' then 'error' else 'ok' end,
      case m.on_stale when 'drop' then m.last_error end,
      case m.on_stale when 'drop' then '{}'::jsonb else '{"reason": "stale"}' end
    from moved m
  )
  select count(*) into v_count from moved;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.fail_permanent(p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed',
    'error', delivery.stored_error(p_error) || '{"category": "PERMANENT"}'), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.fail_permanent(p_workspace_id uuid, p_delivery_id uuid, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.fail_permanent(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                                 p_error, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.find_endpoint(p_kind text, p_secret_hash text)
 RETURNS delivery.workspace_endpoints
 LANGUAGE sql
 STABLE
AS $function$
  select e from delivery.workspace_endpoints e
  join workspaces.workspaces w using (workspace_id)
  where e.kind = p_kind and e.secret_hash = p_secret_hash and e.enabled and w.status <> 'disabled'
$function$;

CREATE OR REPLACE FUNCTION delivery.finish_pull(p_workspace_id uuid, p_source_id text, p_run_id text, p_end jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  c_longest constant interval := interval '1 hour';
  v_kind    text := p_end ->> 'kind';
  v_error   jsonb := workspaces.redact(p_end -> 'error');
  v_source  delivery.pull_sources;
  v_pause   interval;
begin
  select * into v_source from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id and leased_by = p_run_id
  for no key update;
  if not found then
    return false;
  end if;

  if v_kind = 'done' then
    perform delivery.move_pull_cursor(p_workspace_id, p_source_id,
      coalesce(p_end -> 'cursor', '{}') || jsonb_build_object('baseline', true), p_now);
    update delivery.pull_sources
    set failures = 0, last_error = null, last_success_at = p_now,
        listed_at = case when (p_end ->> 'listed')::boolean then p_now else listed_at end,
        next_run_at = case when (p_end ->> 'more')::boolean then p_now
                           else p_now + make_interval(secs => every_seconds) end,
        leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
  elsif v_kind = 'failed' then
    v_pause := greatest(
      least(c_longest, make_interval(secs => v_source.every_seconds * 2 ^ least(v_source.failures + 1, 12))),
      make_interval(secs => coalesce((p_end ->> 'retry_after_ms')::double precision, 0) / 1000));
    update delivery.pull_sources
    set failures = failures + 1, last_error = v_error || jsonb_build_object('at', p_now),
        next_run_at = p_now + v_pause, leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
    if v_source.failures = 0 then
      insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
      values (p_workspace_id, molva.uuidv7(p_now), p_now,
        case p_end #>> '{error,code}' when 'ingress_config_error' then 'ingress_config_error' else 'source_failed' end,
        'error', v_error,
        jsonb_build_object('source_id', p_source_id, 'run_id', p_run_id, 'next_run_at', p_now + v_pause));
    end if;
  else
    update delivery.pull_sources set leased_by = null, leased_until = null
    where workspace_id = p_workspace_id and source_id = p_source_id;
  end if;

  update delivery.ingest_runs
  set finished_at = p_now,
      stats_json = stats_json || coalesce(p_end -> 'stats', '{}') || jsonb_strip_nulls(jsonb_build_object(
        'interrupted', case v_kind when 'interrupted' then true end, 'error', v_error))
  where workspace_id = p_workspace_id and run_id = p_run_id;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.fold(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower((p_text COLLATE "und-x-icu"));

CREATE OR REPLACE FUNCTION delivery.fold_for_hash(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_text text := btrim(regexp_replace(p_text, '\s+', ' ', 'g'));
  v_url  text;
begin
  for v_url in
    select distinct link[1] from regexp_matches(v_text, 'https?://[^\s<>"'']+', 'gi') as link order by 1 desc
  loop
    v_text := replace(v_text, v_url, delivery.canonical_url(v_url, true));
  end loop;
  return v_text;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.follow_window(p_channel delivery.channels, p_workspace_timezone text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_opens constant timestamptz := delivery.channel_opens_at(p_channel, p_workspace_timezone, p_now);
  v_moved int;
begin
  -- By deliveries_inflight, which holds only what has not ended.
  update delivery.deliveries d
  set not_before = case when v_opens <= p_now then delivery.place_in_queue(d) else v_opens end, updated_at = p_now
  where d.workspace_id = p_channel.workspace_id and d.channel_id = p_channel.channel_id
    and d.status in ('queued', 'claimed', 'sending', 'retry') and d.status in ('queued', 'retry')
    and d.scheduled_for is null
    and case when v_opens <= p_now then d.not_before > p_now else d.not_before <> v_opens end;
  get diagnostics v_moved = row_count;
  if v_moved > 0 then
    perform pg_notify('molva_deliveries', p_channel.workspace_id::text);
  end if;
  return v_moved;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.forget_pull_receipts(p_now timestamp with time zone DEFAULT now())
 RETURNS bigint
 LANGUAGE sql
AS $function$
  with forgotten as (
    delete from delivery.pull_receipts r
    using delivery.pull_sources s
    where s.workspace_id = r.workspace_id and s.source_id = r.source_id
      and r.expires_at < p_now and r.expires_at < s.listed_at + interval '2 days'
    returning r.workspace_id, r.source_id, least(r.published_at, r.received_at) as dated, r.published_at
  ),
  remembered as (
    update delivery.pull_sources s
    set forgotten_up_to = greatest(s.forgotten_up_to, f.dated)
    from (select workspace_id, source_id, max(dated) as dated from forgotten
          where published_at is not null group by 1, 2) f
    where s.workspace_id = f.workspace_id and s.source_id = f.source_id
  )
  select count(*) from forgotten
$function$;

CREATE OR REPLACE FUNCTION delivery.health_endings()
 RETURNS TABLE(status text, actions text[])
 LANGUAGE sql
 IMMUTABLE
AS $function$
  values ('sent', array['sent']),
         ('deduped', array['dedup_suppressed']),
         ('failed_permanent', array['failed_permanent', 'validation_failed']),
         ('dead', array['dead_letter'])
$function$;

CREATE OR REPLACE FUNCTION delivery.health_events(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(action text, day bigint, total bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with edge as materialized (
    select greatest(r.rolled_until, p_now - interval '1 day') as at
    from (select p_workspace_id) as w (workspace_id)
    left join delivery.event_rollups r using (workspace_id)
  )
  select counts.action, sum(counts.day)::bigint, sum(counts.total)::bigint
  from (
    select m.action, m.count as day, 0 as total from delivery.event_minutes m
    where m.workspace_id = p_workspace_id and m.minute >= p_now - interval '1 day' and m.minute < (select at from edge)
    union all
    select t.action, 0, t.count from delivery.event_totals t where t.workspace_id = p_workspace_id
    union all
    select e.action, count(*), count(*) from workspaces.events e
    where e.workspace_id = p_workspace_id and e.ts >= (select at from edge)
    group by 1
  ) as counts
  group by 1
$function$;

CREATE OR REPLACE FUNCTION delivery.health_gauges(p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select to_jsonb(q) || jsonb_build_object(
    'events', (
      select coalesce(jsonb_object_agg(e.action, e.count), '{}')
      from (select t.action, sum(t.count) as count from delivery.event_totals t group by 1) e),
    'alerts', (
      select coalesce(jsonb_agg(to_jsonb(a)), '[]')
      from (
        select t.kind, sum(t.sent_count) as sent, sum(t.failed_count) as failed
        from delivery.alert_targets t group by 1 order by 1
      ) a))
  from delivery.health_queue(null, p_now) q
$function$;

CREATE OR REPLACE FUNCTION delivery.health_queue(p_workspace_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(queued bigint, claimed bigint, sending bigint, retry bigint, dead_deliveries bigint, oldest_due_seconds double precision, lag_seconds double precision, paused_channels bigint, disabled_channels bigint, silent_channels bigint, orphan_events bigint)
 LANGUAGE sql
 STABLE
AS $function$
  with scope as materialized (select * from delivery.health_scope(p_workspace_id)),
  -- Driven from the workspaces, so that each is a range of deliveries_due and never a scan.
  live as materialized (
    select l.status, sum(l.count)::bigint as count
    from scope s
    cross join lateral (
      select d.status, count(*) from delivery.deliveries d
      where d.workspace_id = s.workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry')
      group by 1
    ) l
    group by 1
  ),
  -- One look into deliveries_waiting per channel, however long its queue is.
  due as (
    select min(first.due_at) as oldest,
      min(first.due_at) filter (
        where s.status = 'active' and c.enabled and coalesce(c.paused_until, '-infinity') <= p_now
          and coalesce(g.cooldown_until, '-infinity') <= p_now) as free
    from scope s
    join delivery.channels c on c.workspace_id = s.workspace_id
    left join delivery.platform_limits g
      on g.workspace_id = c.workspace_id and g.platform = c.platform and g.rate_group = c.rate_group
    cross join lateral (
      select d.due_at from delivery.deliveries d
      where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null
      order by d.due_at, d.delivery_id limit 1
    ) first
    where first.due_at <= p_now
  ),
  channels as (
    select count(*) filter (where c.paused_until > p_now) as paused, count(*) filter (where not c.enabled) as disabled
    from scope s join delivery.channels c on c.workspace_id = s.workspace_id
  )
  select
    coalesce((select count from live where status = 'queued'), 0),
    coalesce((select count from live where status = 'claimed'), 0),
    coalesce((select count from live where status = 'sending'), 0),
    coalesce((select count from live where status = 'retry'), 0),
    (select count(*) from scope s join delivery.deliveries d on d.workspace_id = s.workspace_id and d.status = 'dead'),
    coalesce(extract(epoch from p_now - due.oldest), 0)::double precision,
    coalesce(extract(epoch from p_now - due.free), 0)::double precision,
    channels.paused, channels.disabled,
    (select count(*) from scope s join delivery.channel_silences q on q.workspace_id = s.workspace_id
       and (q.quiet_since is not null or q.overdue_since is not null)),
    (select count(*) from scope s join delivery.orphan_events o on o.workspace_id = s.workspace_id)
  from due, channels
$function$;

CREATE OR REPLACE FUNCTION delivery.health_roll_up(p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_until   timestamptz := date_trunc('minute', p_now - interval '1 minute');
  v_counted int;
begin
  insert into delivery.event_rollups (workspace_id, rolled_until)
  select w.workspace_id, v_until - interval '1 day' from workspaces.workspaces w
  on conflict (workspace_id) do nothing;

  with due as materialized (
    select r.workspace_id, r.rolled_until from delivery.event_rollups r
    where r.rolled_until < v_until
    for update skip locked
  ),
  counted as materialized (
    select d.workspace_id, date_trunc('minute', e.ts) as minute, e.action, count(*) as count
    from due d
    join workspaces.events e on e.workspace_id = d.workspace_id and e.ts >= d.rolled_until and e.ts < v_until
    group by 1, 2, 3
  ),
  minutes as (
    insert into delivery.event_minutes (workspace_id, minute, action, count)
    select c.workspace_id, c.minute, c.action, c.count from counted c
  ),
  totals as (
    insert into delivery.event_totals as t (workspace_id, action, count)
    select c.workspace_id, c.action, sum(c.count) from counted c group by 1, 2
    on conflict (workspace_id, action) do update set count = t.count + excluded.count
  ),
  moved as (
    update delivery.event_rollups r set rolled_until = v_until
    from due d where r.workspace_id = d.workspace_id
  )
  select count(*) into v_counted from counted;
  return v_counted;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.health_scope(p_workspace_id uuid)
 RETURNS TABLE(workspace_id uuid, status text)
 LANGUAGE sql
 STABLE
AS $function$
  select w.workspace_id, w.status from workspaces.workspaces w
  where p_workspace_id is null or w.workspace_id = p_workspace_id
$function$;

CREATE OR REPLACE FUNCTION delivery.health_snapshot(p_workspace_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  with ended as materialized (
    select e.action, sum(e.day)::bigint as day, sum(e.total)::bigint as total
    from delivery.health_scope(p_workspace_id) s
    cross join lateral delivery.health_events(s.workspace_id, p_now) e
    group by 1
  )
  select to_jsonb(q) - 'queued' - 'claimed' - 'sending' - 'retry' || jsonb_build_object(
    'at', p_now,
    'by_status', jsonb_build_object(
      'queued', q.queued, 'claimed', q.claimed, 'sending', q.sending, 'retry', q.retry, 'dead', q.dead_deliveries),
    'last_24h', (
      select jsonb_object_agg(k.status, coalesce((select sum(day) from ended where action = any(k.actions)), 0))
      from delivery.health_endings() k),
    'totals', (
      select jsonb_object_agg(k.status, coalesce((select sum(total) from ended where action = any(k.actions)), 0))
      from delivery.health_endings() k),
    'ingress_24h', (
      select jsonb_object_agg(substr(a, length('ingress_') + 1), coalesce((select day from ended where action = a), 0))
      from unnest(array['ingress_rate_limited', 'ingress_payload_rejected', 'ingress_dedup_dropped']) as a),
    'failed_permanent_10m', (
      select count(*) from delivery.health_scope(p_workspace_id) s
      join workspaces.events e on e.workspace_id = s.workspace_id
        and e.action in ('failed_permanent', 'validation_failed') and e.ts > p_now - interval '10 minutes'),
    'top_errors', delivery.health_top_errors(p_workspace_id, p_now))
  from delivery.health_queue(p_workspace_id, p_now) q
$function$;

CREATE OR REPLACE FUNCTION delivery.health_top_errors(p_workspace_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(jsonb_agg(to_jsonb(t) order by t.count desc, t.code), '[]')
  from (
    select e.error ->> 'code' as code,
      count(distinct (coalesce(e.delivery_id, e.id), e.attempt)) as count,
      count(distinct e.channel_id) as channels,
      (array_agg(e.error ->> 'message' order by e.ts desc))[1] as last_message,
      max(e.ts) as last_at
    from delivery.health_scope(p_workspace_id) s
    join workspaces.events e
      on e.workspace_id = s.workspace_id and e.result = 'error' and e.ts > p_now - interval '1 hour'
    where e.error ->> 'code' is not null
    group by 1
    order by 2 desc, 1
    limit 10
  ) t
$function$;

CREATE OR REPLACE FUNCTION delivery.hold(p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  with asked as materialized (
    select d.delivery_id, d.status as was,
      coalesce(delivery.waiting_refusal(d), case when d.held_at is not null then 'it is held already' end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set status = case when a.was <> 'claimed' then a.was when d.next_retry_at is null then 'queued' else 'retry' end,
        not_before = case a.was when 'claimed' then delivery.place_in_queue(d) else d.not_before end,
        held_at = p_now, hold_reason = 'operator: ' || workspaces.redact_text(btrim(p_reason)),
        claimed_at = null, claim_token = null, updated_at = p_now
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'held', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$function$;

CREATE OR REPLACE FUNCTION delivery.ingest_pull_chunk(p_workspace_id uuid, p_source_id text, p_endpoint_id uuid, p_items jsonb, p_compiled jsonb DEFAULT '[]'::jsonb, p_run_id text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_run_id   text := coalesce(p_run_id, 'ingest-pull-' || molva.uuidv7(p_now));
  v_endpoint delivery.workspace_endpoints;
  v_item     jsonb;
  v_place    bigint;
  v_answer   jsonb;
  v_answers  jsonb := '[]';
  v_cursor   jsonb := '{}';
  v_stats    jsonb := '{}';
begin
  -- Chunks of one source follow each other: the cursor of the later one stands.
  perform from delivery.pull_sources
  where workspace_id = p_workspace_id and source_id = p_source_id and enabled
  for no key update;
  if found then
    -- Sources that bring the same posts in another order would wait for each other's messages.
    perform pg_advisory_xact_lock(hashtextextended('pull ' || p_workspace_id, 0));
    select * into v_endpoint from delivery.workspace_endpoints
    where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
      and kind = 'pull_source' and source_id = p_source_id and enabled;
  end if;
  if v_endpoint.endpoint_id is null then
    insert into workspaces.events (workspace_id, id, ts, action, result, meta)
    values (p_workspace_id, molva.uuidv7(p_now), p_now, 'ingress_config_error', 'error',
            jsonb_build_object('source_id', p_source_id, 'endpoint_id', p_endpoint_id, 'run_id', p_run_id));
    return jsonb_build_object('processed', 0, 'accepted', 0, 'dropped', 0, 'skipped', true,
                              'reason', 'ingress_config_error');
  end if;

  for v_item, v_place in
    select item, place from jsonb_array_elements(p_items) with ordinality as items (item, place)
  loop
    -- A microsecond apart, the last one now: what came first is sent first.
    v_answer := delivery.ingest_pull_item(
      v_endpoint, v_item, coalesce(p_compiled -> (v_place - 1)::int, '{}'), v_run_id,
      p_now - (jsonb_array_length(p_items) - v_place) * interval '1 microsecond');
    v_answers := v_answers || v_answer;
    v_cursor := v_cursor || delivery.pull_cursor_of(v_item);
  end loop;

  if v_cursor <> '{}' then
    perform delivery.move_pull_cursor(p_workspace_id, p_source_id, v_cursor, p_now);
  end if;
  v_stats := delivery.pull_stats(v_answers);
  perform delivery.add_to_run(v_endpoint, v_run_id, v_stats, p_items, p_run_id is null, p_now);
  return v_stats || jsonb_build_object('run_id', v_run_id, 'cursor_to', v_cursor -> 'cursor_to', 'items', v_answers);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.ingest_pull_item(p_endpoint delivery.workspace_endpoints, p_item jsonb, p_compiled jsonb, p_run_id text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_ref    text := delivery.pull_ref(p_item);
  v_fault  jsonb := delivery.pull_item_fault(p_endpoint, p_item);
  v_counts jsonb;
begin
  insert into delivery.pull_receipts (workspace_id, source_id, source_ref, published_at, received_at, expires_at)
  values (p_endpoint.workspace_id, p_endpoint.source_id, v_ref,
          delivery.time_or_null(p_item ->> 'published_at'), p_now, p_now + interval '3 days')
  on conflict (workspace_id, source_id, source_ref) do nothing;
  if not found then
    return delivery.drop_pull_item(p_endpoint, v_ref, 'dedup_dropped', null, p_run_id, p_now);
  end if;
  if v_fault is not null then
    return delivery.drop_pull_item(p_endpoint, v_ref, 'payload_rejected', v_fault, p_run_id, p_now);
  end if;
  if p_item -> 'seen_only' = 'true' then
    return jsonb_build_object('source_ref', v_ref, 'outcome', 'seen');
  end if;

  begin
    v_counts := delivery.enqueue_messages_and_deliveries(
      p_endpoint.workspace_id, p_endpoint.endpoint_id, p_endpoint.kind,
      p_item - array['cursor_to', 'cursor', 'published_at', 'seen_only', 'invalid'], p_now, p_compiled, p_run_id);
  exception
    -- The item's own fault, which another try would meet again. Everything else fails the chunk.
    when data_exception then
      return delivery.drop_pull_item(p_endpoint, v_ref, 'payload_rejected', to_jsonb(sqlerrm), p_run_id, p_now);
  end;
  update delivery.pull_receipts set message_id = (v_counts ->> 'message_id')::uuid
  where workspace_id = p_endpoint.workspace_id and source_id = p_endpoint.source_id and source_ref = v_ref;
  return jsonb_build_object('source_ref', v_ref, 'outcome', 'accepted') || v_counts;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.intervals_fault(p_place text, p_intervals jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_interval jsonb;
  v_number   int;
begin
  if jsonb_typeof(p_intervals) <> 'array' then
    return format('%s: the day must be an array of intervals, such as [["09:00", "18:00"]]; [] closes it.', p_place);
  end if;
  for v_interval, v_number in select * from jsonb_array_elements(p_intervals) with ordinality loop
    if jsonb_typeof(v_interval) <> 'array' or jsonb_array_length(v_interval) <> 2 then
      return format('%s, interval %s: an interval is a start and an end, such as ["09:00", "18:00"].', p_place, v_number);
    elsif jsonb_typeof(v_interval -> 0) <> 'string' or v_interval ->> 0 !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' then
      return format('%s, interval %s: %s is not a start: starts go from "00:00" to "23:59".',
                    p_place, v_number, v_interval -> 0);
    elsif jsonb_typeof(v_interval -> 1) <> 'string' or v_interval ->> 1 !~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' then
      return format('%s, interval %s: %s is not an end: ends go from "00:00" to "24:00".',
                    p_place, v_number, v_interval -> 1);
    elsif v_interval -> 0 = v_interval -> 1 then
      return format('%s, interval %s: it ends when it starts; a whole day is ["00:00", "24:00"].', p_place, v_number);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.is_date(p_text text)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
begin
  if p_text !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
    return false;
  end if;
  perform make_date(left(p_text, 4)::int, substr(p_text, 6, 2)::int, right(p_text, 2)::int);
  return true;
exception when datetime_field_overflow then
  return false;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.is_open(p_window jsonb, p_timezone text, p_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select delivery.window_step(p_window, p_at at time zone p_timezone) = p_at at time zone p_timezone
$function$;

CREATE OR REPLACE FUNCTION delivery.is_stale(p_created_at timestamp with time zone, p_scheduled_for timestamp with time zone, p_max_age_seconds integer, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select p_max_age_seconds is not null
    and coalesce(p_scheduled_for, p_created_at) < p_now - make_interval(secs => p_max_age_seconds)
$function$;

CREATE OR REPLACE FUNCTION delivery.join_run(p_run_id text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('molva.run_id', true) is not distinct from p_run_id then
    return;
  end if;
  perform pg_advisory_lock(delivery.run_lock(p_run_id));
  perform set_config('molva.run_id', p_run_id, false);
  -- A machine that vanished from the network closes nothing: the server asks for it, and gives up after about ten seconds.
  perform set_config(name, value, false)
  from (values ('tcp_keepalives_idle', '4'), ('tcp_keepalives_interval', '2'), ('tcp_keepalives_count', '3')) as k (name, value);
  insert into delivery.dispatcher_runs (run_id, joined_at) values (p_run_id, p_now)
  on conflict (run_id) do update set missing_since = null, missed_at = null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.keep_chat_found(p_workspace_id uuid, p_channel_id uuid, p_name text, p_target text, p_title text, p_now timestamp with time zone DEFAULT now(), OUT target text, OUT taken_by uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_channel delivery.channels;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  -- Somebody changed it meanwhile, or found it too.
  if not found or split_part(v_channel.target_id, '#', 1) <> p_name then
    target := v_channel.target_id;
    return;
  end if;
  if not v_channel.allow_duplicate then
    taken_by := delivery.channel_on_chat(p_workspace_id, v_channel.platform, p_target, p_channel_id);
    if taken_by is not null then
      return;
    end if;
  end if;
  update delivery.channels
  set target_id = p_target, target_name = p_name, title = coalesce(title, p_title), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  returning target_id into target;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_changed', 'molva', null,
    jsonb_build_object('changes', jsonb_build_object('target_id', jsonb_build_object('from', v_channel.target_id, 'to', target))),
    p_now);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.keep_source_lease(p_workspace_id uuid, p_source_id text, p_run_id text, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update delivery.pull_sources
  set leased_until = greatest(leased_until, p_now + p_lease)
  where workspace_id = p_workspace_id and source_id = p_source_id and leased_by = p_run_id;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.lease_due_sources(p_places integer, p_lease interval, p_busy uuid[] DEFAULT '{}'::uuid[], p_in_hand text[] DEFAULT '{}'::text[], p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF delivery.pull_sources
 LANGUAGE plpgsql
AS $function$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    with due as (
      select s.workspace_id, s.source_id,
        row_number() over (partition by s.workspace_id order by s.next_run_at, s.source_id) as turn
      from delivery.pull_sources s
      join workspaces.workspaces w using (workspace_id)
      where s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
        and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    )
    select s.* from delivery.pull_sources s
    join due using (workspace_id, source_id)
    where turn <= delivery.pull_room(s.workspace_id, p_places, p_busy)
      -- Asked again of the row that is locked: another process may have just given it back.
      and s.enabled and s.next_run_at <= p_now and coalesce(s.leased_until, '-infinity') <= p_now
    order by turn + (select count(*) from unnest(p_busy) as busy where busy = s.workspace_id), s.next_run_at
    limit greatest(p_places - cardinality(p_busy), 0)
    for no key update of s skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.lease_pull_source(p_workspace_id uuid, p_source_id text, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF delivery.pull_sources
 LANGUAGE plpgsql
AS $function$
declare
  v_source delivery.pull_sources;
begin
  for v_source in
    select * from delivery.pull_sources
    where workspace_id = p_workspace_id and source_id = p_source_id
      and enabled and coalesce(leased_until, '-infinity') <= p_now
    for no key update skip locked
  loop
    return next delivery.lease_source(v_source, p_lease, p_now);
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.lease_source(p_source delivery.pull_sources, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS delivery.pull_sources
 LANGUAGE plpgsql
AS $function$
declare
  v_run_id text := 'ingest-pull-' || molva.uuidv7(p_now);
  v_source delivery.pull_sources;
begin
  -- The process that held an expired lease is gone: its run ends here.
  update delivery.ingest_runs
  set finished_at = p_now, stats_json = stats_json || '{"abandoned": true}'
  where workspace_id = p_source.workspace_id and run_id = p_source.leased_by and finished_at is null;
  update delivery.pull_sources
  set leased_by = v_run_id, leased_until = p_now + p_lease, last_run_at = p_now
  where workspace_id = p_source.workspace_id and source_id = p_source.source_id
  returning * into v_source;
  insert into delivery.ingest_runs (workspace_id, run_id, kind, source_id, endpoint_id, started_at)
  values (v_source.workspace_id, v_run_id, 'pull', v_source.source_id,
          delivery.endpoint_of_source(v_source.workspace_id, v_source.source_id), p_now);
  return v_source;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.lock_template(p_workspace_id uuid, p_template_id text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended('delivery.templates ' || p_workspace_id || ' ' || p_template_id, 0))
$function$;

CREATE OR REPLACE FUNCTION delivery.mark_sent(p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_provider_message_id text, p_sent_at timestamp with time zone, p_raw_meta jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_raw_meta) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'sent',
    'provider_message_id', p_provider_message_id, 'meta', p_raw_meta - array['reconciled', 'late_ms']), p_sent_at)
$function$;

CREATE OR REPLACE FUNCTION delivery.mark_sent(p_workspace_id uuid, p_delivery_id uuid, p_provider_message_id text, p_sent_at timestamp with time zone, p_raw_meta jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.mark_sent(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                            p_provider_message_id, p_sent_at, p_raw_meta)
$function$;

CREATE OR REPLACE FUNCTION delivery.mark_unknown(p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'unknown',
    'error', delivery.stored_error(p_error)), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.mark_unknown(p_workspace_id uuid, p_delivery_id uuid, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.mark_unknown(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                               p_error, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.media_announce(p_workspace_id uuid, p_blob_ref text, p_origin_url text, p_source_url text, p_about jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_before delivery.media_origin;
begin
  select * into v_before from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update;
  insert into delivery.media_origin as o (
    workspace_id, blob_ref, origin_url, source_url, sha256, content_type, size_bytes, file_name, width, height, last_seen_at,
    created_at)
  values (
    p_workspace_id, p_blob_ref, p_origin_url, p_source_url, p_about ->> 'sha256', p_about ->> 'content_type',
    (p_about ->> 'size_bytes')::bigint, p_about ->> 'file_name', (p_about ->> 'width')::int, (p_about ->> 'height')::int,
    p_now, p_now)
  on conflict (workspace_id, blob_ref) do update
    set origin_url = excluded.origin_url, source_url = excluded.source_url, sha256 = excluded.sha256,
        content_type = excluded.content_type, size_bytes = excluded.size_bytes, file_name = excluded.file_name,
        width = excluded.width, height = excluded.height, fetched_at = null,
        last_seen_at = greatest(o.last_seen_at, excluded.last_seen_at);
  if v_before.sha256 is distinct from p_about ->> 'sha256' then
    -- Another file under the same name: what providers call the old one is of no use for it.
    delete from delivery.media_blobs b where b.workspace_id = p_workspace_id and b.blob_ref = p_blob_ref;
  end if;
  return nullif(v_before.origin_url, p_origin_url);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.media_claim(p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds integer, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
AS $function$
  with taken as (
    insert into delivery.media_claims as c (workspace_id, blob_ref, purpose, holder, expires_at)
    values (p_workspace_id, p_blob_ref, p_purpose, p_holder, p_now + make_interval(secs => p_seconds))
    on conflict (workspace_id, blob_ref, purpose) do update
      set holder = excluded.holder, expires_at = excluded.expires_at
      where c.expires_at <= p_now
    returning 1
  )
  select exists (select from taken)
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_candidates(p_after_workspace uuid, p_after_blob text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, blob_ref text)
 LANGUAGE sql
 STABLE
AS $function$
  select o.workspace_id, o.blob_ref
  from delivery.media_origin o
  where o.ref_count = 0
    and (o.workspace_id, o.blob_ref)
        > (coalesce(p_after_workspace, '00000000-0000-0000-0000-000000000000'), coalesce(p_after_blob, ''))
    and delivery.media_gc_is_old(o, p_now)
  order by o.workspace_id, o.blob_ref
  limit p_limit
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_forget(p_workspace_id uuid, p_blob_ref text)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from delivery.media_blobs where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_claims where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
  delete from delivery.media_origin where workspace_id = p_workspace_id and blob_ref = p_blob_ref;
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_is_old(p_origin delivery.media_origin, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select p_origin.last_seen_at < p_now - make_interval(days =>
    case when p_origin.content_type like 'video/%' and p_origin.size_bytes >= r.large_video_bytes
      then r.large_video_days else r.media_days end)
  from delivery.retention_of((select w.settings from workspaces.workspaces w where w.workspace_id = p_origin.workspace_id)) r
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_recount(p_after_workspace uuid, p_after_blob text, p_limit integer, OUT changed integer, OUT next_workspace uuid, OUT next_blob text)
 RETURNS record
 LANGUAGE sql
AS $function$
  with seen as materialized (
    select o.workspace_id, o.blob_ref, o.ref_count, delivery.media_gc_refs(o.workspace_id, o.blob_ref) as refs,
      row_number() over (order by o.workspace_id, o.blob_ref) as place
    from (
      select * from delivery.media_origin
      where (workspace_id, blob_ref)
            > (coalesce(p_after_workspace, '00000000-0000-0000-0000-000000000000'), coalesce(p_after_blob, ''))
      order by workspace_id, blob_ref
      limit p_limit
    ) o
  ),
  -- A row that somebody holds is counted at the next run; waiting for it could end in a circle.
  wrong as materialized (
    select o.workspace_id, o.blob_ref, s.refs
    from delivery.media_origin o
    join seen s using (workspace_id, blob_ref)
    where o.ref_count <> s.refs
    for update of o skip locked
  ),
  corrected as (
    update delivery.media_origin o set ref_count = w.refs
    from wrong w
    where o.workspace_id = w.workspace_id and o.blob_ref = w.blob_ref
    returning 1
  )
  select (select count(*) from corrected)::int, last.workspace_id, last.blob_ref
  from (values (1)) as one left join seen last on last.place = p_limit
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_refs(p_workspace_id uuid, p_blob_ref text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_hook text;
  v_refs bigint;
  v_all  bigint := 0;
begin
  for v_hook in select molva.hooks('media_refs') loop
    execute format('select %s($1, $2)', v_hook) into v_refs using p_workspace_id, p_blob_ref;
    v_all := v_all + v_refs;
  end loop;
  return v_all;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.media_gc_take(p_workspace_id uuid, p_blob_ref text, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_origin delivery.media_origin;
begin
  select * into v_origin from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update skip locked;
  -- Asked after the lock, because both may have changed since the candidates were listed.
  if found and delivery.media_gc_is_old(v_origin, p_now) and delivery.media_gc_refs(p_workspace_id, p_blob_ref) = 0 then
    return v_origin.origin_url;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.media_give_up(p_workspace_id uuid, p_blob_ref text)
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.media_origin set fetch_after = 'infinity'
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url not like 'storage:%'
$function$;

CREATE OR REPLACE FUNCTION delivery.media_known(p_workspace_id uuid, p_media jsonb, p_account text, p_since timestamp with time zone, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(blob_ref text, source_url text, origin_url text, sha256 text, content_type text, size_bytes bigint, file_name text, width integer, height integer, is_stored boolean, is_fresh boolean, file_ids jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select r.blob_ref,
    -- An original that lies elsewhere is fetched like anything else, and kept.
    coalesce(m.item ->> 'url', o.source_url, substring(o.origin_url from '^https?://.*$')), o.origin_url, o.sha256, o.content_type, o.size_bytes, o.file_name,
    o.width, o.height,
    coalesce(o.origin_url like 'storage:%' and (o.source_url is null or o.fetched_at is not null), false),
    -- An address may show another picture tomorrow, so a new post looks again; a retry of an old post does not.
    coalesce(o.origin_url like 'storage:%' and (o.source_url is null or o.fetched_at >= p_since - interval '1 hour'), false),
    coalesce((
      select jsonb_object_agg(substr(b.provider, length(p_account) + 2), b.file_id)
      from delivery.media_blobs b
      where b.workspace_id = p_workspace_id and b.blob_ref = r.blob_ref and b.file_id is not null
        and b.provider like replace(p_account, '_', '\_') || ':%' and (b.expires_at is null or b.expires_at > p_now)
    ), '{}')
  from jsonb_array_elements(p_media) with ordinality as m (item, place)
  cross join lateral (select coalesce(m.item ->> 'blob_ref', delivery.blob_ref_of(m.item ->> 'url'))) as r (blob_ref)
  left join delivery.media_origin o on o.workspace_id = p_workspace_id and o.blob_ref = r.blob_ref
  order by m.place
$function$;

CREATE OR REPLACE FUNCTION delivery.media_lost(p_workspace_id uuid, p_blob_ref text, p_origin_url text)
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.media_origin set fetched_at = null
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url = p_origin_url and source_url is not null
$function$;

CREATE OR REPLACE FUNCTION delivery.media_refs(p_workspace_id uuid, p_blob_ref text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select count(*)
  from delivery.messages m
  where m.workspace_id = p_workspace_id and m.payload ? 'media'
    and jsonb_path_query_array(m.payload, '$.media[*].blob_ref') @> jsonb_build_array(p_blob_ref)
$function$;

CREATE OR REPLACE FUNCTION delivery.media_release(p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from delivery.media_claims
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$function$;

CREATE OR REPLACE FUNCTION delivery.media_remember(p_workspace_id uuid, p_blob_ref text, p_provider text, p_file_id text, p_expires_at timestamp with time zone, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.media_blobs as b (workspace_id, blob_ref, provider, file_id, expires_at, created_at, updated_at)
  values (p_workspace_id, p_blob_ref, p_provider, p_file_id, p_expires_at, p_now, p_now)
  on conflict (workspace_id, blob_ref, provider) do update
    set file_id = excluded.file_id, url = null, expires_at = excluded.expires_at, updated_at = p_now
$function$;

CREATE OR REPLACE FUNCTION delivery.media_renew(p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds integer, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.media_claims set expires_at = p_now + make_interval(secs => p_seconds)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$function$;

CREATE OR REPLACE FUNCTION delivery.media_stored(p_workspace_id uuid, p_blob_ref text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.media_origin set fetched_at = p_now, last_seen_at = greatest(last_seen_at, p_now)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref
$function$;

CREATE OR REPLACE FUNCTION delivery.media_take_expected(p_places integer, p_retry_at timestamp with time zone, p_busy uuid[] DEFAULT '{}'::uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, blob_ref text, url text)
 LANGUAGE sql
AS $function$
  with due as (
    select w.workspace_id, o.blob_ref
    from delivery.workspaces w
    cross join lateral (
      select o.blob_ref, o.fetch_after from delivery.media_origin o
      where o.workspace_id = w.workspace_id and o.origin_url not like 'storage:%' and o.fetch_after <= p_now
      order by o.fetch_after
      limit greatest(delivery.pull_room(w.workspace_id, p_places, p_busy), 0)
      for update skip locked
    ) o
    order by row_number() over (partition by w.workspace_id order by o.fetch_after)
        + (select count(*) from unnest(p_busy) as busy where busy = w.workspace_id), o.fetch_after
    limit greatest(p_places - cardinality(p_busy), 0)
  )
  update delivery.media_origin o set fetch_after = p_retry_at
  from due d
  where o.workspace_id = d.workspace_id and o.blob_ref = d.blob_ref
  returning o.workspace_id, o.blob_ref, o.origin_url
$function$;

CREATE OR REPLACE FUNCTION delivery.missed_by_receipt(p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text)
 RETURNS uuid[]
 LANGUAGE plpgsql
AS $function$
declare
  v_hash   text := p_payload_hash;
  v_missed uuid[];
begin
  if p_source_ref is not null then
    select r.payload_hash into v_hash from delivery.ingress_receipts r
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = p_endpoint.endpoint_id and r.source_ref = p_source_ref
    for update;
  end if;
  select delivery.missed_channels(m.workspace_id, m.message_id) into v_missed
  from delivery.messages m
  where m.workspace_id = p_endpoint.workspace_id and m.hash_version = 1 and m.content_hash = v_hash;
  if v_missed <> '{}' and v_hash <> p_payload_hash then
    update delivery.ingress_receipts r set payload_hash = p_payload_hash
    where r.workspace_id = p_endpoint.workspace_id and r.endpoint_id = p_endpoint.endpoint_id and r.source_ref = p_source_ref;
  end if;
  return coalesce(v_missed, '{}');
end
$function$;

CREATE OR REPLACE FUNCTION delivery.missed_channels(p_workspace_id uuid, p_message_id uuid)
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(distinct d.channel_id), '{}')
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  where d.workspace_id = p_workspace_id and d.message_id = p_message_id and c.enabled
    and (d.status in ('failed_permanent', 'dead')) is true
    and coalesce(d.last_error ->> 'code', '') not in ('cancelled', 'stale_dropped', 'outcome_unknown')
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = p_message_id and o.channel_id = d.channel_id
        and (o.status in ('queued', 'claimed', 'sending', 'retry') or o.sent_at >= d.created_at))
$function$;

CREATE OR REPLACE FUNCTION delivery.missing_runs()
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(r.run_id), '{}')
  from delivery.dispatcher_runs r
  where not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = delivery.run_lock(r.run_id))
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_counts(p_workspace_id uuid, p_since timestamp with time zone)
 RETURNS TABLE(reason text, count bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select r.reason, sum((
    select count(*) from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = r.action and e.ts > p_since))::bigint
  from delivery.monitor_reasons() r
  group by 1
  union all
  select 'orphan_events', count(*) from delivery.orphan_events o
  where o.workspace_id = p_workspace_id and o.found_at > p_since
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_end_send(p_workspace_id uuid, p_alert_id uuid, p_target_id uuid, p_error text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_fingerprint text;
  v_created_at  timestamptz;
begin
  select a.alert_fingerprint, a.created_at into v_fingerprint, v_created_at
  from delivery.alerts a where a.workspace_id = p_workspace_id and a.alert_id = p_alert_id
  for update;
  update delivery.alert_sends
  set status = case when p_error is null then 'sent'
                    when v_created_at <= p_now - interval '1 hour' then 'given_up'
                    else 'pending' end,
      taken_until = null, last_error = p_error,
      ended_at = case when p_error is null or v_created_at <= p_now - interval '1 hour' then p_now end
  where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id = p_target_id;
  update delivery.alert_targets
  set sent_count = sent_count + (p_error is null)::int,
      failed_count = failed_count + (p_error is not null)::int,
      last_error = p_error, updated_at = p_now
  where workspace_id = p_workspace_id and target_id = p_target_id;
  -- The first target that has it begins the cooldown; the others belong to the same alert.
  if p_error is null and not exists (
    select from delivery.alert_sends
    where workspace_id = p_workspace_id and alert_id = p_alert_id and target_id <> p_target_id and status = 'sent'
  ) then
    perform delivery.monitor_receipt(p_workspace_id, v_fingerprint, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_examples(p_workspace_id uuid, p_reason text, p_since timestamp with time zone, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(x)) order by x.count desc), '[]')
  from (
    select g.count, g.channel_id, c.title as channel, c.platform, g.source_id, g.account, g.code, g.message, g.since, g.action, g.missing
    from (
      select count(*) as count, e.channel_id, e.meta ->> 'source_id' as source_id,
        e.meta ->> 'account' as account, e.error ->> 'code' as code,
        (array_agg(e.error ->> 'message' order by e.ts desc))[1] as message,
        (array_agg(e.meta ->> 'since' order by e.ts desc))[1] as since,
        null as action, null as missing
      from unnest(case p_reason
        when 'failed_permanent_threshold' then array['failed_permanent', 'validation_failed']
        else array(select r.action from delivery.monitor_reasons() r where r.reason = p_reason) end) as a (action)
      cross join lateral (
        select n.* from workspaces.events n
        where n.workspace_id = p_workspace_id and n.action = a.action and n.ts > p_since
        order by n.ts desc limit 1000
      ) e
      group by 2, 3, 4, 5
      union all
      select 1, c.channel_id, null, null, null, null, to_jsonb(c.paused_until) #>> '{}', null, null
      from delivery.channels c
      where p_reason = 'paused_channels_threshold' and c.workspace_id = p_workspace_id and c.paused_until > p_now
      union all
      select count(*), null, null, null, null, null, null, o.action, o.missing
      from delivery.orphan_events o
      where p_reason = 'orphan_events' and o.workspace_id = p_workspace_id and o.found_at > p_since
      group by o.action, o.missing
      order by 1 desc
      limit 3
    ) g
    left join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = g.channel_id
  ) x
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_findings(p_workspace_id uuid DEFAULT NULL::uuid, p_thresholds jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, reason text, count bigint, threshold integer, examples jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  with watched as materialized (
    select w.workspace_id, m.failed_permanent_threshold, m.paused_channels_threshold,
      greatest(t.reported_until, p_now - interval '1 day') as since,
      case when t.reported_until > p_now - interval '1 day' then t.reported_after else '{}' end as told
    from delivery.health_scope(p_workspace_id) w
    cross join lateral delivery.monitor_thresholds(w.workspace_id, p_thresholds) m
    left join delivery.monitor_state t using (workspace_id)
    where w.status <> 'disabled'
  ),
  counted as (
    select w.workspace_id, c.reason, c.count - coalesce((w.told ->> c.reason)::bigint, 0) as count, 0 as threshold, w.since
    from watched w
    cross join lateral delivery.monitor_counts(w.workspace_id, w.since) c
    union all
    select w.workspace_id, 'failed_permanent_threshold', (
        select count(*) from workspaces.events e
        where e.workspace_id = w.workspace_id and e.action in ('failed_permanent', 'validation_failed')
          and e.ts > p_now - interval '10 minutes'),
      w.failed_permanent_threshold, p_now - interval '10 minutes'
    from watched w
    union all
    select w.workspace_id, 'paused_channels_threshold', (
        select count(*) from delivery.channels c where c.workspace_id = w.workspace_id and c.paused_until > p_now),
      w.paused_channels_threshold, p_now
    from watched w
  )
  select c.workspace_id, c.reason, c.count, c.threshold,
    delivery.monitor_examples(c.workspace_id, c.reason, c.since, p_now)
  from counted c
  where c.count > c.threshold
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_forget(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from delivery.alerts a using workspaces.workspaces w
  where a.workspace_id = w.workspace_id and a.created_at < p_now - interval '30 days';
  delete from delivery.monitor_alert_receipts where last_sent_at < p_now - interval '30 days';
  delete from delivery.orphan_events where event_ts < p_now - interval '90 days';
  delete from delivery.event_minutes m using workspaces.workspaces w
  where m.workspace_id = w.workspace_id and m.minute < p_now - interval '2 days';
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_raise_alert(p_workspace_id uuid, p_thresholds jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now(), OUT verdict text, OUT alert_id uuid, OUT alert_fingerprint text, OUT targets integer)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_reasons  text[];
  v_findings jsonb;
  v_cooldown interval;
  v_mark     timestamptz;
begin
  targets := 0;
  -- The lock is a statement of its own: what follows must see what the monitor before us wrote.
  insert into delivery.monitor_state (workspace_id) values (p_workspace_id) on conflict (workspace_id) do nothing;
  perform from delivery.monitor_state where workspace_id = p_workspace_id for update;

  select array_agg(f.reason order by f.reason), jsonb_agg(to_jsonb(f) - 'workspace_id' order by f.reason)
  into v_reasons, v_findings
  from delivery.monitor_findings(p_workspace_id, p_thresholds, p_now) f;
  if v_reasons is null then
    verdict := 'no_alerts';
    return;
  end if;
  alert_fingerprint := p_workspace_id || ':' || array_to_string(v_reasons, '+');

  if exists (
    select from delivery.alert_sends s
    join delivery.alerts a using (workspace_id, alert_id)
    where s.workspace_id = p_workspace_id and s.status = 'pending'
      and a.alert_fingerprint = monitor_raise_alert.alert_fingerprint
      and not exists (
        select from delivery.alert_sends o
        where o.workspace_id = s.workspace_id and o.alert_id = s.alert_id and o.status = 'sent')
  ) then
    verdict := 'delivery_pending';
    return;
  end if;

  select make_interval(secs => t.alert_cooldown_seconds) into v_cooldown
  from delivery.monitor_thresholds(p_workspace_id, p_thresholds) t;
  if exists (
    select from delivery.monitor_alert_receipts r
    where r.workspace_key = p_workspace_id::text and r.alert_fingerprint = monitor_raise_alert.alert_fingerprint
      and r.last_sent_at > p_now - v_cooldown
  ) then
    verdict := 'cooldown_active';
    return;
  end if;

  verdict := 'raised';
  alert_id := molva.uuidv7(p_now);
  insert into delivery.alerts (workspace_id, alert_id, alert_fingerprint, reasons, findings, created_at)
  values (p_workspace_id, monitor_raise_alert.alert_id, monitor_raise_alert.alert_fingerprint, v_reasons, v_findings, p_now);
  insert into delivery.alert_sends (workspace_id, alert_id, target_id)
  select p_workspace_id, monitor_raise_alert.alert_id, t.target_id
  from delivery.alert_targets t where t.workspace_id = p_workspace_id and t.enabled;
  get diagnostics targets = row_count;
  -- With nobody to tell, the alert stands in the table and is not raised again every minute.
  if targets = 0 then
    perform delivery.monitor_receipt(p_workspace_id, monitor_raise_alert.alert_fingerprint, p_now);
  end if;

  select greatest(s.reported_until, p_now - interval '10 seconds') into v_mark
  from delivery.monitor_state s where s.workspace_id = p_workspace_id;
  update delivery.monitor_state s
  set reported_until = v_mark,
      reported_after = (
        select coalesce(jsonb_object_agg(c.reason, c.count), '{}')
        from delivery.monitor_counts(p_workspace_id, v_mark) c)
  where s.workspace_id = p_workspace_id;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_reasons()
 RETURNS TABLE(reason text, action text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  values ('dead_deliveries', 'dead_letter'),
         ('sending_leases_recovered', 'sending_lease_expired'),
         ('claimed_leases_recovered', 'claimed_lease_expired'),
         ('silence_detected', 'silence_detected'),
         ('source_failed', 'source_failed'),
         ('source_failed', 'ingress_config_error'),
         ('bot_error_spike', 'bot_error_spike'),
         ('fallback_rate_high', 'fallback_rate_high'),
         ('operator_missing', 'operator_missing'),
         ('operator_silent', 'operator_silent'),
         ('accounts_stopped', 'account_flood_wait'),
         ('accounts_stopped', 'account_stopped')
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_receipt(p_workspace_id uuid, p_alert_fingerprint text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.monitor_alert_receipts as r (workspace_key, alert_fingerprint, first_sent_at, last_sent_at)
  values (p_workspace_id::text, p_alert_fingerprint, p_now, p_now)
  on conflict (workspace_key, alert_fingerprint) do update
    set last_sent_at = greatest(r.last_sent_at, excluded.last_sent_at), sent_count = r.sent_count + 1
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_take_sends(p_workspace_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 50, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, workspace text, timezone text, alert_id uuid, alert_fingerprint text, findings jsonb, created_at timestamp with time zone, target_id uuid, kind text, config jsonb, secret_ref text, language text)
 LANGUAGE sql
AS $function$
  select * from delivery.monitor_take_sends(p_workspace_id, null::text[], p_limit, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_take_sends(p_workspace_id uuid, p_secret_refs text[], p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, workspace text, timezone text, alert_id uuid, alert_fingerprint text, findings jsonb, created_at timestamp with time zone, target_id uuid, kind text, config jsonb, secret_ref text, language text)
 LANGUAGE sql
AS $function$
  with free as (
    select s.workspace_id, s.alert_id, s.target_id from delivery.alert_sends s
    join delivery.alert_targets g using (workspace_id, target_id)
    where s.status = 'pending' and (p_workspace_id is null or s.workspace_id = p_workspace_id)
      and (p_secret_refs is null or g.kind = 'telegram' and g.secret_ref = any (p_secret_refs))
      and coalesce(s.taken_until, '-infinity') <= p_now
    order by s.workspace_id, s.alert_id
    limit p_limit
    for update of s skip locked
  ),
  taken as (
    update delivery.alert_sends s
    set taken_until = p_now + interval '2 minutes', attempts = s.attempts + 1
    from free f
    where s.workspace_id = f.workspace_id and s.alert_id = f.alert_id and s.target_id = f.target_id
    returning s.workspace_id, s.alert_id, s.target_id
  )
  select t.workspace_id, w.name, w.timezone, t.alert_id, a.alert_fingerprint, a.findings, a.created_at,
    t.target_id, g.kind, g.config, g.secret_ref, g.language
  from taken t
  join workspaces.workspaces w using (workspace_id)
  join delivery.alerts a using (workspace_id, alert_id)
  join delivery.alert_targets g using (workspace_id, target_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.monitor_thresholds(p_workspace_id uuid, p_overrides jsonb DEFAULT '{}'::jsonb, OUT failed_permanent_threshold integer, OUT paused_channels_threshold integer, OUT alert_cooldown_seconds integer)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((p_overrides ->> 'failed_permanent_threshold')::int, s.failed_permanent_threshold, 5),
    coalesce((p_overrides ->> 'paused_channels_threshold')::int, s.paused_channels_threshold, 10),
    greatest(1, coalesce((p_overrides ->> 'alert_cooldown_seconds')::int, s.alert_cooldown_seconds, 300))
  from (select p_workspace_id) as w (workspace_id)
  left join delivery.monitor_settings s using (workspace_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.move_pull_cursor(p_workspace_id uuid, p_source_id text, p_cursor jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.pull_cursors as c (workspace_id, source_id, cursor_json, updated_at)
  values (p_workspace_id, p_source_id, jsonb_strip_nulls(p_cursor), p_now)
  on conflict (workspace_id, source_id) do update
    set cursor_json = jsonb_strip_nulls(c.cursor_json || p_cursor), updated_at = p_now
$function$;

CREATE OR REPLACE FUNCTION delivery.next_claim_at(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  with recursive hop as (
    (select d.channel_id, d.due_at from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
     order by d.channel_id, d.due_at, d.delivery_id limit 1)
    union all
    select n.channel_id, n.due_at
    from hop h
    cross join lateral (
      select d.channel_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
        and d.channel_id > h.channel_id
      order by d.channel_id, d.due_at, d.delivery_id limit 1
    ) n
  ),
  waiting as (
    select greatest(h.due_at, f.claimable_from) as at
    from hop h
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = h.channel_id
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    cross join lateral (select delivery.claimable_from(c, g)) as f (claimable_from)
    where f.claimable_from is not null
  )
  select min(at) from waiting
  where isfinite(at)
    and exists (select from workspaces.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active')
$function$;

CREATE OR REPLACE FUNCTION delivery.next_free(p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now(), OUT free_at timestamp with time zone, OUT lasting text)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  free_at := p_now;
  loop
    lasting := delivery.delivery_block(p_delivery, p_channel, free_at);
    exit when lasting is null;
    free_at := delivery.block_ends_at(lasting, p_channel, free_at);
    exit when free_at is null;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.next_open(p_window jsonb, p_timezone text, p_at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
declare
  v_last timestamptz := p_at + interval '8784 hours';
  v_at   timestamptz := p_at;
  v_wall timestamp;
  v_step timestamp;
  v_next timestamptz;
begin
  if not isfinite(p_at) then
    return null;
  end if;
  loop
    v_wall := v_at at time zone p_timezone;
    v_step := delivery.window_step(p_window, v_wall);
    if v_step = v_wall then
      return v_at;
    end if;
    -- The instant of v_step if the clock runs evenly until then. Through UTC, because adding days to an instant would
    -- follow the session's zone.
    v_next := (v_step - (v_wall - v_at at time zone 'UTC')) at time zone 'UTC';
    if v_next at time zone p_timezone <> v_step then
      v_next := delivery.clock_change(p_timezone, v_at, v_next);
    end if;
    if v_next > v_last then
      return null;
    end if;
    v_at := v_next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.next_pull_at(p_places integer, p_busy uuid[] DEFAULT '{}'::uuid[], p_in_hand text[] DEFAULT '{}'::text[])
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select min(greatest(s.next_run_at, coalesce(s.leased_until, s.next_run_at)))
  from delivery.pull_sources s
  join workspaces.workspaces w using (workspace_id)
  where s.enabled and w.status = 'active' and coalesce(s.leased_by, '') <> all (p_in_hand)
    and delivery.pull_room(s.workspace_id, p_places, p_busy) > 0
$function$;

CREATE OR REPLACE FUNCTION delivery.next_start_at(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
  select min(greatest(d.not_before,
      case when c.rate_rps > 0 then c.last_started_at + delivery.start_gap(c.rate_rps) end,
      case when g.rate_rps > 0 then g.last_started_at + delivery.start_gap(g.rate_rps) end)) - delivery.start_lead()
  from (
    select d.channel_id, d.not_before from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.held_at is null
    order by d.not_before limit 1000
  ) d
  join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
  left join delivery.platform_limits g using (workspace_id, platform, rate_group)
  -- A full channel goes on when one of its sends ends.
  where c.max_parallel > (
    select count(*) from delivery.deliveries s
    where s.workspace_id = p_workspace_id and s.status = 'sending' and s.channel_id = d.channel_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.next_workspaces(p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_last uuid;
  v_live uuid[];
begin
  select s.workspace_id_last into v_last from delivery.dispatcher_state s;
  with recursive hop as (
    (select d.workspace_id from delivery.deliveries d
     where d.status in ('queued', 'claimed', 'sending', 'retry')
     order by d.workspace_id, d.status, d.not_before, d.next_retry_at limit 1)
    union all
    select n.workspace_id
    from hop h
    cross join lateral (
      select d.workspace_id from delivery.deliveries d
      where d.status in ('queued', 'claimed', 'sending', 'retry') and d.workspace_id > h.workspace_id
      order by d.workspace_id, d.status, d.not_before, d.next_retry_at limit 1
    ) n
  )
  select array_agg(h.workspace_id order by (h.workspace_id > v_last) desc nulls last, h.workspace_id)
  into v_live
  from hop h
  join workspaces.workspaces w on w.workspace_id = h.workspace_id and w.status = 'active';

  if cardinality(v_live) > 1 then
    -- Best effort: several dispatchers may move the mark, none waits for it.
    update delivery.dispatcher_state s set workspace_id_last = v_live[1], updated_at = p_now
    where s.only_row and exists (select from delivery.dispatcher_state f where f.only_row for update skip locked);
  end if;
  return query select unnest(v_live);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.nobody_dispatches(p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select greatest(
      case p_delivery.status when 'claimed' then p_delivery.not_before else p_delivery.due_at end,
      p_delivery.updated_at, p_channel.updated_at, w.updated_at,
      case when p_channel.rate_rps > 0 then p_channel.next_allowed_at end,
      case when g.rate_rps > 0 then g.next_allowed_at end) <= p.long_ago
    and delivery.delivery_block(p_delivery, p_channel, p.long_ago) is null
    and not exists (
      select from workspaces.events e
      where e.workspace_id = p_delivery.workspace_id and e.action = 'send_attempt' and e.ts > p.long_ago)
    and not exists (
      select from delivery.deliveries d
      where d.workspace_id = p_delivery.workspace_id and d.status in ('claimed', 'sending')
        and coalesce(d.sending_started_at, d.claimed_at) > p.long_ago
        and split_part(d.claim_token, ':', 1) <> all (delivery.missing_runs()))
  from (select p_now - interval '30 seconds' as long_ago) p
  join workspaces.workspaces w on w.workspace_id = p_delivery.workspace_id
  left join delivery.platform_limits g
    on g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform and g.rate_group = p_channel.rate_group
$function$;

CREATE OR REPLACE FUNCTION delivery."normalize"(p_raw jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_strip_nulls(
    (case when jsonb_typeof(p_raw -> 'payload') = 'object' then p_raw -> 'payload' else '{}' end
       - array['text', 'media', 'type', 'parse_mode', 'dialect', 'tags'])
    || jsonb_build_object(
         'type', case when m.media is null then 'text' else 'media' end,
         'text', delivery.clean_text(p_raw #>> '{payload,text}'),
         'parse_mode', case mode.name
                         when 'html' then 'HTML' when 'none' then 'None'
                         when 'markdown' then 'Markdown' when 'markdownv2' then 'Markdown'
                       end,
         -- MarkdownV2 is Telegram's name for its own dialect.
         'dialect', case mode.name when 'markdownv2' then 'telegram' else lower(p_raw #>> '{payload,dialect}') end,
         'media', m.media))
  from lower(coalesce(p_raw #>> '{payload,parse_mode}', p_raw #>> '{render_meta,parse_mode}')) as mode (name), (
    select jsonb_agg(delivery.normalize_media(item) order by place) as media
    from jsonb_array_elements(
           case when jsonb_typeof(p_raw #> '{payload,media}') = 'array' then p_raw #> '{payload,media}' else '[]' end)
         with ordinality as items (item, place)
  ) m
$function$;

CREATE OR REPLACE FUNCTION delivery.normalize_media(p_item jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_strip_nulls(
    (p_item - array['type', 'url', 'origin_url', 'media_url', 'blob_ref', 'caption'])
    || jsonb_build_object(
         'type', case lower(p_item ->> 'type')
                   when 'image' then 'photo' when 'gif' then 'animation' when 'file' then 'document'
                   else lower(p_item ->> 'type')
                 end,
         'url', a.url,
         'blob_ref', coalesce(nullif(btrim(p_item ->> 'blob_ref'), ''), delivery.blob_ref_of(a.url)),
         'caption', delivery.clean_text(p_item ->> 'caption')))
  from (
    select delivery.canonical_url(
      nullif(btrim(coalesce(p_item ->> 'url', p_item ->> 'origin_url', p_item ->> 'media_url')), ''))
  ) as a (url)
$function$;

CREATE OR REPLACE FUNCTION delivery.note_adapter_send(p_workspace_id uuid, p_channel_id uuid, p_action text, p_error jsonb, p_payload_ref text, p_meta jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_channel_id, p_now, p_action, 0,
    case when p_error is null then 'ok' else 'error' end, workspaces.redact(p_error), p_payload_ref, workspaces.redact(p_meta));
  insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
  select p_workspace_id, c.platform, c.rate_group,
    p_now + coalesce(make_interval(secs => (p_error ->> 'retry_after_ms')::float8 / 1000), interval '30 seconds'), p_now
  from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and p_error ->> 'scope' = 'platform'
    and (p_error ->> 'category' = 'PERMANENT' or p_error ->> 'retry_after_ms' is not null)
  on conflict (workspace_id, platform, rate_group) do update
    set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
$function$;

CREATE OR REPLACE FUNCTION delivery.operator_meta(p_operator text, p_reason text)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  if coalesce(btrim(p_operator), '') = '' or coalesce(btrim(p_reason), '') = '' then
    raise exception 'an operation on deliveries needs an operator and a reason' using errcode = 'invalid_parameter_value';
  end if;
  return jsonb_build_object('operator', btrim(p_operator), 'reason', workspaces.redact_text(btrim(p_reason)));
end
$function$;

CREATE OR REPLACE FUNCTION delivery.origin_of(p_url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case when v.parts is null then p_url else
    lower(v.parts[1]) || '://' || lower(v.parts[2]) || ':'
      || coalesce(v.parts[3], case lower(v.parts[1]) when 'https' then '443' else '80' end)
  end
  from (select regexp_match(p_url, '^(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]+))?(?:[/?#]|$)', 'i') as parts) v
$function$;

CREATE OR REPLACE FUNCTION delivery.orphan_read(p_workspace_id uuid, p_reader text, p_limit integer, p_kept interval DEFAULT '90 days'::interval, p_now timestamp with time zone DEFAULT now(), OUT scanned bigint, OUT orphans bigint)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  -- The transaction of a younger event may not have ended yet.
  v_until constant timestamptz := p_now - interval '1 minute';
  c_rest  constant interval := interval '6 hours';
  c_start constant uuid := '00000000-0000-0000-0000-000000000000';
  v_from  delivery.orphan_cursors;
  v_last  record;
begin
  scanned := 0;
  orphans := 0;
  insert into delivery.orphan_cursors (workspace_id, reader, ts, event_id, moved_at)
  values (p_workspace_id, p_reader, case p_reader when 'fresh' then p_now - interval '1 hour' else '-infinity' end,
          c_start, '-infinity')
  on conflict (workspace_id, reader) do nothing;
  select * into v_from from delivery.orphan_cursors
  where workspace_id = p_workspace_id and reader = p_reader
    -- Between two rounds the reader rests.
    and (p_reader = 'fresh' or ts > '-infinity' or moved_at <= p_now - c_rest)
  for update skip locked;
  if v_from.workspace_id is null then
    return;
  end if;

  with batch as materialized (
    select e.ts, e.id, e.action, e.delivery_id, e.message_id, e.channel_id
    from workspaces.events e
    where e.workspace_id = p_workspace_id
      and e.ts >= greatest(v_from.ts, p_now - p_kept) and (e.ts, e.id) > (v_from.ts, v_from.event_id) and e.ts <= v_until
    order by e.ts, e.id
    limit p_limit
  ),
  missing as materialized (
    select b.*,
      case when b.channel_id is not null and not exists (
             select from delivery.channels c
             where c.workspace_id = p_workspace_id and c.channel_id = b.channel_id) then 'channel'
           when b.message_id is not null and not exists (
             select from delivery.messages m
             where m.workspace_id = p_workspace_id and m.message_id = b.message_id) then 'message'
           when b.delivery_id is not null and not exists (
             select from delivery.deliveries d
             where d.workspace_id = p_workspace_id and d.delivery_id = b.delivery_id) then 'delivery'
      end as missing
    from batch b
  ),
  -- A channel that an operator deleted took its deliveries with it, and an event says so.
  deleted as materialized (
    select m.channel_id from (select distinct channel_id from missing where missing = 'channel') m
    where exists (
      select from workspaces.events e
      where e.workspace_id = p_workspace_id and e.channel_id = m.channel_id
        and e.action = 'channel_changed' and e.meta @> '{"deleted": true}')
  ),
  noted as (
    insert into delivery.orphan_events (workspace_id, event_id, event_ts, action, missing, missing_id, found_at)
    select p_workspace_id, m.id, m.ts, m.action, m.missing,
      case m.missing when 'channel' then m.channel_id when 'message' then m.message_id else m.delivery_id end, p_now
    from missing m
    where m.missing is not null and not exists (select from deleted d where d.channel_id = m.channel_id)
    on conflict (workspace_id, event_id) do nothing
    returning 1
  )
  select (select count(*) from batch) as scanned, (select count(*) from noted) as orphans,
    last.ts, last.id
  into v_last
  from (select 1) as one
  left join (select b.ts, b.id from batch b order by b.ts desc, b.id desc limit 1) as last on true;

  scanned := v_last.scanned;
  orphans := v_last.orphans;
  if p_reader = 'round' and scanned < p_limit then
    update delivery.orphan_cursors set ts = '-infinity', event_id = c_start, moved_at = p_now
    where workspace_id = p_workspace_id and reader = p_reader;
  else
    update delivery.orphan_cursors
    set ts = coalesce(v_last.ts, ts), event_id = coalesce(v_last.id, event_id), moved_at = p_now
    where workspace_id = p_workspace_id and reader = p_reader;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.orphan_reconcile(p_workspace_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 20000, p_kept interval DEFAULT '90 days'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(scanned bigint, orphans bigint)
 LANGUAGE plpgsql
AS $function$
declare
  v_left      int := p_limit;
  v_workspace uuid;
  v_reader    text;
  v_read      record;
begin
  scanned := 0;
  orphans := 0;
  -- Whoever was read longest ago comes first, so that a busy workspace does not starve the others.
  for v_workspace in
    select s.workspace_id from delivery.health_scope(p_workspace_id) s
    left join delivery.orphan_cursors c on c.workspace_id = s.workspace_id and c.reader = 'fresh'
    order by c.moved_at nulls first, s.workspace_id
  loop
    foreach v_reader in array array['fresh', 'round'] loop
      exit when v_left <= 0;
      select * into v_read from delivery.orphan_read(v_workspace, v_reader, v_left, p_kept, p_now);
      scanned := scanned + v_read.scanned;
      orphans := orphans + v_read.orphans;
      v_left := v_left - v_read.scanned;
    end loop;
  end loop;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.overview(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
  with ended as materialized (
    select k.status, coalesce(sum(e.total), 0)::bigint as total
    from delivery.health_endings() k
    left join delivery.health_events(p_workspace_id, p_now) e on e.action = any (k.actions)
    group by 1
  )
  select jsonb_build_object(
    'workspace', (
      select jsonb_build_object('id', workspace_id, 'name', name, 'status', status)
      from workspaces.workspaces where workspace_id = p_workspace_id),
    'queue', (
      select jsonb_build_object('queued', q.queued, 'claimed', q.claimed, 'sending', q.sending, 'retry', q.retry,
        'dead', q.dead_deliveries) from delivery.health_queue(p_workspace_id, p_now) q)
      || (select jsonb_object_agg(status, total) from ended where status <> 'dead'),
    'channels', (
      select jsonb_build_object(
        'total', count(*),
        'enabled', count(*) filter (where enabled and coalesce(paused_until, '-infinity') <= p_now),
        'paused', count(*) filter (where enabled and paused_until > p_now),
        'disabled', count(*) filter (where not enabled),
        'by_platform', coalesce((
          select jsonb_object_agg(platform, n) from (
            select platform, count(*) as n from delivery.channels where workspace_id = p_workspace_id group by 1) p), '{}'))
      from delivery.channels where workspace_id = p_workspace_id),
    'activity', (
      select jsonb_agg(jsonb_build_object('at', minute, 'sent', coalesce(e.sent, 0), 'failed', coalesce(e.failed, 0))
                       order by minute)
      from generate_series(date_trunc('minute', p_now) - interval '59 minutes', date_trunc('minute', p_now), '1 minute') as minute
      left join (
        select date_trunc('minute', ts) as minute,
          count(*) filter (where action = 'sent') as sent,
          count(*) filter (where action in ('failed_permanent', 'dead_letter', 'validation_failed')) as failed
        from workspaces.events
        where workspace_id = p_workspace_id
          and action in ('sent', 'failed_permanent', 'dead_letter', 'validation_failed')
          and ts >= date_trunc('minute', p_now) - interval '59 minutes' and ts <= p_now + interval '1 minute'
        group by 1
      ) e using (minute)))
$function$;

CREATE OR REPLACE FUNCTION delivery.pause_channel(p_workspace_id uuid, p_channel_id uuid, p_until timestamp with time zone, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update delivery.channels set paused_until = p_until, updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  if not found then
    return false;
  end if;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'channel_paused', p_operator, p_reason,
    jsonb_build_object('manual', true, 'paused_until', p_until), p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.payload_due(p_after_expiry timestamp with time zone, p_after_ref uuid, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, payload_ref uuid, storage_key text, expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p.workspace_id, p.payload_ref, p.storage_key, p.expires_at
  from delivery.payloads p
  where p.expires_at <= p_now
    and (p_after_ref is null or (p.expires_at, p.payload_ref) > (p_after_expiry, p_after_ref))
  order by p.expires_at, p.payload_ref
  limit p_limit
$function$;

CREATE OR REPLACE FUNCTION delivery.payload_note(p_workspace_id uuid, p_kind text, p_size_bytes bigint, p_sha256 text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(payload_ref uuid, storage_key text)
 LANGUAGE sql
AS $function$
  insert into delivery.payloads (workspace_id, payload_ref, storage_key, kind, size_bytes, sha256, created_at, expires_at)
  select p_workspace_id, made.ref,
    format('payloads/%s/%s/%s', p_workspace_id, to_char(p_now at time zone 'UTC', 'YYYY-MM-DD'), made.ref),
    p_kind, p_size_bytes, p_sha256, p_now, p_now + make_interval(days => r.payloads_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r, molva.uuidv7(p_now) as made (ref)
  where w.workspace_id = p_workspace_id
  returning payload_ref, storage_key
$function$;

CREATE OR REPLACE FUNCTION delivery.payload_open(p_workspace_id uuid, p_payload_ref uuid, p_caller jsonb, p_reason text, p_via text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(storage_key text, sha256 text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  if length(btrim(p_reason)) < 5 or p_reason is null then
    raise exception 'a raw payload is read for a reason of at least 5 characters' using errcode = 'check_violation';
  end if;
  return query
  with opened as (
    select p.storage_key, p.sha256, p.kind from delivery.payloads p
    where p.workspace_id = p_workspace_id and p.payload_ref = p_payload_ref and p.expires_at > p_now
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, ts, action, result, payload_ref, meta)
    select p_workspace_id, molva.uuidv7(p_now), p_now, 'payload_read', 'ok', p_payload_ref::text,
      jsonb_build_object('caller', p_caller, 'reason', workspaces.redact_text(btrim(p_reason)), 'via', p_via, 'kind', o.kind)
    from opened o
    returning 1
  )
  select o.storage_key, o.sha256 from opened o, noted;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.place_in_queue(p_delivery delivery.deliveries)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(p_delivery.scheduled_for, p_delivery.created_at)
$function$;

CREATE OR REPLACE FUNCTION delivery.policy_bounds()
 RETURNS TABLE(key text, whole boolean, lowest numeric, highest integer)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  values ('max_attempts', true, 1, 100),
         ('backoff_base_seconds', false, 0.1, 3600),
         ('backoff_max_seconds', false, 0.1, 86400),
         ('pause_on_permanent_seconds', true, 60, 604800),
         ('disable_after_permanent_streak', true, 1, 1000)
$function$;

CREATE OR REPLACE FUNCTION delivery.policy_fault(p_settings jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_given constant jsonb := p_settings -> 'policy';
  v_fault text;
  v       record;
begin
  -- Read by every post that comes in.
  if jsonb_typeof(p_settings -> 'deduped_rows') not in ('boolean', 'null') then
    return 'deduped_rows must be true or false';
  end if;
  if v_given is null then
    return null;
  elsif jsonb_typeof(v_given) <> 'object' then
    return 'policy must be an object';
  end if;

  select case
      when b.key is null then format('policy has no setting "%s"; it has %s', g.key,
        (select string_agg(a.key, ', ') from delivery.policy_bounds() a))
      when jsonb_typeof(g.value) <> 'number' then format('policy.%s must be a number', g.key)
      when b.whole and g.value::text !~ '^[0-9]+$' then format('policy.%s must be a whole number', g.key)
      when g.value::text::numeric not between b.lowest and b.highest
        then format('policy.%s must be from %s to %s', g.key, b.lowest, b.highest)
    end into v_fault
  from jsonb_each(v_given) g
  left join delivery.policy_bounds() b using (key)
  order by 1 nulls last
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  select * into v from delivery.policy_of(p_settings);
  return case when v.backoff_max_seconds < v.backoff_base_seconds then format(
    'policy.backoff_max_seconds (%s) must not be less than backoff_base_seconds (%s)',
    v.backoff_max_seconds, v.backoff_base_seconds) end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.policy_of(p_settings jsonb)
 RETURNS TABLE(max_attempts integer, backoff_base_seconds double precision, backoff_max_seconds double precision, pause_on_permanent_seconds integer, disable_after_permanent_streak integer)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select r.*
  from jsonb_to_record('{
      "max_attempts": 5, "backoff_base_seconds": 2, "backoff_max_seconds": 600,
      "pause_on_permanent_seconds": 3600, "disable_after_permanent_streak": 3
    }'::jsonb || coalesce(p_settings -> 'policy', '{}')) as r (
    max_attempts int, backoff_base_seconds double precision, backoff_max_seconds double precision,
    pause_on_permanent_seconds int, disable_after_permanent_streak int)
$function$;

CREATE OR REPLACE FUNCTION delivery.post_fault(p_raw jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_fault text;
begin
  if jsonb_typeof(p_raw -> 'payload') is distinct from 'object' then
    return '/payload must be an object';
  end if;
  select format('/%s must be %s', array_to_string(rule.path, '/'),
                case rule.kind when 'object' then 'an object' when 'array' then 'a list' when 'boolean' then 'true or false'
                               when 'number' then 'a number' else 'a text' end)
  into v_fault
  from (values
    ('{payload,text}'::text[], 'string'), ('{payload,parse_mode}', 'string'), ('{payload,dialect}', 'string'),
    ('{payload,media}', 'array'), ('{payload,buttons}', 'array'), ('{payload,tags}', 'array'),
    ('{payload,disable_preview}', 'boolean'), ('{payload,silent}', 'boolean'), ('{payload,protect}', 'boolean'),
    ('{payload,link_preview}', 'object'),
    ('{tags}', 'array'), ('{tagged_only}', 'boolean'), ('{source}', 'object'), ('{render_meta}', 'object'),
    ('{render_meta,parse_mode}', 'string'), ('{source_ref}', 'string'), ('{trace_id}', 'string'),
    ('{scheduled_for}', 'string'), ('{hash_version}', 'number')
  ) as rule (path, kind)
  where jsonb_typeof(p_raw #> rule.path) not in (rule.kind, 'null')
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  return case
    when lower(p_raw #>> '{payload,parse_mode}') not in ('html', 'markdown', 'markdownv2', 'none')
      or lower(p_raw #>> '{render_meta,parse_mode}') not in ('html', 'markdown', 'markdownv2', 'none')
      then 'parse_mode must be HTML, Markdown, MarkdownV2 or None'
    when lower(p_raw #>> '{payload,dialect}') not in ('commonmark', 'telegram', 'telegram_legacy', 'max')
      then '/payload/dialect must be commonmark, telegram, telegram_legacy or max'
    when exists (
        select from unnest(array[p_raw -> 'tags', p_raw #> '{payload,tags}']) as given,
          jsonb_array_elements(case jsonb_typeof(given) when 'array' then given else '[]' end) as tag
        where jsonb_typeof(tag) <> 'string')
      then 'tags must be texts'
    when exists (
        select from jsonb_array_elements(coalesce(nullif(p_raw #> '{payload,media}', 'null'), '[]')) as item
        where jsonb_typeof(item) <> 'object'
          or exists (select from unnest(array['type', 'url', 'origin_url', 'media_url', 'blob_ref', 'file_id', 'caption']) as field
                     where jsonb_typeof(item -> field) not in ('string', 'null')))
      then '/payload/media must hold objects whose type, url and caption are texts'
    when exists (
        select from jsonb_array_elements(coalesce(nullif(p_raw #> '{payload,buttons}', 'null'), '[]')) as line
        where jsonb_typeof(line) <> 'array'
          or exists (select from jsonb_array_elements(case jsonb_typeof(line) when 'array' then line else '[]' end) as button
                     where jsonb_typeof(button -> 'text') is distinct from 'string'
                       or jsonb_typeof(button -> 'url') is distinct from 'string'))
      then '/payload/buttons must be rows of objects with a text and a url'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.posting_window_fault(p_window jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  c_days constant text[] := array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  v_name  text;
  v_value jsonb;
  v_fault text;
begin
  if p_window is null then
    return null;
  elsif jsonb_typeof(p_window) <> 'object' then
    return 'The posting window must be an object with the days "mon" to "sun" and, if needed, "holidays".';
  end if;
  for v_name, v_value in select key, value from jsonb_each(p_window - 'holidays') loop
    if v_name <> all (c_days) then
      return format('The posting window has an unknown day %s: days are "mon" to "sun", dates go under "holidays".',
                    to_json(v_name));
    end if;
    v_fault := delivery.intervals_fault(v_name, v_value);
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;

  if p_window ? 'holidays' and jsonb_typeof(p_window -> 'holidays') <> 'object' then
    return 'holidays must be an object from dates to intervals, such as {"2027-01-01": []}.';
  end if;
  for v_name, v_value in select key, value from jsonb_each(p_window -> 'holidays') loop
    if not delivery.is_date(v_name) then
      return format('holidays: %s is not a date: dates have the form "2027-01-31".', to_json(v_name));
    end if;
    v_fault := delivery.intervals_fault('holidays, ' || v_name, v_value);
    if v_fault is not null then
      return v_fault;
    end if;
  end loop;
  -- A channel that is closed for good is switched off or paused; a window that never opens is a mistake.
  return case
    when not jsonb_path_exists(p_window - 'holidays', '$.*[*]') and not jsonb_path_exists(p_window, '$.holidays.*[*]')
      then 'The posting window never opens: give at least one interval, such as {"mon": [["09:00", "18:00"]]}.'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.preflight(p_platform text, p_send_mode text, p_payload jsonb, p_settings jsonb DEFAULT '{}'::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_media   jsonb := coalesce(p_payload -> 'media', '[]');
  v_count   int := jsonb_array_length(v_media);
  v_mode    text := coalesce(p_payload ->> 'parse_mode', p_settings ->> 'parse_mode');
  v_length  int := coalesce(delivery.shortest_length(p_payload ->> 'text', v_mode), 0);
  v_longest int := case p_platform when 'telegram' then 4096 when 'max' then 4000 end;
  v_problem text;
begin
  v_problem := case
    when v_count = 0 and coalesce(delivery.visible_text(p_payload ->> 'text', v_mode), '') !~ '\S' then 'the post has neither text nor media'
    when p_send_mode = 'text' and v_count > 0 then 'the channel takes posts without media only'
    when p_send_mode = 'media' and v_count = 0 then 'the channel takes posts with media only'
    when v_length > v_longest and p_settings ->> 'too_long' is distinct from 'split'
      then format('the text is %s characters long, the platform takes %s', v_length, v_longest)
    -- Telegram groups photos and videos into one album; MAX sends what does not fit as a series.
    when p_platform = 'telegram' and v_count > 10 and not exists (
        select from jsonb_array_elements(v_media) as item where item ->> 'type' not in ('photo', 'video'))
      then format('the album has %s items, the platform takes 10', v_count)
    when exists (select from jsonb_array_elements(v_media) as item
                 where coalesce(item ->> 'type', '') not in ('photo', 'video', 'animation', 'audio', 'document'))
      then 'a media item has an unknown type'
    when exists (select from jsonb_array_elements(v_media) as item
                 where coalesce(item ->> 'url', item ->> 'blob_ref', item ->> 'file_id') is null)
      then 'a media item has no url, blob_ref or file_id'
  end;
  if v_problem is null then
    return null;
  end if;
  return jsonb_build_object('category', 'PERMANENT', 'scope', 'delivery', 'code', 'validation_failed', 'message', v_problem);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.prepare_post(p_workspace_id uuid, p_raw jsonb)
 RETURNS TABLE(payload jsonb, profiles jsonb)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_payload jsonb := delivery.normalize(p_raw);
  v_tags    text[] := delivery.tags_of(p_raw, v_payload);
  v_to_all  text[] := case when p_raw -> 'tagged_only' = 'true' then '{}' else array['*'] end;
begin
  return query
    select v_payload, coalesce(jsonb_agg(
      jsonb_build_object('key', c.profile_key, 'platform', c.platform, 'target_id', c.target_id,
                         'send_mode', c.send_mode, 'settings', c.settings)
      || case when c.template_ref is null then '{}' else jsonb_build_object(
           'template_ref', c.template_ref, 'template', delivery.active_template(p_workspace_id, c.template_ref)) end), '[]')
    from (
      select distinct on (c.profile_key) c.profile_key, c.platform, c.target_id, c.send_mode, c.settings, c.template_ref
      from delivery.channels c
      where c.enabled and c.workspace_id = p_workspace_id
        and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || v_to_all) as t)
        and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
      order by c.profile_key
    ) c;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.pull_cursor_of(p_item jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when jsonb_typeof(place) = 'object' then place
    when nullif(btrim(place #>> '{}'), '') is not null then jsonb_build_object('cursor_to', btrim(place #>> '{}'))
    else '{}'
  end
  from (select coalesce(nullif(p_item -> 'cursor_to', '""'), nullif(p_item -> 'cursor', '""'), p_item -> 'source_ref',
                        'null') as place) as item
$function$;

CREATE OR REPLACE FUNCTION delivery.pull_item_fault(p_endpoint delivery.workspace_endpoints, p_item jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when p_item ? 'invalid' then p_item -> 'invalid'
    when p_item -> 'seen_only' = 'true' then null
    when p_endpoint.max_payload_bytes > 0 and octet_length(p_item::text) > p_endpoint.max_payload_bytes
      then to_jsonb(format('the item is %s bytes, the endpoint takes %s',
                           octet_length(p_item::text), p_endpoint.max_payload_bytes))
    when normal.payload ->> 'text' is null and normal.payload ->> 'media' is null
      then to_jsonb('the item has neither text nor media'::text)
  end
  from (select delivery.normalize(p_item) as payload) as normal
$function$;

CREATE OR REPLACE FUNCTION delivery.pull_ref(p_item jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(delivery.short_ref(p_item ->> 'source_ref'),
                  'content:' || delivery.content_hash(delivery.normalize(p_item)))
$function$;

CREATE OR REPLACE FUNCTION delivery.pull_room(p_workspace_id uuid, p_places integer, p_busy uuid[])
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select least(greatest(p_places - 1, 1) - (select count(*) from unnest(p_busy) as busy where busy = p_workspace_id),
               p_places - cardinality(p_busy))
$function$;

CREATE OR REPLACE FUNCTION delivery.pull_stats(p_answers jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_build_object(
    'processed', count(*),
    'accepted', count(*) filter (where outcome = 'accepted'),
    'dropped', count(*) filter (where outcome in ('dedup_dropped', 'payload_rejected')),
    'seen', count(*) filter (where outcome = 'seen'),
    'dedup_dropped', count(*) filter (where outcome = 'dedup_dropped'),
    'payload_rejected', count(*) filter (where outcome = 'payload_rejected'),
    'queued', coalesce(sum(queued), 0),
    'deduped', coalesce(sum(deduped), 0),
    'failed_permanent', coalesce(sum(failed_permanent), 0),
    'skipped_inflight', coalesce(sum(skipped_inflight), 0))
  from jsonb_to_recordset(p_answers)
    as answer (outcome text, queued int, deduped int, failed_permanent int, skipped_inflight int)
$function$;

CREATE OR REPLACE FUNCTION delivery.push_run(p_workspace_id uuid, p_raw jsonb, p_run_id text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select given.id from (select nullif(btrim(p_raw ->> 'ingest_run_id'), '')) as given (id)
    where not exists (
      select from delivery.ingest_runs r
      where r.workspace_id = p_workspace_id and r.run_id = given.id and r.kind <> 'push')), p_run_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.queue_place(p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamp with time zone DEFAULT now(), OUT ahead bigint, OUT group_ahead bigint, OUT claimed_ahead bigint, OUT turn_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_claimed constant boolean := p_delivery.status = 'claimed';
  v_gap     constant interval := case when p_channel.rate_rps > 0 then delivery.start_gap(p_channel.rate_rps) end;
  v_group   delivery.platform_limits;
begin
  select count(*) into claimed_ahead from delivery.deliveries d
  where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id and d.status = 'claimed'
    and (not v_claimed or (d.not_before, d.delivery_id) < (p_delivery.not_before, p_delivery.delivery_id));
  if v_claimed then
    ahead := 0;
  elsif p_channel.catchup = 'newest_first' then
    select count(*) into ahead from delivery.deliveries d
    where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null
      and d.due_at <= greatest(p_now, p_delivery.due_at)
      and (d.due_at, d.delivery_id) > (p_delivery.due_at, p_delivery.delivery_id);
  else
    select count(*) into ahead from delivery.deliveries d
    where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
      and d.status in ('queued', 'retry') and d.held_at is null
      and (d.due_at, d.delivery_id) < (p_delivery.due_at, p_delivery.delivery_id);
  end if;
  turn_at := greatest(p_now,
    p_now + (claimed_ahead + ahead) * v_gap,
    p_channel.last_started_at + (claimed_ahead + ahead + 1) * v_gap,
    case when not v_claimed and v_gap is not null
      then p_channel.next_allowed_at + ahead * interval '1 second' / p_channel.rate_rps::float8 end);

  select * into v_group from delivery.platform_limits g
  where g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform
    and g.rate_group = p_channel.rate_group and g.rate_rps > 0;
  if found and v_claimed then
    turn_at := greatest(turn_at, v_group.last_started_at + delivery.start_gap(v_group.rate_rps));
  elsif found then
    select ahead + coalesce(sum(o.waiting), 0) into group_ahead
    from delivery.channels c
    cross join lateral (
      select count(*) as waiting from (
        select from delivery.deliveries d
        where d.workspace_id = c.workspace_id and d.channel_id = c.channel_id
          and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_delivery.due_at
        order by d.due_at, d.delivery_id limit ahead + 1
      ) round
    ) o
    where c.workspace_id = p_channel.workspace_id and c.platform = p_channel.platform
      and c.rate_group = p_channel.rate_group and c.channel_id <> p_channel.channel_id;
    turn_at := greatest(turn_at, greatest(p_now, v_group.next_allowed_at,
                                          v_group.last_started_at + delivery.start_gap(v_group.rate_rps))
                                 + group_ahead * interval '1 second' / v_group.rate_rps::float8);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.queue_snapshot(p_workspace_id uuid, p_channels integer DEFAULT 100, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  with live as materialized (
    select d.channel_id,
      count(*) filter (where d.status = 'queued') as queued, count(*) filter (where d.status = 'claimed') as claimed,
      count(*) filter (where d.status = 'sending') as sending, count(*) filter (where d.status = 'retry') as retry,
      count(*) filter (where d.held_at is not null) as held,
      count(*) filter (where d.held_at is null and d.status in ('queued', 'retry') and d.due_at <= p_now) as due,
      min(d.due_at) filter (where d.held_at is null and d.status in ('queued', 'retry')) as next_due_at
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry')
    group by 1
  )
  select jsonb_build_object(
    'at', p_now,
    'by_status', jsonb_build_object(
      'queued', coalesce((select sum(queued) from live), 0), 'claimed', coalesce((select sum(claimed) from live), 0),
      'sending', coalesce((select sum(sending) from live), 0), 'retry', coalesce((select sum(retry) from live), 0),
      'dead', (select count(*) from delivery.deliveries d where d.workspace_id = p_workspace_id and d.status = 'dead')),
    'held', coalesce((select sum(held) from live), 0),
    'due', coalesce((select sum(due) from live), 0),
    'channels', coalesce((
      select jsonb_agg(jsonb_build_object(
        'channel', jsonb_build_object('id', c.channel_id, 'title', c.title, 'platform', c.platform),
        'block', delivery.channel_block(c, p_now),
        'queued', l.queued, 'claimed', l.claimed, 'sending', l.sending, 'retry', l.retry,
        'held', l.held, 'due', l.due, 'next_due_at', l.next_due_at) order by l.place)
      from (
        select l.*, row_number() over (order by l.due desc, l.queued + l.retry + l.claimed + l.sending desc, l.channel_id) as place
        from live l
      ) l
      join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = l.channel_id
      where l.place <= p_channels), '[]'))
$function$;

CREATE OR REPLACE FUNCTION delivery.read_max_target(p_typed text, OUT target text, OUT fault text)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  if p_typed ~ '^-?[1-9][0-9]{0,18}$' or p_typed ~ '^user:[1-9][0-9]{0,18}$' then
    target := p_typed;
  elsif p_typed ~* 'max\.ru/' then
    fault := 'MAX shows bots no chat by its link: give the chat''s number, which the bot learns when it is added to the chat, such as -70001234567890.';
  else
    fault := 'Give the chat''s number, such as -70001234567890; a person is user:42.';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.read_target(p_platform text, p_typed text, OUT target text, OUT fault text)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_typed text := btrim(p_typed);
  v_number text := coalesce(substring(v_typed from '#[1-9][0-9]{0,2}$'), '');
begin
  v_typed := left(v_typed, length(v_typed) - length(v_number));
  if p_platform = 'telegram' then
    select t.target, t.fault into target, fault from delivery.read_telegram_target(v_typed) t;
  elsif p_platform = 'max' then
    select t.target, t.fault into target, fault from delivery.read_max_target(v_typed) t;
  else
    target := v_typed;
  end if;
  target := target || v_number;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.read_telegram_target(p_typed text, OUT target text, OUT fault text)
 RETURNS record
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  -- What follows t.me/ without the query: a name, c/ and a number, or an invitation.
  v_path text := substring(p_typed from '(?i)^(?:https?://)?(?:www\.)?(?:t|telegram)\.(?:me|dog)/([^?#]*)');
  v_name text := coalesce(
    substring(v_path from '(?i)^(?:s/)?@?([a-z]\w{3,31})(?:/|$)'),
    substring(p_typed from '(?i)^tg://resolve\?domain=([a-z]\w{3,31})(?:&|$)'),
    substring(p_typed from '(?i)^@([a-z]\w{3,31})$'));
begin
  if p_typed ~ '^-[1-9][0-9]{0,15}$' or p_typed ~ '^user:[1-9][0-9]{0,15}$' then
    target := p_typed;
  elsif v_path ~ '(?i)^(\+|joinchat/)' then
    fault := 'A bot cannot follow an invitation: add it to the chat and give the chat''s number, such as -1001234567890.';
  elsif v_path ~ '^c/[1-9][0-9]{4,12}(/|$)' then
    target := '-100' || substring(v_path from '^c/([0-9]+)');
  elsif v_name ~ '^[A-Za-z0-9_]+$'
    and v_name !~* '^(addemoji|addlist|addstickers|addtheme|boost|contact|invoice|joinchat|login|proxy|setlanguage|share|socks)$' then
    target := '@' || lower(v_name);
  elsif p_typed ~ '^100[0-9]{10}$' then
    fault := format('The number of a channel begins with a minus: -%s.', p_typed);
  elsif p_typed ~ '^[0-9]+$' then
    fault := format('The number of a channel or a group begins with a minus, such as -1001234567890. A person is user:%s.',
                    p_typed);
  else
    fault := 'Give the chat''s number, such as -1001234567890, its @name or its link https://t.me/name (a name has 4 to 32 letters, digits or _); a person is user:42.';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.ready_channels(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  with recursive hop as (
    (select d.channel_id, d.not_before from delivery.deliveries d
     where d.workspace_id = p_workspace_id and d.status = 'claimed'
     order by d.channel_id, d.not_before, d.delivery_id limit 1)
    union all
    select n.channel_id, n.not_before
    from hop h
    cross join lateral (
      select d.channel_id, d.not_before from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.channel_id > h.channel_id
      order by d.channel_id, d.not_before, d.delivery_id limit 1
    ) n
  )
  select coalesce(array_agg(channel_id), '{}') from hop where not_before <= p_now
$function$;

CREATE OR REPLACE FUNCTION delivery.record_ingress_drop(p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_counter text, p_action text, p_meta jsonb, p_payload_ref text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.add_to_push_run(p_workspace_id, p_endpoint_id, p_run_id, jsonb_build_object(
    'processed', 1, 'accepted', 0, 'dropped', 1, p_counter, 1, 'payload_ref', p_payload_ref), p_now);
  insert into workspaces.events (workspace_id, id, ts, action, result, payload_ref, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, p_action,
         case p_action when 'ingress_dedup_dropped' then 'ok' else 'error' end, p_payload_ref,
         workspaces.redact(p_meta) || jsonb_build_object('endpoint_id', p_endpoint_id, 'run_id', p_run_id)
  where p_action is not null;
$function$;

CREATE OR REPLACE FUNCTION delivery.recover(p_workspace_id uuid, p_since timestamp with time zone, p_channels uuid[], p_operator text, p_reason text, p_limit integer DEFAULT 1000, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, channel_id uuid, was text, code text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
  with chosen as materialized (
    select r.delivery_id, r.channel_id, r.status, r.last_error ->> 'code' as code
    from delivery.recoverable(p_workspace_id, p_since, p_channels, p_limit, p_now) r
  ),
  sent_again as materialized (
    select s.delivery_id from delivery.send_again(
      p_workspace_id, array(select c.delivery_id from chosen c), true, p_operator, p_reason, p_now) s
    where s.refusal is null
  )
  select c.delivery_id, c.channel_id, c.status, c.code from chosen c join sent_again using (delivery_id);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.recover_leases(p_sending_lease interval DEFAULT '00:05:00'::interval, p_claimed_lease interval DEFAULT '00:05:00'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, delivery_id uuid, was text, status text)
 LANGUAGE sql
AS $function$
  select * from delivery.take_back(p_sending_lease, p_claimed_lease, '{}', interval '0', p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.recover_runs(p_send_timeout interval DEFAULT '00:00:30'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, delivery_id uuid, was text, status text)
 LANGUAGE plpgsql
AS $function$
declare
  c_grace   constant interval := delivery.run_grace();
  v_missing constant text[] := delivery.missing_runs();
  v_gone    text[];
begin
  if v_missing = '{}' then
    return;
  end if;
  -- Looks that are further apart than the grace period say nothing about the time between them: it begins anew.
  with missed as (
    update delivery.dispatcher_runs r
    set missing_since = case when r.missed_at >= p_now - c_grace then r.missing_since else p_now end, missed_at = p_now
    where r.run_id in (
      select f.run_id from delivery.dispatcher_runs f where f.run_id = any (v_missing) for update skip locked)
    returning r.run_id, r.missing_since
  )
  select array_agg(m.run_id) into v_gone from missed m where m.missing_since <= p_now - c_grace;
  if v_gone is null then
    return;
  end if;
  return query select * from delivery.take_back(null, null, v_gone, p_send_timeout, p_now);
  -- A row that somebody held for a moment was passed over: the next look finds it, and forgets the run when nothing is left.
  if not found then
    delete from delivery.dispatcher_runs r where r.run_id = any (v_gone);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.recoverable(p_workspace_id uuid, p_since timestamp with time zone, p_channels uuid[], p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF delivery.deliveries
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
  select d.*
  from (
    select distinct e.delivery_id from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action in ('failed_permanent', 'dead_letter') and e.ts >= p_since
      and (p_channels is null or e.channel_id = any (p_channels))
  ) f
  join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = f.delivery_id
  where (d.status = 'dead' or delivery.was_refused(d)) and delivery.repeat_refusal(d, p_now) is null
    -- However long ago: what came by another delivery does not come again unasked.
    and not exists (
      select from delivery.deliveries o
      where o.workspace_id = p_workspace_id and o.message_id = d.message_id and o.channel_id = d.channel_id
        and o.sent_at >= d.created_at)
  order by d.created_at, d.delivery_id
  limit p_limit
$function$;

CREATE OR REPLACE FUNCTION delivery.refusal_of(p_was text, p_refusal text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when p_was is null then 'there is no such delivery' else p_refusal end
$function$;

CREATE OR REPLACE FUNCTION delivery.release(p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.hold_reason,
      coalesce(delivery.waiting_refusal(d), case when d.held_at is null then 'it is not held' end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set held_at = null, hold_reason = null, updated_at = p_now,
        scheduled_for = case a.hold_reason when 'stale' then p_now else d.scheduled_for end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.hold_reason
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'released', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('hold_reason', m.hold_reason)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$function$;

CREATE OR REPLACE FUNCTION delivery.release_blocked(p_workspace_id uuid, p_channels uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.deliveries d
  set status = case when d.next_retry_at is null then 'queued' else 'retry' end,
      not_before = case b.block when 'window_closed' then coalesce(b.opens_at, d.not_before) else delivery.place_in_queue(d) end,
      claimed_at = null, claim_token = null, updated_at = p_now
  from (
    select c.channel_id, delivery.channel_block(c, p_now) as block, delivery.channel_opens_at(c, w.timezone, p_now) as opens_at
    from delivery.channels c
    join workspaces.workspaces w using (workspace_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels)
  ) b
  where b.block is not null and not (b.block = 'window_closed' and d.scheduled_for is not null)
    and d.workspace_id = p_workspace_id and d.channel_id = b.channel_id and d.status = 'claimed'
$function$;

CREATE OR REPLACE FUNCTION delivery.release_stale(p_workspace_id uuid, p_channels uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE sql
AS $function$
  with released as (
    update delivery.deliveries d
    set status = case when d.next_retry_at is null then 'queued' else 'retry' end,
        not_before = delivery.place_in_queue(d), claimed_at = null, claim_token = null, updated_at = p_now
    from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels) and c.max_age_seconds is not null
      and d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status = 'claimed'
      and delivery.is_stale(d.created_at, d.scheduled_for, c.max_age_seconds, p_now)
    returning 1
  )
  select count(*)::int from released
$function$;

CREATE OR REPLACE FUNCTION delivery.release_stuck(p_workspace_id uuid, p_older_than interval, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with stuck as materialized (
    select d.delivery_id, d.status as was, p.max_attempts
    from delivery.deliveries d
    cross join delivery.workspace_policy(p_workspace_id) p
    where d.workspace_id = p_workspace_id and d.status in ('claimed', 'sending')
      and coalesce(d.sending_started_at, d.claimed_at) < p_now - p_older_than
    order by d.delivery_id for update of d skip locked
  ),
  moved as (
    update delivery.deliveries d
    set status = 'retry', next_retry_at = p_now + interval '15 seconds',
        requeues = d.requeues + case when d.attempt >= s.max_attempts + d.requeues then 1 else 0 end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now,
        last_error = case s.was when 'claimed' then d.last_error else jsonb_build_object(
          'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown', 'cause', 'manual_stuck_release',
          'message', 'an operator took it from the process that was sending it') end
    from stuck s
    where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, s.was
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object(
        'reason', 'manual_stuck_release', 'note', workspaces.redact_text(btrim(p_reason)), 'from_status', m.was)
    from moved m
  )
  select m.delivery_id, m.was, m.status, null::text from moved m order by m.delivery_id
$function$;

CREATE OR REPLACE FUNCTION delivery.renew_pull_receipts(p_workspace_id uuid, p_source_id text, p_refs text[], p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.pull_receipts
  set expires_at = p_now + interval '3 days'
  where workspace_id = p_workspace_id and source_id = p_source_id
    and source_ref in (select delivery.short_ref(ref) from unnest(p_refs) as ref)
    and expires_at < p_now + interval '2 days'
$function$;

CREATE OR REPLACE FUNCTION delivery.repeat_refusal(p_delivery delivery.deliveries, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(
    (select 'the same post is on its way to this channel: ' || d.delivery_id
     from delivery.deliveries d
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status in ('queued', 'claimed', 'sending', 'retry') and d.delivery_id <> p_delivery.delivery_id
     order by d.created_at desc limit 1),
    (select 'the channel got the same post since: ' || d.delivery_id
     from delivery.deliveries d
     join delivery.channels c using (workspace_id, channel_id)
     where d.workspace_id = p_delivery.workspace_id and d.channel_id = p_delivery.channel_id
       and d.hash_version = p_delivery.hash_version and d.content_hash = p_delivery.content_hash
       and d.status = 'sent' and d.sent_at is not null
       and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
     order by d.sent_at desc limit 1))
$function$;

CREATE OR REPLACE FUNCTION delivery.repeats_of(p_workspace_id uuid, p_hash_version integer, p_content_hash text, p_tags text[], p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(channel_id uuid, reason text, earlier uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select c.channel_id, case when i.delivery_id is null then 'sent_recently' else 'inflight' end,
    coalesce(i.delivery_id, s.delivery_id)
  from delivery.channels c
  left join lateral (
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
      and d.hash_version = p_hash_version and d.content_hash = p_content_hash
      and d.status in ('queued', 'claimed', 'sending', 'retry')
    order by d.created_at desc limit 1
  ) i on true
  left join lateral (
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id
      and d.hash_version = p_hash_version and d.content_hash = p_content_hash
      and d.status = 'sent' and d.sent_at is not null
      and d.sent_at >= p_now - make_interval(hours => coalesce(c.dedup_ttl_hours, 168))
    order by d.sent_at desc limit 1
  ) s on i.delivery_id is null
  where c.enabled and c.workspace_id = p_workspace_id
    and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(p_tags || '*'::text) as t)
    and coalesce(i.delivery_id, s.delivery_id) is not null
$function$;

CREATE OR REPLACE FUNCTION delivery.requeue(p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  select * from delivery.send_again(p_workspace_id, p_delivery_ids, false, p_operator, p_reason, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.requeue_refusal(p_delivery delivery.deliveries)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when p_delivery.status = 'dead' then null
    when p_delivery.status = 'failed_permanent' then
      case coalesce(p_delivery.last_error ->> 'scope', 'delivery')
        when 'delivery' then null
        when 'channel' then 'its channel refused it: mend the channel, then recover what failed'
        else 'the platform refused it: mend that, then recover what failed'
      end
    when p_delivery.status = 'sent' then 'it was sent already'
    when p_delivery.status = 'deduped' then 'it was never queued: the channel has the same post'
    else 'it is on its way'
  end
$function$;

CREATE OR REPLACE FUNCTION delivery.require_secret_for_new_origin(p_before jsonb, p_after jsonb, p_kept_ref text, p_given_ref text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if p_kept_ref is not null and p_given_ref is null
     and delivery.origin_of(p_before ->> 'url') is distinct from delivery.origin_of(p_after ->> 'url') then
    raise exception 'The address leads to another server: give the secret again.'
      using errcode = 'check_violation', column = 'secret';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.resume_refused(p_workspace_id uuid, p_channels uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE plpgsql
AS $function$
declare
  v_stopped constant uuid[] := delivery.stopped_by_refusals(p_workspace_id, p_channels, p_now);
begin
  if v_stopped <> '{}' then
    perform delivery.switch_channels(p_workspace_id, v_stopped, true, p_operator, p_reason, '{}', p_now);
  end if;
  return v_stopped;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_adapter_calls(p_after timestamp with time zone, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next timestamp with time zone)
 RETURNS record
 LANGUAGE sql
AS $function$
  with due as materialized (
    select c.workspace_id, c.call_key, c.started_at
    from delivery.adapter_calls c
    where c.started_at >= coalesce(p_after, '-infinity') and c.started_at < p_now - interval '7 days'
    order by c.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.adapter_calls c using due
    where c.workspace_id = due.workspace_id and c.call_key = due.call_key
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_cutoff(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(events timestamp with time zone, deliveries timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select p_now - make_interval(days => r.events_days), p_now - make_interval(days => r.deliveries_days)
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
  where w.workspace_id = p_workspace_id
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_deliveries(p_workspace_id uuid, p_after uuid, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id > v_stretch.from_id and d.delivery_id < v_stretch.to_id
    order by d.delivery_id
    limit p_limit
  ),
  due as materialized (
    select d.delivery_id
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id in (select s.delivery_id from seen s)
      and d.status in ('sent', 'deduped', 'failed_permanent', 'dead') and d.updated_at < v_cutoff
    for update skip locked
  ),
  gone as (
    delete from delivery.deliveries d using due
    where d.workspace_id = p_workspace_id and d.delivery_id = due.delivery_id
    returning 1
  )
  select (select count(*) from gone), count(*), max(s.delivery_id::text)::uuid into removed, v_seen, next from seen s;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_drop_partition(p_partition text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
begin
  if p_partition not in (select delivery.retention_event_partitions(p_now)) then
    return false;
  end if;
  execute format('drop table workspaces.%I', p_partition);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_event_partitions(p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  select c.relname
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'workspaces.events'::regclass
    and substring(pg_get_expr(c.relpartbound, c.oid) from $r$ TO \('([^']+)'\)$r$)::timestamptz
        <= delivery.retention_events_kept(p_now)
  order by 1
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_events(p_workspace_id uuid, p_after timestamp with time zone, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_cutoff constant timestamptz := (select events from delivery.retention_cutoff(p_workspace_id, p_now));
begin
  if v_cutoff is null or v_cutoff <= delivery.retention_events_kept(p_now) then
    removed := 0;
    return;
  end if;
  with due as materialized (
    select e.ts, e.id
    from workspaces.events e
    where e.workspace_id = p_workspace_id and e.ts >= coalesce(p_after, '-infinity') and e.ts < v_cutoff
    order by e.ts
    limit p_limit
  ),
  gone as (
    delete from workspaces.events e using due
    where e.workspace_id = p_workspace_id and e.ts = due.ts and e.id = due.id
    returning 1
  )
  select (select count(*) from gone), case when count(*) = p_limit then max(due.ts) end into removed, next from due;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_events_kept(p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select p_now - make_interval(days => coalesce(max(r.events_days), (select events_days from delivery.retention_of('{}'))))
  from workspaces.workspaces w, delivery.retention_of(w.settings) r
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_events_rest(p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE sql
AS $function$
  with gone as (
    delete from workspaces.events_rest r
    where r.ctid = any (array(
      select e.ctid from workspaces.events_rest e where e.ts < delivery.retention_events_kept(p_now) limit p_limit))
    returning 1
  )
  select count(*)::int from gone
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_fault(p_settings jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  c_keys  constant text[] := array['events_days', 'deliveries_days', 'payloads_days', 'media_days', 'large_video_days', 'large_video_bytes'];
  v_given constant jsonb := p_settings -> 'retention';
  v_fault text;
  v       record;
begin
  if v_given is null then
    return null;
  elsif jsonb_typeof(v_given) <> 'object' then
    return 'retention must be an object';
  end if;

  select case
      when not key = any (c_keys) then format('retention has no setting "%s"; it has %s', key, array_to_string(c_keys, ', '))
      when jsonb_typeof(value) <> 'number' or value::text !~ '^[0-9]{1,15}$' then format('retention.%s must be a whole number', key)
      when key like '%\_days' and value::text::bigint not between 1 and 3650 then format('retention.%s must be from 1 to 3650 days', key)
      when value::text::bigint < 1 then format('retention.%s must be at least 1', key)
    end into v_fault
  from jsonb_each(v_given)
  order by 1 nulls last
  limit 1;
  if v_fault is not null then
    return v_fault;
  end if;

  select * into v from delivery.retention_of(p_settings);
  return case
    when v.payloads_days > v.deliveries_days then format(
      'raw payloads would be kept for %s days, longer than their deliveries (%s days)', v.payloads_days, v.deliveries_days)
    -- By a day at least, because events go by whole days.
    when v.events_days >= v.deliveries_days then format(
      'events would be kept for %s days: that must be less than the deliveries they tell of (%s days)',
      v.events_days, v.deliveries_days)
    when v.large_video_days > v.media_days then format(
      'large videos would be kept for %s days, longer than other media (%s days)', v.large_video_days, v.media_days)
  end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_first_id(p_at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select rpad(lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_ingest_runs(p_workspace_id uuid, p_after timestamp with time zone, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next timestamp with time zone)
 RETURNS record
 LANGUAGE sql
AS $function$
  with due as materialized (
    select r.run_id, r.started_at
    from delivery.ingest_runs r
    where r.workspace_id = p_workspace_id
      and r.started_at >= coalesce(p_after, '-infinity')
      and r.started_at < (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now))
    order by r.started_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingest_runs r using due
    where r.workspace_id = p_workspace_id and r.run_id = due.run_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(started_at) end from due
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_messages(p_workspace_id uuid, p_after uuid, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next uuid)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
declare
  v_cutoff  constant timestamptz := (select deliveries from delivery.retention_cutoff(p_workspace_id, p_now));
  v_stretch record;
  v_seen    int;
  v_due     uuid[];
begin
  select * into v_stretch from delivery.retention_stretch(v_cutoff, p_after, p_now);
  with seen as materialized (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id > v_stretch.from_id and m.message_id < v_stretch.to_id
    order by m.message_id
    limit p_limit
  ),
  due as (
    select m.message_id
    from delivery.messages m
    where m.workspace_id = p_workspace_id and m.message_id in (select s.message_id from seen s)
      and m.last_seen_at < v_cutoff
      and not exists (
        select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id)
    for update skip locked
  )
  select (select array_agg(due.message_id) from due), count(*), max(s.message_id::text)::uuid
  into v_due, v_seen, next from seen s;

  -- Asked again in a statement of its own: a delivery made just before the lock was got would go with its message.
  delete from delivery.messages m
  where m.workspace_id = p_workspace_id and m.message_id = any (v_due)
    and not exists (
      select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.message_id = m.message_id);
  get diagnostics removed = row_count;
  if v_seen < p_limit then
    next := v_stretch.next;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_of(p_settings jsonb)
 RETURNS TABLE(events_days integer, deliveries_days integer, payloads_days integer, media_days integer, large_video_days integer, large_video_bytes bigint)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select r.*
  from jsonb_to_record('{
      "events_days": 30, "deliveries_days": 90, "payloads_days": 14,
      "media_days": 30, "large_video_days": 7, "large_video_bytes": 52428800
    }'::jsonb || coalesce(p_settings -> 'retention', '{}')) as r (
    events_days int, deliveries_days int, payloads_days int, media_days int, large_video_days int, large_video_bytes bigint)
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_receipts(p_after timestamp with time zone, p_limit integer, p_now timestamp with time zone DEFAULT now(), OUT removed integer, OUT next timestamp with time zone)
 RETURNS record
 LANGUAGE sql
AS $function$
  with due as materialized (
    select r.workspace_id, r.receipt_id, r.expires_at
    from delivery.ingress_receipts r
    where r.expires_at >= coalesce(p_after, '-infinity') and r.expires_at < p_now
    order by r.expires_at
    limit p_limit
    for update skip locked
  ),
  gone as (
    delete from delivery.ingress_receipts r using due
    where r.workspace_id = due.workspace_id and r.receipt_id = due.receipt_id
    returning 1
  )
  select (select count(*) from gone)::int, case when count(*) = p_limit then max(expires_at) end from due
$function$;

CREATE OR REPLACE FUNCTION delivery.retention_stretch(p_cutoff timestamp with time zone, p_after uuid, p_now timestamp with time zone DEFAULT now(), OUT from_id uuid, OUT to_id uuid, OUT next uuid)
 RETURNS record
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(p_after, '00000000-0000-0000-0000-000000000000'),
    case when is_old then old else 'ffffffff-ffff-ffff-ffff-ffffffffffff' end,
    case when is_old then delivery.retention_first_id(p_now + interval '1 day') end
  from delivery.retention_first_id(p_cutoff) as old, coalesce(p_after < old, true) as is_old
$function$;

CREATE OR REPLACE FUNCTION delivery.retry_delay(p_attempt integer, p_error jsonb, p_random double precision, p_base double precision, p_longest double precision)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select make_interval(secs => case
    when p_error ->> 'retry_after_ms' is not null
      then (p_error ->> 'retry_after_ms')::double precision / 1000 * (1 + 0.1 * p_random)
    when p_error ->> 'code' = 'attachment_not_ready' and p_attempt <= 3
      then least(5, power(2, p_attempt - 1)) * (1 + 0.2 * p_random)
    else least(p_longest, p_base * power(2, greatest(p_attempt, 1) - 1)
                          * case p_error ->> 'code' when 'outcome_unknown' then 3 else 1 end) * (0.8 + 0.4 * p_random)
  end)
$function$;

CREATE OR REPLACE FUNCTION delivery.rotate_channel_auth(p_workspace_id uuid, p_channel_id uuid, p_auth_ref text, p_rate_group text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_channel delivery.channels;
  v_old_ref text;
begin
  select * into v_channel from delivery.channels
  where workspace_id = p_workspace_id and channel_id = p_channel_id
  for update;
  if not found then
    return 'not_found';
  end if;
  if not exists (
    select from workspaces.credential_bindings
    where workspace_id = p_workspace_id and auth_ref = p_auth_ref and platform = v_channel.platform
  ) then
    return 'unbound';
  end if;
  if exists (
    select from delivery.deliveries
    where workspace_id = p_workspace_id and channel_id = p_channel_id and status = 'sending'
  ) then
    return 'sending';
  end if;

  select coalesce(
    (select auth_ref from delivery.channel_auth where workspace_id = p_workspace_id and channel_id = p_channel_id),
    v_channel.auth_ref) into v_old_ref;
  insert into delivery.channel_auth (workspace_id, channel_id, auth_ref, rotated_at, updated_at)
  values (p_workspace_id, p_channel_id, p_auth_ref, p_now, p_now)
  on conflict (workspace_id, channel_id) do update
    set auth_ref = excluded.auth_ref, rotated_at = excluded.rotated_at, updated_at = excluded.updated_at;
  update delivery.channels
  set auth_ref = p_auth_ref, rate_group = coalesce(p_rate_group, rate_group), updated_at = p_now
  where workspace_id = p_workspace_id and channel_id = p_channel_id;
  perform workspaces.note_change(p_workspace_id, p_channel_id, 'auth_rotated', p_operator, p_reason,
    jsonb_build_object('old_auth_ref', v_old_ref, 'new_auth_ref', p_auth_ref), p_now);
  return 'rotated';
end
$function$;

CREATE OR REPLACE FUNCTION delivery.rotate_endpoint(p_workspace_id uuid, p_endpoint_id uuid, p_secret_hash text, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS delivery.workspace_endpoints
 LANGUAGE plpgsql
AS $function$
declare
  v_new delivery.workspace_endpoints;
begin
  update delivery.workspace_endpoints set enabled = false, updated_at = p_now
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id and enabled and kind <> 'pull_source';
  if not found then
    return null;
  end if;
  insert into delivery.workspace_endpoints (
    workspace_id, endpoint_id, kind, secret_hash, ingress_rps, max_payload_bytes, hash_drop_window_sec, meta,
    created_at, updated_at)
  select workspace_id, molva.uuidv7(p_now), kind, p_secret_hash, ingress_rps, max_payload_bytes, hash_drop_window_sec, meta,
    p_now, p_now
  from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  returning * into v_new;
  perform workspaces.note_change(p_workspace_id, null, 'endpoint_rotated', p_operator, p_reason,
    jsonb_build_object('old_endpoint_id', p_endpoint_id, 'new_endpoint_id', v_new.endpoint_id), p_now);
  -- Whoever told a provider the old secret hears of it when this is committed.
  perform pg_notify('molva_endpoints', p_workspace_id::text);
  return v_new;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.route_filter_fault(p_filter jsonb)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_key  text;
  v_tags jsonb;
begin
  if p_filter is null then
    return null;
  elsif jsonb_typeof(p_filter) <> 'object' then
    return 'The route filter must be an object with include_any, include_all and exclude.';
  end if;
  for v_key, v_tags in select key, value from jsonb_each(p_filter) loop
    if v_key not in ('include_any', 'include_all', 'exclude') then
      return format('The route filter has no key %s: it has include_any, include_all and exclude.', to_json(v_key));
    elsif jsonb_typeof(v_tags) <> 'array' then
      return format('%s must be a list of tags, such as ["news"].', v_key);
    elsif exists (select from jsonb_array_elements(v_tags) as tag where jsonb_typeof(tag) <> 'string') then
      return format('%s must hold texts only.', v_key);
    elsif exists (select from jsonb_array_elements_text(v_tags) as tag where delivery.tag_of(tag) = '') then
      return format('%s holds an empty tag.', v_key);
    end if;
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.route_filter_in_order(p_filter jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return (
    select coalesce(jsonb_object_agg(key, to_jsonb(delivery.tags_in_order(array(select jsonb_array_elements_text(value))))), '{}')
    from jsonb_each(p_filter));
end
$function$;

CREATE OR REPLACE FUNCTION delivery.run_gone(p_token text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(since timestamp with time zone, taken_over_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(r.missing_since, p_now), coalesce(r.missing_since, p_now) + delivery.run_grace()
  from delivery.dispatcher_runs r
  where r.run_id = split_part(p_token, ':', 1) and r.run_id = any (delivery.missing_runs())
$function$;

CREATE OR REPLACE FUNCTION delivery.run_grace()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select interval '5 seconds' $function$;

CREATE OR REPLACE FUNCTION delivery.run_lock(p_run_id text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select hashtextextended('delivery.dispatcher_runs ' || p_run_id, 0) $function$;

CREATE OR REPLACE FUNCTION delivery.save_adapter_progress(p_workspace_id uuid, p_call_key text, p_index integer, p_provider_message_id text)
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.adapter_calls c
  set progress = (
    select jsonb_agg(case when i = p_index then to_jsonb(p_provider_message_id) else coalesce(c.progress -> i, 'null') end order by i)
    from generate_series(0, greatest(p_index, jsonb_array_length(c.progress) - 1)) as i)
  where c.workspace_id = p_workspace_id and c.call_key = p_call_key
$function$;

CREATE OR REPLACE FUNCTION delivery.save_progress(p_workspace_id uuid, p_delivery_id uuid, p_token text, p_index integer, p_provider_message_id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update delivery.deliveries d
  set render_meta = jsonb_set(d.render_meta, '{series_progress}', jsonb_build_object(
        'provider_message_ids', (
          select jsonb_agg(case when i = p_index then to_jsonb(p_provider_message_id)
                                else coalesce(d.render_meta #> array['series_progress', 'provider_message_ids', i::text], 'null') end
                           order by i)
          from generate_series(0, greatest(p_index,
            coalesce(jsonb_array_length(d.render_meta #> '{series_progress,provider_message_ids}'), 0) - 1)) as i)))
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
    and d.status = 'sending' and d.claim_token = p_token;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.save_rendering(p_workspace_id uuid, p_delivery_id uuid, p_token text, p_text text, p_meta jsonb, p_template_version text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update delivery.deliveries d
  set rendered_text = p_text, render_meta = d.render_meta || p_meta,
      template_version = coalesce(p_template_version, d.template_version)
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
    and d.status = 'sending' and d.claim_token = p_token;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.save_template(p_workspace_id uuid, p_template_id text, p_body text, p_defaults jsonb, p_activate boolean, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_version int;
begin
  perform delivery.lock_template(p_workspace_id, p_template_id);
  insert into delivery.templates (workspace_id, template_id, version, body, defaults, created_at)
  select p_workspace_id, p_template_id, coalesce(max(t.version), 0) + 1, p_body, p_defaults, p_now
  from delivery.templates t
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id
  returning version into v_version;
  if p_activate then
    perform delivery.activate_template(p_workspace_id, p_template_id, v_version);
  end if;
  return v_version;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.schedule_retry(p_workspace_id uuid, p_delivery_id uuid, p_claim_token text, p_next_retry_at timestamp with time zone, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.settle_one(p_workspace_id, p_delivery_id, delivery.beside_outcome(p_error) || jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed', 'next_retry_at', p_next_retry_at,
    'error', delivery.stored_error(p_error) || '{"category": "TRANSIENT"}'), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.schedule_retry(p_workspace_id uuid, p_delivery_id uuid, p_next_retry_at timestamp with time zone, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.schedule_retry(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                                 p_next_retry_at, p_error, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.secret_ref_of(p_channel delivery.channels)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select b.secret_ref
  from (select p_channel.workspace_id, p_channel.channel_id, p_channel.platform, p_channel.auth_ref) c
  left join delivery.channel_auth a using (workspace_id, channel_id)
  join workspaces.credential_bindings b
    on b.workspace_id = c.workspace_id and b.platform = c.platform and b.auth_ref = coalesce(a.auth_ref, c.auth_ref)
$function$;

CREATE OR REPLACE FUNCTION delivery.send_again(p_workspace_id uuid, p_delivery_ids uuid[], p_mended boolean, p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  select from delivery.messages m
  where m.workspace_id = p_workspace_id and m.message_id in (
    select d.message_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids))
  order by m.message_id for no key update;
  with found as materialized (
    select d as delivery from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  judged as materialized (
    select (f.delivery).delivery_id, (f.delivery).status as was, (f.delivery).last_error ->> 'code' as code,
      (f.delivery).channel_id, (f.delivery).hash_version, (f.delivery).content_hash,
      coalesce(
        case when not (p_mended and delivery.was_refused(f.delivery)) then delivery.requeue_refusal(f.delivery) end,
        delivery.repeat_refusal(f.delivery, p_now)) as refusal
    from found f
  ),
  asked as materialized (
    select j.delivery_id, j.was, j.code, coalesce(j.refusal, case when row_number() over (
        partition by j.channel_id, j.hash_version, j.content_hash, j.refusal is null order by j.delivery_id) > 1
      then 'the same post goes to this channel by another delivery of this request' end) as refusal
    from judged j
  ),
  moved as (
    update delivery.deliveries d
    set status = 'retry', next_retry_at = p_now, requeues = d.requeues + 1,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now,
        scheduled_for = case a.code when 'stale_dropped' then p_now else d.scheduled_for end,
        last_error = case when a.was = 'failed_permanent' and a.code = 'outcome_unknown' then null else d.last_error end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.was, a.code
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'manual_requeue',
      m.attempt, 'ok', delivery.operator_meta(p_operator, p_reason)
        || jsonb_strip_nulls(jsonb_build_object('from_status', m.was, 'from_code', m.code,
                                                'recovered', case when p_mended then true end))
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$function$;

CREATE OR REPLACE FUNCTION delivery.send_now(p_workspace_id uuid, p_delivery_ids uuid[], p_operator text, p_reason text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, was text, status text, refusal text)
 LANGUAGE sql
AS $function$
  select pg_notify('molva_deliveries', p_workspace_id::text);
  with asked as materialized (
    select d.delivery_id, d.status as was, d.due_at,
      coalesce(delivery.waiting_refusal(d), case
        when d.held_at is not null then 'it is held: release it first'
        when d.status = 'claimed' then 'it has its slot already'
        when d.due_at <= p_now then 'it is due already: only the queue is before it'
        when d.next_retry_at > p_now and d.last_error ? 'retry_after_ms' then 'the provider asked to wait'
      end) as refusal
    from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (p_delivery_ids)
    order by d.delivery_id for update
  ),
  moved as (
    update delivery.deliveries d
    set not_before = p_now, scheduled_for = p_now, updated_at = p_now,
        next_retry_at = case when d.next_retry_at is not null then p_now end
    from asked a
    where d.workspace_id = p_workspace_id and d.delivery_id = a.delivery_id and a.refusal is null
    returning d.delivery_id, d.status, d.message_id, d.channel_id, d.attempt, a.due_at as was_due_at
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), m.delivery_id, m.message_id, m.channel_id, p_now, 'released', m.attempt,
      'ok', delivery.operator_meta(p_operator, p_reason) || jsonb_build_object('was_due_at', m.was_due_at)
    from moved m
  )
  select i.id, a.was, coalesce(m.status, a.was), delivery.refusal_of(a.was, a.refusal)
  from unnest(p_delivery_ids) with ordinality as i (id, place)
  left join asked a on a.delivery_id = i.id
  left join moved m on m.delivery_id = i.id
  order by i.place
$function$;

CREATE OR REPLACE FUNCTION delivery.sending_now(p_workspace_id uuid)
 RETURNS TABLE(channel_id uuid, now_sending bigint)
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  select s.channel_id, count(*)
  from (
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'sending'
    order by d.not_before, d.next_retry_at
    offset 0
  ) s
  group by 1
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_deliveries(p_workspace_id uuid, p_outcomes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, applied boolean, status text, next_retry_at timestamp with time zone)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
begin
  if not jsonb_path_exists(p_outcomes, '$[*] ? (!(@.kind == "sent") || exists (@.reconciled) || exists (@.late_ms))') then
    return query select * from delivery.settle_sent(p_workspace_id, p_outcomes, p_now);
    return;
  end if;
  if jsonb_path_exists(p_outcomes, '$[*] ? (!(@.kind == "sent" || @.kind == "failed" || @.kind == "unknown"))') then
    raise exception 'an outcome''s kind is sent, failed or unknown' using errcode = 'invalid_parameter_value';
  end if;
  return query select * from delivery.settle_mixed(p_workspace_id, p_outcomes, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_mixed(p_workspace_id uuid, p_outcomes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, applied boolean, status text, next_retry_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  c_cooldown constant interval := interval '30 seconds';
  -- The rows are looked up by this list, whatever the planner knows of the table.
  v_ids      uuid[] := array(select (o ->> 'delivery_id')::uuid from jsonb_array_elements(p_outcomes) as o);
  v_channels uuid[];
  v_policy   record;
begin
  select * into v_policy from delivery.workspace_policy(p_workspace_id);
  -- Groups and channels that may change are locked first, in order, as everybody does.
  v_channels := array(
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids));
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and (g.platform, g.rate_group) in (
    select c.platform, c.rate_group from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_channels))
  order by g.platform, g.rate_group
  for no key update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_channels)
  order by c.channel_id
  for no key update;

  return query
  with outcomes as materialized (
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
  ),
  judged as materialized (
    select d.delivery_id, d.channel_id, d.message_id, d.attempt, o.kind, o.error, o.provider_message_id, o.meta, o.reconciled,
      o.payload_ref, o.late,
      case
        when o.kind = 'sent' then 'sent'
        when o.error ->> 'category' = 'PERMANENT' then 'failed_permanent'
        when d.attempt >= v_policy.max_attempts + d.requeues then 'dead'
        else 'retry'
      end as new_status,
      coalesce(o.next_retry_at, p_now + delivery.retry_delay(
        d.attempt, o.error, random(), v_policy.backoff_base_seconds, v_policy.backoff_max_seconds)) as retry_at
    from outcomes o
    join delivery.deliveries d using (delivery_id)
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids)
      and (d.status = 'sending') is true and d.claim_token = o.token
    for update of d
  ),
  settled as (
    update delivery.deliveries d
    set status = j.new_status,
        sent_at = case j.new_status when 'sent' then p_now else d.sent_at end,
        provider_message_id = coalesce(j.provider_message_id, d.provider_message_id),
        provider_meta = coalesce(j.meta, d.provider_meta),
        last_error = j.error,
        next_retry_at = case j.new_status when 'retry' then j.retry_at end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
    from judged j
    where d.workspace_id = p_workspace_id and d.delivery_id = any (v_ids) and d.delivery_id = j.delivery_id
    returning d.delivery_id, d.status, d.next_retry_at
  ),
  -- One verdict per channel: a channel-scoped refusal counts once per delivery, a success clears the streak.
  verdicts as (
    select j.channel_id,
      bool_or(j.new_status = 'sent') as any_sent,
      count(*) filter (where j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel') as refusals,
      max(j.error ->> 'migrate_to') as migrate_to, max(j.late) filter (where j.error ->> 'migrate_to' is null) as late
    from judged j group by 1
  ),
  channels_changed as (
    update delivery.channels c
    set error_streak = case when v.refusals > 0 then c.error_streak + v.refusals when v.any_sent then 0 else c.error_streak end,
        paused_until = case when v.refusals > 0 then greatest(c.paused_until, p_now + make_interval(
                         secs => coalesce(c.pause_on_permanent_seconds, v_policy.pause_on_permanent_seconds)))
                         else c.paused_until end,
        enabled = c.enabled and not (v.refusals > 0 and c.error_streak + v.refusals >=
                    coalesce(c.disable_after_permanent_streak, v_policy.disable_after_permanent_streak)),
        target_id = coalesce(v.migrate_to, c.target_id),
        last_started_at = c.last_started_at + coalesce(v.late, interval '0'),
        updated_at = p_now
    from verdicts v
    where c.workspace_id = p_workspace_id and c.channel_id = v.channel_id
      and (v.refusals > 0 or v.late is not null or (v.any_sent and c.error_streak > 0) or (v.migrate_to is not null and (c.allow_duplicate or not exists (
            select from delivery.channels o
            where o.workspace_id = p_workspace_id and o.platform = c.platform and o.target_id = v.migrate_to))))
    returning c.channel_id, c.error_streak, c.enabled, c.paused_until, v.refusals, v.migrate_to
  ),
  cooldowns as (
    insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
    -- The longest of the batch, as if they had come one by one.
    select p_workspace_id, c.platform, c.rate_group,
      p_now + max(coalesce(make_interval(secs => (j.error ->> 'retry_after_ms')::float8 / 1000), c_cooldown)), p_now
    from judged j
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = j.channel_id
    where j.error ->> 'scope' = 'platform'
      and (j.error ->> 'category' = 'PERMANENT' or j.error ->> 'retry_after_ms' is not null)
    group by 2, 3
    on conflict (workspace_id, platform, rate_group) do update
      set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, payload_ref, meta)
    -- Events of one instant keep their order by a microsecond each.
    select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, j.channel_id,
      p_now + e.place * interval '1 microsecond', e.action, j.attempt, e.result, j.error, case e.place when 4 then j.payload_ref end, e.meta
    from judged j
    cross join lateral (
      select 2, 'reconciled_' || j.reconciled, 'ok', '{}'::jsonb where j.reconciled is not null
      union all
      select 3, 'outcome_unknown', 'error', '{}' where j.kind = 'unknown'
      union all
      select 4, case j.new_status when 'sent' then 'sent' when 'retry' then 'retry_scheduled'
               when 'dead' then 'dead_letter' else 'failed_permanent' end,
             case j.new_status when 'sent' then 'ok' else 'error' end,
             jsonb_strip_nulls(jsonb_build_object(
               'provider_message_id', j.provider_message_id,
               'next_retry_at', case j.new_status when 'retry' then j.retry_at end,
               'reason', case j.new_status when 'dead' then 'max_attempts' end))
    ) as e (place, action, result, meta)
    union all
    select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, x.channel_id,
      p_now + a.place * interval '1 microsecond', a.action, j.attempt, 'error', j.error, null,
      jsonb_strip_nulls(jsonb_build_object('error_streak', x.error_streak, 'paused_until', x.paused_until,
                                           'target_id', case a.place when 7 then x.migrate_to end))
    from channels_changed x
    join lateral (
      select * from judged where judged.channel_id = x.channel_id and judged.error ->> 'scope' = 'channel' limit 1
    ) j on true
    cross join lateral (
      select 5, 'channel_paused' where x.refusals > 0
      union all
      select 6, 'channel_disabled' where x.refusals > 0 and not x.enabled
      union all
      select 7, 'channel_migrated' where x.migrate_to is not null
    ) as a (place, action)
  )
  select o.delivery_id, s.delivery_id is not null, s.status, s.next_retry_at
  from outcomes o
  left join settled s using (delivery_id);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_one(p_workspace_id uuid, p_delivery_id uuid, p_outcome jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_applied boolean;
begin
  if p_outcome ->> 'token' is null then
    raise exception 'delivery %: no claim token was given, or it is not being sent', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  select s.applied into v_applied
  from delivery.settle_deliveries(p_workspace_id, jsonb_build_array(p_outcome), p_now) s;
  if not v_applied then
    raise exception 'delivery % is not being sent under this claim token', p_delivery_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_sent(p_workspace_id uuid, p_outcomes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, applied boolean, status text, next_retry_at timestamp with time zone)
 LANGUAGE sql
AS $function$
  with outcomes as materialized (
    select * from jsonb_to_recordset(p_outcomes) as o (delivery_id uuid, token text, provider_message_id text, meta jsonb)
  ),
  settled as (
    update delivery.deliveries d
    set status = 'sent', sent_at = p_now, provider_message_id = o.provider_message_id, provider_meta = o.meta,
        last_error = null, next_retry_at = null, claimed_at = null, claim_token = null, sending_started_at = null,
        updated_at = p_now
    from outcomes o
    -- The ids once more as a list: they are looked up by it, whatever the planner knows of the table. "Is true" keeps it
    -- from reading everything that is on its way instead.
    where d.workspace_id = p_workspace_id and d.delivery_id = any (array(select i.delivery_id from outcomes i))
      and d.delivery_id = o.delivery_id and (d.status = 'sending') is true and d.claim_token = o.token
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.provider_message_id
  ),
  -- Locked in order, as everybody does.
  with_streak as materialized (
    select c.channel_id from delivery.channels c
    where c.workspace_id = p_workspace_id and c.error_streak > 0 and c.channel_id in (select s.channel_id from settled s)
    order by c.channel_id
    for no key update
  ),
  cleared as (
    update delivery.channels c set error_streak = 0, updated_at = p_now
    from with_streak w
    where c.workspace_id = p_workspace_id and c.channel_id = w.channel_id
  ),
  event_ids as materialized (select molva.uuid_batch(p_now) as ids),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuid_at(b.ids, row_number() over ()), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '4 microseconds', 'sent', s.attempt, 'ok',
      jsonb_build_object('provider_message_id', s.provider_message_id)
    from settled s
    cross join event_ids b
  )
  select o.delivery_id, s.delivery_id is not null, case when s.delivery_id is not null then 'sent' end, null::timestamptz
  from outcomes o
  left join settled s using (delivery_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.short_ref(p_ref text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when octet_length(btrim(p_ref)) > 1024
    then 'sha256:' || encode(sha256(convert_to(btrim(p_ref), 'UTF8')), 'hex')
    else nullif(btrim(p_ref), '') end
$function$;

CREATE OR REPLACE FUNCTION delivery.utf16_length(p_text text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (length(p_text) + length(regexp_replace(p_text, '[^\U00010000-\U0010ffff]'::text, ''::text, 'g'::text)));

CREATE OR REPLACE FUNCTION delivery.shortest_length(p_text text, p_parse_mode text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN delivery.utf16_length(CASE p_parse_mode WHEN 'HTML'::text THEN regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(p_text, '<script\M.*?</script>'::text, ''::text, 'gi'::text), '<style\M.*?</style>'::text, ''::text, 'gi'::text), '<[^>]*>'::text, ''::text, 'g'::text), '&#?[[:alnum:]]+;'::text, 'x'::text, 'g'::text), '\s+'::text, ' '::text, 'g'::text) WHEN 'Markdown'::text THEN regexp_replace(p_text, '\]\([^])]*\)|[][*_~|+^#>`\\!]'::text, ''::text, 'g'::text) ELSE p_text END);

CREATE OR REPLACE FUNCTION delivery.silence_check(p_workspace_id uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_told int;
begin
  delete from delivery.channel_silences s using delivery.channels c
  where c.workspace_id = s.workspace_id and c.channel_id = s.channel_id and c.silence_after_seconds is null
    and (p_workspace_id is null or s.workspace_id = p_workspace_id);
  insert into delivery.channel_silences (workspace_id, channel_id, alive_at)
  select c.workspace_id, c.channel_id, c.created_at from delivery.channels c
  where c.silence_after_seconds is not null and (p_workspace_id is null or c.workspace_id = p_workspace_id)
  on conflict (workspace_id, channel_id) do nothing;

  -- A statement of its own: what follows must see what another monitor did before it let go of the rows.
  perform from delivery.channel_silences s
  where p_workspace_id is null or s.workspace_id = p_workspace_id
  order by s.workspace_id, s.channel_id
  for update;

  -- Only the part of the trail that was not searched yet; uses events_by_channel.
  update delivery.channel_silences s
  set alive_at = greatest(s.alive_at, (
        select e.ts from workspaces.events e
        where e.workspace_id = s.workspace_id and e.channel_id = s.channel_id
          and e.ts > s.looked_until and e.action in ('sent', 'channel_enabled')
        order by e.ts desc limit 1)),
      looked_until = greatest(s.looked_until, p_now - interval '1 minute')
  where p_workspace_id is null or s.workspace_id = p_workspace_id;

  with watched as materialized (
    select s.workspace_id, s.channel_id, s.quiet_since as told_quiet, s.overdue_since as told_overdue,
      c.silence_after_seconds, make_interval(secs => c.silence_after_seconds) as patience,
      c.window_mode, c.posting_window, coalesce(c.timezone, w.timezone) as timezone,
      w.status = 'active' and (
        c.error_streak > 0 or (c.enabled and coalesce(c.paused_until, '-infinity') <= p_now)) as expected,
      greatest(s.alive_at, case when c.error_streak = 0 then c.paused_until end) as alive_at
    from delivery.channel_silences s
    join delivery.channels c using (workspace_id, channel_id)
    join workspaces.workspaces w using (workspace_id)
    where p_workspace_id is null or s.workspace_id = p_workspace_id
  ),
  judged as materialized (
    select w.*,
      case when w.expected and (w.told_quiet = w.alive_at or delivery.silence_lasted(
          w.window_mode, w.posting_window, w.timezone, w.alive_at, w.patience, p_now))
        then w.alive_at end as quiet_since,
      case when w.expected then (
        select min(d.scheduled_for) from delivery.deliveries d
        where d.workspace_id = w.workspace_id and d.channel_id = w.channel_id
          and d.status in ('queued', 'claimed', 'sending', 'retry') and d.held_at is null
          and d.scheduled_for <= p_now - w.patience) end as overdue_since
    from watched w
  ),
  kept as (
    update delivery.channel_silences s
    set quiet_since = j.quiet_since, overdue_since = j.overdue_since
    from judged j
    where s.workspace_id = j.workspace_id and s.channel_id = j.channel_id
      and (s.quiet_since, s.overdue_since) is distinct from (j.quiet_since, j.overdue_since)
  ),
  told as (
    insert into workspaces.events (workspace_id, id, channel_id, ts, action, result, meta)
    select j.workspace_id, molva.uuidv7(p_now), j.channel_id, p_now, 'silence_detected', 'error',
      jsonb_build_object('kind', n.kind, 'since', n.since, 'silence_after_seconds', j.silence_after_seconds)
    from judged j
    cross join lateral (
      select 'overdue', j.overdue_since where j.overdue_since is distinct from j.told_overdue
      union all
      select 'quiet', j.quiet_since where j.quiet_since is distinct from j.told_quiet
      limit 1
    ) as n (kind, since)
    where n.since is not null
    returning 1
  )
  select count(*) into v_told from told;
  return v_told;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.silence_lasted(p_window_mode text, p_window jsonb, p_timezone text, p_since timestamp with time zone, p_patience interval, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_step interval := greatest(interval '1 minute', p_patience / 300);
  v_at   timestamptz := p_since;
  v_open interval := interval '0';
begin
  -- Open time is never more than all the time.
  if p_since > p_now - p_patience then
    return false;
  end if;
  if p_window_mode = 'immediate' then
    return true;
  end if;
  while v_at < p_now loop
    if delivery.is_open(p_window, p_timezone, v_at) then
      v_open := v_open + least(v_step, p_now - v_at);
      if v_open >= p_patience then
        return true;
      end if;
      v_at := v_at + v_step;
    else
      -- Null ends the loop: a window that never opens keeps nobody waiting.
      v_at := delivery.next_open(p_window, p_timezone, v_at);
    end if;
  end loop;
  return false;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.start_gap(p_rps numeric)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select interval '1.01 seconds' / p_rps::float8
$function$;

CREATE OR REPLACE FUNCTION delivery.start_lead()
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select interval '50 milliseconds'
$function$;

CREATE OR REPLACE FUNCTION delivery.start_sending(p_workspace_id uuid, p_run_id text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, claim_token text, attempt integer, message_id uuid, channel_id uuid, platform text, target_id text, send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, rendered_text text, render_meta jsonb, last_error jsonb, created_at timestamp with time zone, trace_id text)
 LANGUAGE sql
AS $function$
  select s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, s.platform, s.target_id, s.send_mode, s.settings,
    s.secret_ref, s.unknown_policy, s.payload, s.rendered_text, s.render_meta, s.last_error, s.created_at, s.trace_id
  from delivery.start_until(p_workspace_id, p_run_id, p_limit, p_now, p_now) s
$function$;

CREATE OR REPLACE FUNCTION delivery.start_until(p_workspace_id uuid, p_run_id text, p_limit integer, p_until timestamp with time zone, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, claim_token text, attempt integer, message_id uuid, channel_id uuid, platform text, target_id text, send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, rendered_text text, render_meta jsonb, last_error jsonb, created_at timestamp with time zone, trace_id text, departs_at timestamp with time zone, gap_ms double precision)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
AS $function$
#variable_conflict use_column
declare
  v_ready     uuid[] := delivery.ready_channels(p_workspace_id, p_until);
  v_blocked   uuid[];
  v_ageing    boolean;
  v_event_ids text := molva.uuid_batch(p_now);
begin
  if v_ready = '{}' or p_limit <= 0 then
    return;
  end if;
  -- Statements of their own: what is counted below must be seen after the locks were got, not before.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.rate_rps > 0
    and (g.platform, g.rate_group) in (
      select c.platform, c.rate_group from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready))
  order by g.platform, g.rate_group
  for no key update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready)
  order by c.channel_id
  for no key update;

  -- What stays claimed after this may start, as far as its channel has room.
  select array_agg(c.channel_id) filter (where delivery.block_of(c, w, g, p_now) is not null),
    bool_or(c.max_age_seconds is not null)
  into v_blocked, v_ageing
  from delivery.channels c
  join workspaces.workspaces w using (workspace_id)
  left join delivery.platform_limits g using (workspace_id, platform, rate_group)
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready);
  if v_blocked is not null then
    perform delivery.release_blocked(p_workspace_id, v_blocked, p_now);
  end if;
  if v_ageing and delivery.release_stale(p_workspace_id, v_ready, p_now) > 0 then
    perform delivery.expire_stale(p_workspace_id, v_ready, p_now);
  end if;

  return query
  with free_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.target_id, c.send_mode, c.settings, c.unknown_policy, b.secret_ref,
      c.last_started_at + p.gap as opens_at, 1000 / nullif(c.rate_rps, 0) as gap_ms,
      p.group_gap, greatest(p_now, g.last_started_at + p.group_gap) as group_opens_at,
      least(p_limit, greatest(0, case
        when c.last_started_at + p.gap > p_until or g.last_started_at + p.group_gap > p_until then 0
        when c.rate_rps > 0 then least(1, c.max_parallel - coalesce(s.now_sending, 0))
        else c.max_parallel - coalesce(s.now_sending, 0)
      end)) as room
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    cross join lateral (select
      case when c.rate_rps > 0 then delivery.start_gap(c.rate_rps) end,
      case when g.rate_rps > 0 then delivery.start_gap(g.rate_rps) end) as p (gap, group_gap)
    left join delivery.sending_now(p_workspace_id) s using (channel_id)
    left join delivery.channel_auth a using (workspace_id, channel_id)
    left join workspaces.credential_bindings b
      on b.workspace_id = p_workspace_id and b.auth_ref = coalesce(a.auth_ref, c.auth_ref) and b.platform = c.platform
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_ready)
  ),
  ready as materialized (
    select f.channel_id, f.platform, f.rate_group, f.group_gap, f.group_opens_at, r.row_id, r.delivery_id, r.not_before,
      greatest(p_now, r.not_before, f.opens_at) as own_departure
    from free_channels f
    cross join lateral (
      select d.ctid as row_id, d.delivery_id, d.not_before
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = f.channel_id
        and d.status = 'claimed' and d.not_before <= p_until and d.held_at is null
      order by d.not_before, d.delivery_id
      limit f.room
      for update skip locked
    ) r
    order by r.not_before, r.delivery_id
    limit p_limit
  ),
  in_groups as (
    -- The later of its own time and a gap after the one before it in the group, for all of them at once: counted from
    -- where each would put the first one.
    select r.row_id, r.place * r.group_gap
      + max(greatest(r.own_departure, r.group_opens_at) - r.place * r.group_gap)
          over (partition by r.platform, r.rate_group order by r.place) as departs_at
    from (
      select r.*, row_number() over (
        partition by r.platform, r.rate_group order by r.own_departure, r.not_before, r.delivery_id) as place
      from ready r
      where r.group_gap is not null
    ) r
  ),
  started as (
    update delivery.deliveries d
    set status = 'sending', attempt = d.attempt + 1, sending_started_at = p_now,
        claim_token = p_run_id || ':' || d.delivery_id || ':' || d.attempt, updated_at = p_now
    from (
      select r.row_id, r.own_departure as departs_at from ready r where r.group_gap is null
      union all
      select r.row_id, r.departs_at from in_groups r where r.departs_at <= p_until
    ) r
    -- The rows are locked, so they stay where they were found.
    where d.ctid = r.row_id
    returning d.delivery_id, d.claim_token, d.attempt, d.message_id, d.channel_id, d.rendered_text, d.render_meta, d.last_error, d.created_at,
      d.trace_id, d.not_before, r.departs_at
  ),
  paced as (
    update delivery.channels c set last_started_at = s.departs_at
    from started s
    where c.workspace_id = p_workspace_id and c.channel_id = s.channel_id and c.rate_rps > 0
  ),
  paced_groups as (
    update delivery.platform_limits g set last_started_at = s.last
    from (
      select f.platform, f.rate_group, max(s.departs_at) as last
      from started s join free_channels f using (channel_id) where f.group_gap is not null group by 1, 2
    ) s
    where g.workspace_id = p_workspace_id and g.platform = s.platform and g.rate_group = s.rate_group
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuid_at(v_event_ids, row_number() over ()), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '1 microsecond', 'send_attempt', s.attempt, 'ok',
      jsonb_build_object('idempotency_key', s.delivery_id, 'run_id', p_run_id, 'trace_id', s.trace_id)
    from started s
  )
  select s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, f.platform,
    delivery.chat_of_target(f.platform, f.target_id), f.send_mode, f.settings, f.secret_ref, f.unknown_policy,
    -- What was compiled at enqueue is sent as it is; the post itself is needed only where it was not.
    case when not s.render_meta ? 'compiled' then (
      select m.payload from delivery.messages m
      where m.workspace_id = p_workspace_id and m.message_id = s.message_id) end,
    s.rendered_text, s.render_meta, s.last_error, s.created_at, s.trace_id, s.departs_at, f.gap_ms::float8
  from started s
  join free_channels f using (channel_id)
  order by s.not_before, s.delivery_id;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.stopped_by_refusals(p_workspace_id uuid, p_channels uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(c.channel_id order by c.channel_id), '{}')
  from delivery.channels c
  cross join lateral delivery.channel_stop(c, p_now) s
  where c.workspace_id = p_workspace_id and (p_channels is null or c.channel_id = any (p_channels))
    and (not c.enabled or c.paused_until > p_now) and s.stopped_by = 'refusals'
$function$;

CREATE OR REPLACE FUNCTION delivery.stored_error(p_error jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select '{"scope": "delivery"}'::jsonb || (p_error - array['raw', 'payload_ref', 'reconciled', 'late_ms'])
$function$;

CREATE OR REPLACE FUNCTION delivery.switch_channels(p_workspace_id uuid, p_channel_ids uuid[], p_enabled boolean, p_operator text, p_reason text, p_meta jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_switched uuid[];
begin
  -- The order in which the dispatcher locks them.
  perform from delivery.channels
  where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
  order by channel_id
  for update;
  with switched as (
    update delivery.channels
    set enabled = p_enabled,
        paused_until = case when p_enabled then null else paused_until end,
        error_streak = case when p_enabled then 0 else error_streak end,
        updated_at = p_now
    where workspace_id = p_workspace_id and channel_id = any (p_channel_ids)
    returning channel_id
  )
  select coalesce(array_agg(channel_id order by channel_id), '{}') into v_switched from switched;
  perform workspaces.note_change(p_workspace_id, channel_id,
    case when p_enabled then 'channel_enabled' else 'channel_disabled' end, p_operator, p_reason,
    p_meta || '{"manual": true}', p_now)
  from unnest(v_switched) as channel_id;
  if p_enabled then
    perform pg_notify('molva_deliveries', p_workspace_id::text);
  end if;
  return cardinality(v_switched);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.tag_of(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select delivery.fold(btrim(ltrim(btrim(p_text), '#')))
$function$;

CREATE OR REPLACE FUNCTION delivery.tags_in_order(p_tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(tag order by place), '{}')
  from (
    select delivery.tag_of(given) as tag, min(place) as place
    from unnest(p_tags) with ordinality as t (given, place)
    group by 1
  ) as tags
  where tag <> ''
$function$;

CREATE OR REPLACE FUNCTION delivery.tags_of(p_raw jsonb, p_payload jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select delivery.tag_of(tag)
    from jsonb_array_elements_text(
           case when jsonb_typeof(p_raw -> 'tags') = 'array' then p_raw -> 'tags' else '[]' end
           || case when jsonb_typeof(p_raw #> '{payload,tags}') = 'array' then p_raw #> '{payload,tags}' else '[]' end
         ) as tag
    union all
    select delivery.fold(found[1])
    from regexp_matches(p_payload ->> 'text' collate "und-x-icu", '(?<![[:alnum:]_&/])#([[:alnum:]_]*[[:alpha:]][[:alnum:]_]*)', 'g') as found
  ) as tags (tag)
  where tag <> ''
$function$;

CREATE OR REPLACE FUNCTION delivery.take_back(p_sending_lease interval, p_claimed_lease interval, p_gone text[], p_least_wait interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, delivery_id uuid, was text, status text)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
#variable_conflict use_column
declare
  v_expired uuid[] := array(
    select distinct d.channel_id from delivery.deliveries d
    where d.status = 'claimed'
      and ((d.not_before <= p_now and d.claimed_at < p_now - p_claimed_lease) or d.claim_token = any (p_gone)));
begin
  -- A channel's claims go back together: one that kept its slot would overtake those that get new ones. The lock keeps
  -- slots from being given out meanwhile; a statement of its own, so that what was claimed before it is seen below.
  perform from delivery.channels c
  where c.channel_id = any (v_expired)
  order by c.workspace_id, c.channel_id
  for no key update;

  return query
  with stale as materialized (
    select d.workspace_id, d.delivery_id, d.status as was, r.run_id = any (p_gone) as gone, r.run_id,
      case when d.status = 'claimed' then 'queued'
           when d.attempt >= p.max_attempts + d.requeues then 'dead'
           else 'retry'
      end as new_status
    from delivery.deliveries d
    join workspaces.workspaces w using (workspace_id)
    cross join lateral delivery.policy_of(w.settings) p
    cross join lateral (select split_part(d.claim_token, ':', 1)) as r (run_id)
    where (d.status = 'sending' and (d.sending_started_at < p_now - p_sending_lease or r.run_id = any (p_gone)))
       or (d.status = 'claimed' and d.channel_id = any (v_expired))
    for update of d skip locked
  ),
  freed as (
    update delivery.deliveries d
    set status = s.new_status,
        not_before = case s.was when 'claimed' then delivery.place_in_queue(d) else d.not_before end,
        next_retry_at = case s.new_status when 'retry' then
          p_now + greatest(make_interval(secs => 10 + 20 * random()), p_least_wait) end,
        last_error = case s.was
          when 'sending' then jsonb_build_object(
            'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown',
            'cause', case when s.gone then 'process_gone' else 'sending_lease_expired' end,
            'message', 'the process that was sending it stopped before it could say how it ended')
          else d.last_error end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
    from stale s
    where d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id
    returning d.*, s.was, s.gone, s.run_id
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select f.workspace_id, molva.uuidv7(p_now), f.delivery_id, f.message_id, f.channel_id,
      p_now + a.place * interval '1 microsecond', a.action, f.attempt,
      'error', case f.was when 'sending' then f.last_error end, a.meta
    from freed f
    cross join lateral (
      select 2, f.was || '_lease_expired', jsonb_strip_nulls(jsonb_build_object(
        'run_id', f.run_id, 'reason', case when f.gone then 'process_gone' end))
      union all
      select 3, 'dead_letter', '{"reason": "sending_lease_expired_max_attempts"}' where f.status = 'dead'
    ) as a (place, action, meta)
  )
  select f.workspace_id, f.delivery_id, f.was, f.status from freed f;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.take_ingress_token(p_workspace_id uuid, p_endpoint_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS interval
 LANGUAGE plpgsql
AS $function$
declare
  v_rps    double precision;
  v_burst  double precision;
  v_tokens double precision;
begin
  select ingress_rps into v_rps from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  if coalesce(v_rps, 0) = 0 then
    return interval '0';
  end if;
  v_burst := greatest(1, v_rps);
  insert into delivery.ingress_buckets (workspace_id, endpoint_id, tokens, refilled_at)
  values (p_workspace_id, p_endpoint_id, v_burst, p_now)
  on conflict (workspace_id, endpoint_id) do nothing;
  select least(v_burst, tokens + greatest(0, extract(epoch from p_now - refilled_at)) * v_rps) into v_tokens
  from delivery.ingress_buckets
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id
  for update;
  update delivery.ingress_buckets
  set tokens = case when v_tokens >= 1 then v_tokens - 1 else v_tokens end,
      refilled_at = greatest(refilled_at, p_now)
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;
  return case when v_tokens >= 1 then interval '0' else make_interval(secs => (1 - v_tokens) / v_rps) end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.take_receipt(p_endpoint delivery.workspace_endpoints, p_source_ref text, p_payload_hash text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if p_source_ref is null then
    -- Two equal requests at once are judged one after the other.
    perform pg_advisory_xact_lock(hashtextextended(p_endpoint.endpoint_id::text || p_payload_hash, 0));
    if exists (
      select from delivery.ingress_receipts
      where workspace_id = p_endpoint.workspace_id and endpoint_id = p_endpoint.endpoint_id
        and payload_hash = p_payload_hash
        and received_at > p_now - make_interval(secs => p_endpoint.hash_drop_window_sec)
    ) then
      return false;
    end if;
  end if;
  insert into delivery.ingress_receipts (
    workspace_id, endpoint_id, endpoint_kind, source_ref, payload_hash, received_at, expires_at)
  values (
    p_endpoint.workspace_id, p_endpoint.endpoint_id, p_endpoint.kind, p_source_ref, p_payload_hash, p_now,
    p_now + interval '3 days')
  on conflict (workspace_id, endpoint_id, source_ref) where source_ref is not null do nothing;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.take_turn(p_workspace_id uuid, p_delivery_id uuid, p_token text, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(granted boolean, at timestamp with time zone, cooling boolean)
 LANGUAGE plpgsql
AS $function$
declare
  v_channel_id uuid;
  v_turn       record;
begin
  select d.channel_id into v_channel_id from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending' and d.claim_token = p_token;
  if not found then
    return;
  end if;
  -- Groups, channels, deliveries: the order of all locks.
  select * into v_turn from delivery.channel_turn(p_workspace_id, v_channel_id, p_now);
  update delivery.deliveries d set sending_started_at = p_now
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id and d.status = 'sending' and d.claim_token = p_token;
  if found then
    return query select v_turn.granted, v_turn.at, v_turn.cooling;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.taken_messages(p_workspace_id uuid, p_channel_id uuid, p_delivery_id uuid, p_ids text[], p_since timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  return query
  with recent as (
    select e.delivery_id from workspaces.events e
    where e.workspace_id = p_workspace_id and e.channel_id = p_channel_id and e.ts >= p_since and e.action = 'sent'
    union
    select d.delivery_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.channel_id = p_channel_id
      and d.status in ('queued', 'claimed', 'sending', 'retry') and d.render_meta ? 'series_progress'
  )
  select distinct known.id
  from recent r
  join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = r.delivery_id
  cross join lateral (
    select d.provider_message_id
    union all
    select part ->> 'id' from jsonb_path_query(d.provider_meta, '$.raw.messages[*]') as part
    union all
    select part #>> '{}' from jsonb_path_query(d.render_meta, '$.series_progress.provider_message_ids[*]') as part
  ) as known (id)
  where r.delivery_id <> p_delivery_id and known.id = any (p_ids)
  union
  -- Sent by an adapter's caller, without a delivery.
  select e.meta ->> 'provider_message_id' from workspaces.events e
  where e.workspace_id = p_workspace_id and e.channel_id = p_channel_id and e.ts >= p_since and e.action = 'sent'
    and e.delivery_id is null and e.meta ->> 'provider_message_id' = any (p_ids);
end
$function$;

CREATE OR REPLACE FUNCTION delivery.time_or_null(p_text text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return p_text::timestamptz;
exception
  when data_exception then
    return null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.unrouted(p_workspace_id uuid, p_tags text[], p_tagged_only boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  with judged as (
    select case
        when not c.enabled then 'disabled'
        when c.route_none && p_tags then 'exclude'
        when c.route_any <> '{}' and not c.route_any && p_tags then 'include_any'
        when not c.route_all <@ p_tags then 'include_all'
        when p_tagged_only and c.route_any = '{}' and c.route_all = '{}' then 'takes_everything'
        else 'takes_it'
      end as because,
      c.route_any, c.route_all, c.route_none
    from delivery.channels c where c.workspace_id = p_workspace_id
  ),
  named as (
    select distinct j.because, t.tag
    from judged j
    cross join lateral unnest(case j.because
      when 'include_any' then j.route_any
      when 'include_all' then array(select t from unnest(j.route_all) as t where t <> all (p_tags))
      when 'exclude' then array(select t from unnest(j.route_none) as t where t = any (p_tags))
    end) as t (tag)
  )
  select jsonb_build_object('tags', p_tags, 'channels', (select count(*) from judged), 'because', coalesce((
    select jsonb_agg(jsonb_build_object('filter', b.because, 'channels', b.channels, 'tags', array(
      select n.tag from named n where n.because = b.because order by n.tag limit 10)) order by b.channels desc, b.because)
    from (select because, count(*) as channels from judged group by because) b), '[]'))
$function$;

CREATE OR REPLACE FUNCTION delivery.unseen_refs(p_workspace_id uuid, p_source_id text, p_refs text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  select ref from unnest(p_refs) as ref
  where not exists (
    select from delivery.pull_receipts r
    where r.workspace_id = p_workspace_id and r.source_id = p_source_id and r.source_ref = delivery.short_ref(ref))
$function$;

CREATE OR REPLACE FUNCTION delivery.visible_text(p_text text, p_parse_mode text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_parse_mode = 'HTML'::text) THEN replace(replace(replace(replace(regexp_replace(p_text, '<[^>]*>'::text, ''::text, 'g'::text), '&lt;'::text, '<'::text), '&gt;'::text, '>'::text), '&quot;'::text, '"'::text), '&amp;'::text, '&'::text) ELSE p_text END;

CREATE OR REPLACE FUNCTION delivery.waiting_between(p_workspace_id uuid, p_after uuid, p_until uuid, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
AS $function$
  with recursive hop as (
    select p_after as channel_id, false as open, 0 as found
    union all
    select n.channel_id, n.open, h.found + n.open::int
    from hop h
    cross join lateral (
      select d.channel_id, d.due_at <= p_now and coalesce((
        select delivery.claimable_from(c, g) <= p_now
        from delivery.channels c
        left join delivery.platform_limits g using (workspace_id, platform, rate_group)
        where c.workspace_id = p_workspace_id and c.channel_id = d.channel_id), false) as open
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status in ('queued', 'retry') and d.held_at is null
        and d.channel_id > coalesce(h.channel_id, '00000000-0000-0000-0000-000000000000')
        and d.channel_id <= coalesce(p_until, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by d.channel_id, d.due_at, d.delivery_id limit 1
    ) n
    where h.found < p_limit
  )
  select coalesce(array_agg(channel_id), '{}') from hop where open
$function$;

CREATE OR REPLACE FUNCTION delivery.waiting_channels(p_workspace_id uuid, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE plpgsql
AS $function$
declare
  v_mark  uuid := (select m.channel_id from delivery.claim_marks m where m.workspace_id = p_workspace_id);
  v_found uuid[] := delivery.waiting_between(p_workspace_id, v_mark, null, p_limit, p_now);
begin
  if v_mark is not null and cardinality(v_found) < p_limit then
    v_found := v_found || delivery.waiting_between(p_workspace_id, null, v_mark, p_limit - cardinality(v_found), p_now);
  end if;
  if cardinality(v_found) = p_limit then
    -- Best effort: several claimers may move the mark, none waits for it.
    insert into delivery.claim_marks (workspace_id, channel_id) values (p_workspace_id, v_found[p_limit])
    on conflict do nothing;
    update delivery.claim_marks m set channel_id = v_found[p_limit]
    where m.workspace_id = (
      select f.workspace_id from delivery.claim_marks f where f.workspace_id = p_workspace_id for update skip locked);
  end if;
  return v_found;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.waiting_like(p_workspace_id uuid, p_channels uuid[], p_tags text[], p_states text[], p_endpoints uuid[], p_created_after timestamp with time zone, p_created_before timestamp with time zone, p_limit integer)
 RETURNS TABLE(delivery_id uuid, channel_id uuid)
 LANGUAGE sql
 STABLE
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
  select d.delivery_id, d.channel_id
  from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.status in ('queued', 'claimed', 'sending', 'retry') and d.status <> 'sending'
    and (p_channels is null or d.channel_id = any (p_channels))
    and (p_states is null or d.status = any (p_states) or (d.held_at is not null and 'held' = any (p_states)))
    and (p_created_after is null or d.created_at >= p_created_after)
    and (p_created_before is null or d.created_at < p_created_before)
    and ((p_tags is null and p_endpoints is null) or exists (
      select from delivery.messages m
      where m.workspace_id = p_workspace_id and m.message_id = d.message_id
        and (p_tags is null or m.tags && delivery.filter_tags(jsonb_build_object('tags', p_tags), 'tags'))
        and (p_endpoints is null or (m.source ->> 'endpoint_id')::uuid = any (p_endpoints))))
  order by d.due_at, d.delivery_id
  limit p_limit
$function$;

CREATE OR REPLACE FUNCTION delivery.waiting_refusal(p_delivery delivery.deliveries)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case p_delivery.status
    when 'sending' then 'it is being sent'
    when 'sent' then 'it was sent already'
    when 'deduped' then 'it was never queued: the channel has the same post'
    when 'failed_permanent' then 'it has failed already'
    when 'dead' then 'its attempts are used up already'
  end
$function$;

CREATE OR REPLACE FUNCTION delivery.was_refused(p_delivery delivery.deliveries)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select p_delivery.status = 'failed_permanent' and p_delivery.last_error ->> 'scope' in ('channel', 'platform')
$function$;

CREATE OR REPLACE FUNCTION delivery.why(p_workspace_id uuid, p_delivery_id uuid, p_now timestamp with time zone DEFAULT now(), p_sending_lease interval DEFAULT '00:05:00'::interval, p_claimed_lease interval DEFAULT '00:05:00'::interval)
 RETURNS TABLE(reason text, since timestamp with time zone, expected_at timestamp with time zone, details jsonb)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_delivery delivery.deliveries;
  v_channel  delivery.channels;
begin
  select * into v_delivery from delivery.deliveries d
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id;
  if not found then
    return;
  end if;
  if v_delivery.status in ('sent', 'deduped', 'failed_permanent', 'dead') then
    return query select * from delivery.why_ended(v_delivery);
  elsif v_delivery.status = 'sending' then
    return query select * from delivery.why_sending(v_delivery, p_sending_lease, p_now);
  else
    select * into v_channel from delivery.channels c
    where c.workspace_id = p_workspace_id and c.channel_id = v_delivery.channel_id;
    return query select * from delivery.why_waiting(v_delivery, v_channel, p_claimed_lease, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.why_ended(p_delivery delivery.deliveries)
 RETURNS TABLE(reason text, since timestamp with time zone, expected_at timestamp with time zone, details jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select p_delivery.status, coalesce(p_delivery.sent_at, p_delivery.updated_at), null::timestamptz,
    jsonb_strip_nulls(jsonb_build_object(
      'attempt', p_delivery.attempt,
      'provider_message_id', p_delivery.provider_message_id,
      'url', p_delivery.provider_meta ->> 'url',
      'error', delivery.error_of(p_delivery.last_error),
      'can_requeue', case when p_delivery.status in ('dead', 'failed_permanent')
                       then delivery.requeue_refusal(p_delivery) is null end,
      'help', case when delivery.was_refused(p_delivery) then 'recover'
                   when p_delivery.status in ('dead', 'failed_permanent') then 'requeue' end))
$function$;

CREATE OR REPLACE FUNCTION delivery.why_sending(p_delivery delivery.deliveries, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(reason text, since timestamp with time zone, expected_at timestamp with time zone, details jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select case when g.taken_over_at is not null then 'process_gone' when l.lease_until > p_now then 'sending' else 'lease_expired' end,
    case when g.taken_over_at is not null then g.since when l.lease_until > p_now then p_delivery.sending_started_at
      else l.lease_until end,
    greatest(least(l.lease_until, g.taken_over_at), p_now),
    delivery.attempts_of(p_delivery) || jsonb_build_object(
      'lease_until', l.lease_until, 'run_id', split_part(p_delivery.claim_token, ':', 1), 'status', 'sending')
  from (select p_delivery.sending_started_at + p_lease as lease_until) l
  left join delivery.run_gone(p_delivery.claim_token, p_now) g on true
$function$;

CREATE OR REPLACE FUNCTION delivery.why_waiting(p_delivery delivery.deliveries, p_channel delivery.channels, p_claimed_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(reason text, since timestamp with time zone, expected_at timestamp with time zone, details jsonb)
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_claimed  constant boolean := p_delivery.status = 'claimed';
  v_own_time constant timestamptz := case when v_claimed then p_delivery.not_before else p_delivery.due_at end;
  v_block    constant text := delivery.delivery_block(p_delivery, p_channel, p_now);
  v_ahead    bigint;
  v_group    bigint;
  v_earlier  bigint;
  v_turn     timestamptz;
  v_free     timestamptz;
  v_lasting  text;
  v_sending  bigint;
  v_gone     record;
begin
  details := delivery.attempts_of(p_delivery) || jsonb_strip_nulls(jsonb_build_object(
    'error', delivery.error_of(p_delivery.last_error),
    'stale_at', coalesce(p_delivery.scheduled_for, p_delivery.created_at) + make_interval(secs => p_channel.max_age_seconds)));

  if p_delivery.held_at is not null then
    reason := 'held';
    since := p_delivery.held_at;
    details := details || jsonb_build_object('hold_reason', p_delivery.hold_reason);
    return next;
    return;
  end if;

  select f.free_at, f.lasting into v_free, v_lasting
  from delivery.next_free(p_delivery, p_channel, greatest(p_now, v_own_time)) f;
  if v_lasting is not null then
    reason := v_lasting;
    select b.since, why_waiting.details || b.details into since, details
    from delivery.block_facts(v_lasting, p_channel, p_now) b;
    return next;
    return;
  end if;

  select q.ahead, q.group_ahead, q.claimed_ahead, q.turn_at into v_ahead, v_group, v_earlier, v_turn
  from delivery.queue_place(p_delivery, p_channel, p_now) q;
  if not v_claimed then
    details := details || jsonb_strip_nulls(jsonb_build_object('ahead', v_ahead, 'group_ahead', v_group));
  end if;
  -- The pace may lead to a time at which the channel is blocked again.
  select coalesce(f.free_at, v_free) into expected_at
  from delivery.next_free(p_delivery, p_channel, greatest(v_free, v_turn)) f;

  if v_block is not null and delivery.block_ends_at(v_block, p_channel, p_now) >= v_own_time then
    reason := v_block;
    select b.since, why_waiting.details || b.details into since, details
    from delivery.block_facts(v_block, p_channel, p_now) b;

  elsif v_own_time > p_now then
    reason := case
      when v_claimed then 'waiting_for_slot'
      when p_delivery.status = 'queued' then 'scheduled'
      when p_delivery.last_error ->> 'code' = 'outcome_unknown' then 'outcome_unknown'
      else 'retry_wait'
    end;
    since := coalesce(p_delivery.claimed_at, p_delivery.updated_at);
    details := details || jsonb_build_object('due_at', v_own_time);

  elsif v_claimed and p_delivery.claimed_at + p_claimed_lease <= p_now then
    reason := 'lease_expired';
    since := p_delivery.claimed_at + p_claimed_lease;
    details := details || jsonb_build_object(
      'lease_until', since, 'run_id', p_delivery.claim_token, 'status', 'claimed');

  elsif delivery.nobody_dispatches(p_delivery, p_channel, p_now) then
    reason := 'dispatcher_not_running';
    since := v_own_time;
    expected_at := null;

  elsif v_turn > p_now then
    reason := 'rate_gate';
    since := v_own_time;
    details := details || jsonb_build_object('rate_rps', p_channel.rate_rps);

  else
    since := v_own_time;
    select count(*) into v_sending from delivery.deliveries s
    where s.workspace_id = p_delivery.workspace_id and s.status = 'sending' and s.channel_id = p_delivery.channel_id;
    -- Those that go before it take the places that are free.
    if v_sending + v_earlier + v_ahead >= p_channel.max_parallel then
      select g.since, g.taken_over_at into v_gone
      from delivery.deliveries s
      cross join lateral delivery.run_gone(s.claim_token, p_now) g
      where s.workspace_id = p_delivery.workspace_id and s.status = 'sending' and s.channel_id = p_delivery.channel_id
      order by g.since limit 1;
      if found then
        reason := 'process_gone';
        since := v_gone.since;
        expected_at := greatest(expected_at, v_gone.taken_over_at);
      else
        reason := 'max_parallel';
      end if;
      details := details || jsonb_build_object('sending', v_sending, 'max_parallel', p_channel.max_parallel);
    else
      reason := 'ready';
    end if;
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.window_step(p_window jsonb, p_wall timestamp without time zone)
 RETURNS timestamp without time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT
AS $function$
declare
  v_time  text collate "C" := to_char(p_wall, 'HH24:MI');
  v_next  text collate "C" := '24:00';
  v_day   jsonb := delivery.day_intervals(p_window, p_wall);
  v_start text collate "C";
  v_end   text collate "C";
begin
  for i in 0 .. jsonb_array_length(v_day) - 1 loop
    v_start := v_day -> i ->> 0;
    v_end := v_day -> i ->> 1;
    if v_start > v_time then
      v_next := least(v_next, v_start);
    elsif v_time < v_end or v_end < v_start then
      return p_wall;
    end if;
  end loop;

  v_day := delivery.day_intervals(p_window, p_wall - interval '1 day');
  for i in 0 .. jsonb_array_length(v_day) - 1 loop
    v_end := v_day -> i ->> 1;
    if v_time < v_end and v_end < v_day -> i ->> 0 then
      return p_wall;
    end if;
  end loop;

  return date_trunc('day', p_wall) + v_next::interval;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.workspace_busy(p_workspace_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.status = 'sending')
$function$;

CREATE OR REPLACE FUNCTION delivery.workspace_counts(p_workspace_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('channels', count(*)) from delivery.channels c where c.workspace_id = p_workspace_id
$function$;

CREATE OR REPLACE FUNCTION delivery.workspace_policy(p_workspace_id uuid)
 RETURNS TABLE(max_attempts integer, backoff_base_seconds double precision, backoff_max_seconds double precision, pause_on_permanent_seconds integer, disable_after_permanent_streak integer)
 LANGUAGE sql
 STABLE
AS $function$
  select p.* from workspaces.workspaces w, delivery.policy_of(w.settings) p where w.workspace_id = p_workspace_id
$function$;

-- accounts ------------------------------------------------------------------------------------------------------------

CREATE TABLE accounts.accounts (
  workspace_id         uuid NOT NULL,
  id                   uuid NOT NULL DEFAULT molva.uuidv7(),
  owner                text NOT NULL,
  phone                text,
  title                text NOT NULL,
  telegram_user_id     bigint,
  mode                 text NOT NULL DEFAULT 'normal'::text,
  fix_interval_minutes integer,
  daily_limit          integer NOT NULL DEFAULT 200,
  timezone             text NOT NULL DEFAULT 'Europe/Moscow'::text,
  window_from          time without time zone NOT NULL DEFAULT '08:00:00'::time without time zone,
  window_to            time without time zone NOT NULL DEFAULT '22:00:00'::time without time zone,
  is_active            boolean NOT NULL DEFAULT true,
  last_used_at         timestamptz,
  last_error           text,
  stopped_code         text,
  stopped_at           timestamptz,
  flood_until          timestamptz,
  flood_seconds        integer,
  device               jsonb NOT NULL DEFAULT '{}'::jsonb,
  connected_at         timestamptz,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT accounts_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT accounts_workspace_id_phone_key UNIQUE (workspace_id, phone),
  CONSTRAINT accounts_workspace_id_telegram_user_id_key UNIQUE (workspace_id, telegram_user_id),
  CONSTRAINT accounts_daily_limit_check CHECK (daily_limit >= 0),
  CONSTRAINT accounts_device_check CHECK (jsonb_typeof(device) = 'object'::text),
  CONSTRAINT accounts_fix_interval_minutes_check CHECK (fix_interval_minutes >= 1 AND fix_interval_minutes <= 1440),
  CONSTRAINT accounts_flood_seconds_check CHECK (flood_seconds >= 0),
  CONSTRAINT accounts_mode_check CHECK (mode = ANY (ARRAY['safe'::text, 'normal'::text, 'aggressive'::text, 'smart'::text, 'fix'::text])),
  CONSTRAINT accounts_owner_check CHECK (owner <> ''::text),
  CONSTRAINT accounts_phone_check CHECK (phone ~ '^\+[0-9]{6,15}$'::text),
  CONSTRAINT accounts_timezone_check CHECK (timezone <> ''::text),
  CONSTRAINT accounts_title_check CHECK (length(title) >= 1 AND length(title) <= 200),
  CONSTRAINT active_is_not_stopped CHECK (NOT is_active OR stopped_code IS NULL),
  CONSTRAINT window_opens_before_it_closes CHECK (window_from < window_to),
  CONSTRAINT accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX accounts_of_owner ON accounts.accounts USING btree (workspace_id, owner);
ALTER TABLE accounts.accounts ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.chats (
  workspace_id      uuid NOT NULL,
  id                uuid NOT NULL DEFAULT molva.uuidv7(),
  telegram_chat_id  bigint,
  title             text NOT NULL,
  username          text,
  type              text,
  owner_type        text NOT NULL DEFAULT 'user'::text,
  owner_account_id  uuid,
  channel_id        uuid,
  is_active         boolean NOT NULL DEFAULT true,
  members           integer,
  published_count   bigint NOT NULL DEFAULT 0,
  last_published_at timestamptz,
  cached_at         timestamptz,
  filters           jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chats_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT chats_workspace_id_telegram_chat_id_key UNIQUE (workspace_id, telegram_chat_id),
  CONSTRAINT chats_filters_check CHECK (jsonb_typeof(filters) = 'object'::text),
  CONSTRAINT chats_members_check CHECK (members >= 0),
  CONSTRAINT chats_owner_type_check CHECK (owner_type = ANY (ARRAY['bot'::text, 'user'::text])),
  CONSTRAINT chats_type_check CHECK (type = ANY (ARRAY['group'::text, 'supergroup'::text, 'channel'::text])),
  CONSTRAINT known_chat_has_type CHECK (telegram_chat_id IS NULL OR type IS NOT NULL),
  CONSTRAINT chats_workspace_id_channel_id_fkey FOREIGN KEY (workspace_id, channel_id) REFERENCES delivery.channels(workspace_id, channel_id) ON DELETE SET NULL (channel_id),
  CONSTRAINT chats_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE,
  CONSTRAINT chats_workspace_id_owner_account_id_fkey FOREIGN KEY (workspace_id, owner_account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE SET NULL (owner_account_id)
) WITH (fillfactor=80);
CREATE INDEX chats_of_owner_account ON accounts.chats USING btree (workspace_id, owner_account_id) WHERE owner_account_id IS NOT NULL;
ALTER TABLE accounts.chats ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.account_chats (
  workspace_id      uuid NOT NULL,
  account_id        uuid NOT NULL,
  chat_id           uuid NOT NULL,
  can_write         boolean NOT NULL DEFAULT true,
  slow_mode_seconds integer,
  slow_mode_until   timestamptz,
  stopped_code      text,
  last_error        text,
  created_at        timestamptz NOT NULL DEFAULT now(),
  updated_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT account_chats_pkey PRIMARY KEY (workspace_id, account_id, chat_id),
  CONSTRAINT account_chats_slow_mode_seconds_check CHECK (slow_mode_seconds >= 0),
  CONSTRAINT account_chats_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT account_chats_workspace_id_chat_id_fkey FOREIGN KEY (workspace_id, chat_id) REFERENCES accounts.chats(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX account_chats_by_chat ON accounts.account_chats USING btree (workspace_id, chat_id);
ALTER TABLE accounts.account_chats ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION accounts.refuse_bad_timezone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault text := workspaces.timezone_fault(new.timezone);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'accounts', table = tg_table_name,
      column = 'timezone', constraint = 'timezone_valid';
  end if;
  return new;
end
$function$;

CREATE TRIGGER refuse_bad_timezone BEFORE INSERT OR UPDATE OF timezone ON accounts.accounts FOR EACH ROW EXECUTE FUNCTION accounts.refuse_bad_timezone();

CREATE TABLE accounts.objects (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  owner        text NOT NULL,
  external_ref text,
  title        text NOT NULL,
  fields       jsonb NOT NULL DEFAULT '{}'::jsonb,
  texts        jsonb NOT NULL DEFAULT '{}'::jsonb,
  photos       jsonb NOT NULL DEFAULT '[]'::jsonb,
  photo_mode   text NOT NULL DEFAULT 'first'::text,
  archived_at  timestamptz,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT objects_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT objects_workspace_id_external_ref_key UNIQUE (workspace_id, external_ref),
  CONSTRAINT objects_external_ref_check CHECK (external_ref <> ''::text),
  CONSTRAINT objects_fields_check CHECK (jsonb_typeof(fields) = 'object'::text),
  CONSTRAINT objects_owner_check CHECK (owner <> ''::text),
  CONSTRAINT objects_photo_mode_check CHECK (photo_mode = ANY (ARRAY['first'::text, 'album'::text])),
  CONSTRAINT objects_photos_check CHECK (jsonb_typeof(photos) = 'array'::text),
  CONSTRAINT objects_texts_check CHECK (jsonb_typeof(texts) = 'object'::text),
  CONSTRAINT objects_title_check CHECK (length(title) >= 1 AND length(title) <= 500),
  CONSTRAINT objects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX objects_of_owner ON accounts.objects USING btree (workspace_id, owner, created_at DESC);
CREATE INDEX objects_photos ON accounts.objects USING gin (photos jsonb_path_ops);
ALTER TABLE accounts.objects ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.autopublish (
  workspace_id     uuid NOT NULL,
  object_id        uuid NOT NULL,
  enabled          boolean NOT NULL DEFAULT true,
  bot_enabled      boolean NOT NULL DEFAULT false,
  accounts_enabled boolean NOT NULL DEFAULT true,
  format           text NOT NULL DEFAULT 'default'::text,
  accounts_config  jsonb NOT NULL DEFAULT '[]'::jsonb,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT autopublish_pkey PRIMARY KEY (workspace_id, object_id),
  CONSTRAINT autopublish_accounts_config_check CHECK (jsonb_typeof(accounts_config) = 'array'::text),
  CONSTRAINT autopublish_format_check CHECK (format = ANY (ARRAY['default'::text, 'compact'::text])),
  CONSTRAINT autopublish_workspace_id_object_id_fkey FOREIGN KEY (workspace_id, object_id) REFERENCES accounts.objects(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX autopublish_in_order ON accounts.autopublish USING btree (workspace_id, created_at, object_id) WHERE enabled;
ALTER TABLE accounts.autopublish ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.bot_posts (
  workspace_id uuid NOT NULL,
  object_id    uuid NOT NULL,
  chat_id      uuid NOT NULL,
  day          date NOT NULL,
  message_id   uuid NOT NULL,
  channel_id   uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bot_posts_pkey PRIMARY KEY (workspace_id, message_id, channel_id),
  CONSTRAINT bot_posts_workspace_id_chat_id_fkey FOREIGN KEY (workspace_id, chat_id) REFERENCES accounts.chats(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX bot_posts_by_time ON accounts.bot_posts USING btree (workspace_id, created_at DESC);
CREATE INDEX bot_posts_of_object ON accounts.bot_posts USING btree (workspace_id, object_id, chat_id, day);
ALTER TABLE accounts.bot_posts ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.chat_links (
  workspace_id uuid NOT NULL,
  key          text NOT NULL,
  link         text NOT NULL,
  chat_id      uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chat_links_pkey PRIMARY KEY (workspace_id, key),
  CONSTRAINT chat_links_key_check CHECK (key <> ''::text),
  CONSTRAINT chat_links_link_check CHECK (link <> ''::text),
  CONSTRAINT chat_links_workspace_id_chat_id_fkey FOREIGN KEY (workspace_id, chat_id) REFERENCES accounts.chats(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT chat_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX chat_links_by_chat ON accounts.chat_links USING btree (workspace_id, chat_id);
ALTER TABLE accounts.chat_links ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.chat_lists (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  owner        text NOT NULL,
  name         text NOT NULL,
  purpose      text NOT NULL DEFAULT 'subscription'::text,
  is_public    boolean NOT NULL DEFAULT false,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT chat_lists_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT chat_lists_workspace_id_owner_name_key UNIQUE (workspace_id, owner, name),
  CONSTRAINT chat_lists_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  CONSTRAINT chat_lists_owner_check CHECK (owner <> ''::text),
  CONSTRAINT chat_lists_purpose_check CHECK (purpose = ANY (ARRAY['subscription'::text, 'autopublish'::text])),
  CONSTRAINT chat_lists_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE accounts.chat_lists ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.chat_list_links (
  workspace_id uuid NOT NULL,
  list_id      uuid NOT NULL,
  place        integer NOT NULL,
  key          text NOT NULL,
  CONSTRAINT chat_list_links_pkey PRIMARY KEY (workspace_id, list_id, place),
  CONSTRAINT chat_list_links_workspace_id_list_id_key_key UNIQUE (workspace_id, list_id, key),
  CONSTRAINT chat_list_links_place_check CHECK (place >= 1),
  CONSTRAINT chat_list_links_workspace_id_key_fkey FOREIGN KEY (workspace_id, key) REFERENCES accounts.chat_links(workspace_id, key) ON DELETE CASCADE,
  CONSTRAINT chat_list_links_workspace_id_list_id_fkey FOREIGN KEY (workspace_id, list_id) REFERENCES accounts.chat_lists(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX chat_list_links_by_key ON accounts.chat_list_links USING btree (workspace_id, key);
ALTER TABLE accounts.chat_list_links ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.history (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  queue_id     uuid,
  object_id    uuid NOT NULL,
  chat_id      uuid NOT NULL,
  account_id   uuid,
  published_at timestamptz NOT NULL,
  message_id   text NOT NULL,
  url          text,
  deleted      boolean NOT NULL DEFAULT false,
  deleted_at   timestamptz,
  CONSTRAINT history_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT history_workspace_id_queue_id_key UNIQUE (workspace_id, queue_id),
  CONSTRAINT deleted_has_time CHECK (deleted = (deleted_at IS NOT NULL)),
  CONSTRAINT history_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT history_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX history_by_time ON accounts.history USING btree (workspace_id, published_at DESC, id);
CREATE INDEX history_duplicates ON accounts.history USING btree (workspace_id, object_id, chat_id, account_id, published_at DESC) WHERE NOT deleted;
CREATE INDEX history_of_account ON accounts.history USING btree (workspace_id, account_id, published_at DESC);
CREATE INDEX history_of_object ON accounts.history USING btree (workspace_id, object_id, published_at DESC, id DESC);
ALTER TABLE accounts.history ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.join_tasks (
  workspace_id  uuid NOT NULL,
  id            uuid NOT NULL DEFAULT molva.uuidv7(),
  account_id    uuid NOT NULL,
  list_id       uuid,
  list_name     text NOT NULL,
  owner         text NOT NULL,
  mode          text NOT NULL DEFAULT 'safe'::text,
  status        text NOT NULL DEFAULT 'running'::text,
  next_run_at   timestamptz,
  floods        integer NOT NULL DEFAULT 0,
  flood_until   timestamptz,
  tries         integer NOT NULL DEFAULT 0,
  reason        text,
  last_error    text,
  claim_token   uuid,
  claimed_until timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  completed_at  timestamptz,
  CONSTRAINT join_tasks_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT claim_has_end CHECK ((claim_token IS NULL) = (claimed_until IS NULL)),
  CONSTRAINT completed_has_time CHECK ((status = 'completed'::text) = (completed_at IS NOT NULL)),
  CONSTRAINT failed_has_reason CHECK (status <> 'failed'::text OR reason IS NOT NULL),
  CONSTRAINT flood_has_end CHECK (status <> 'flood_wait'::text OR flood_until IS NOT NULL),
  CONSTRAINT join_tasks_floods_check CHECK (floods >= 0),
  CONSTRAINT join_tasks_mode_check CHECK (mode = ANY (ARRAY['safe'::text, 'aggressive'::text])),
  CONSTRAINT join_tasks_owner_check CHECK (owner <> ''::text),
  CONSTRAINT join_tasks_status_check CHECK (status = ANY (ARRAY['running'::text, 'paused'::text, 'flood_wait'::text, 'completed'::text, 'failed'::text])),
  CONSTRAINT join_tasks_tries_check CHECK (tries >= 0),
  CONSTRAINT running_has_next_run CHECK (status <> 'running'::text OR next_run_at IS NOT NULL),
  CONSTRAINT join_tasks_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT join_tasks_workspace_id_list_id_fkey FOREIGN KEY (workspace_id, list_id) REFERENCES accounts.chat_lists(workspace_id, id) ON DELETE SET NULL (list_id)
) WITH (fillfactor=70);
CREATE INDEX join_tasks_due ON accounts.join_tasks USING btree (next_run_at) WHERE status = 'running'::text;
CREATE UNIQUE INDEX join_tasks_one_open ON accounts.join_tasks USING btree (workspace_id, account_id) WHERE status = ANY (ARRAY['running'::text, 'paused'::text, 'flood_wait'::text]);
ALTER TABLE accounts.join_tasks ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.join_steps (
  workspace_id uuid NOT NULL,
  task_id      uuid NOT NULL,
  place        integer NOT NULL,
  link         text NOT NULL,
  chat_id      uuid,
  state        text NOT NULL DEFAULT 'waiting'::text,
  last_error   text,
  done_at      timestamptz,
  CONSTRAINT join_steps_pkey PRIMARY KEY (workspace_id, task_id, place),
  CONSTRAINT done_has_time CHECK ((state = 'waiting'::text) = (done_at IS NULL)),
  CONSTRAINT join_steps_place_check CHECK (place >= 1),
  CONSTRAINT join_steps_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'joined'::text, 'member'::text, 'broken'::text, 'failed'::text])),
  CONSTRAINT join_steps_workspace_id_chat_id_fkey FOREIGN KEY (workspace_id, chat_id) REFERENCES accounts.chats(workspace_id, id) ON DELETE SET NULL (chat_id),
  CONSTRAINT join_steps_workspace_id_task_id_fkey FOREIGN KEY (workspace_id, task_id) REFERENCES accounts.join_tasks(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=80);
ALTER TABLE accounts.join_steps ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION accounts.join_transition_allowed(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_from WHEN 'running'::text THEN (p_to = ANY (ARRAY['paused'::text, 'flood_wait'::text, 'completed'::text, 'failed'::text])) WHEN 'paused'::text THEN (p_to = ANY (ARRAY['running'::text, 'flood_wait'::text, 'completed'::text, 'failed'::text])) WHEN 'flood_wait'::text THEN (p_to = ANY (ARRAY['running'::text, 'failed'::text])) WHEN 'failed'::text THEN (p_to = 'running'::text) ELSE false END;

CREATE OR REPLACE FUNCTION accounts.refuse_join_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a join task cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('task %s', old.id);
end
$function$;

CREATE TRIGGER refuse_join_transition BEFORE UPDATE OF status ON accounts.join_tasks FOR EACH ROW WHEN (old.status <> new.status AND NOT accounts.join_transition_allowed(old.status, new.status)) EXECUTE FUNCTION accounts.refuse_join_transition();

CREATE TABLE accounts.login_attempts (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  account_id   uuid NOT NULL,
  owner        text NOT NULL,
  method       text NOT NULL,
  phone        text,
  step         text NOT NULL,
  code_hash    text,
  sent_to      text,
  hint         text,
  device       jsonb NOT NULL,
  tries        integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  CONSTRAINT login_attempts_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT code_has_hash CHECK (step <> 'code'::text OR code_hash IS NOT NULL),
  CONSTRAINT login_attempts_device_check CHECK (jsonb_typeof(device) = 'object'::text),
  CONSTRAINT login_attempts_method_check CHECK (method = ANY (ARRAY['phone'::text, 'qr'::text])),
  CONSTRAINT login_attempts_owner_check CHECK (owner <> ''::text),
  CONSTRAINT login_attempts_step_check CHECK (step = ANY (ARRAY['code'::text, 'password'::text, 'qr'::text, 'done'::text, 'cancelled'::text])),
  CONSTRAINT phone_sign_in_has_phone CHECK (method <> 'phone'::text OR phone IS NOT NULL),
  CONSTRAINT login_attempts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX login_attempts_by_expiry ON accounts.login_attempts USING btree (expires_at);
CREATE UNIQUE INDEX login_attempts_one_open ON accounts.login_attempts USING btree (workspace_id, account_id) WHERE step = ANY (ARRAY['code'::text, 'password'::text, 'qr'::text]);
ALTER TABLE accounts.login_attempts ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.login_code_requests (
  subject_sha256 text NOT NULL,
  requests       integer NOT NULL,
  window_ends_at timestamptz NOT NULL,
  CONSTRAINT login_code_requests_pkey PRIMARY KEY (subject_sha256)
);
CREATE INDEX login_code_requests_expiry ON accounts.login_code_requests USING btree (window_ends_at);
ALTER TABLE accounts.login_code_requests ENABLE ROW LEVEL SECURITY;
COMMENT ON COLUMN accounts.login_code_requests.subject_sha256 IS 'hashed, so that a phone does not stand in clear in one more place';

CREATE TABLE accounts.pace (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  memory       jsonb,
  settings     jsonb NOT NULL DEFAULT '{}'::jsonb,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pace_pkey PRIMARY KEY (workspace_id, account_id),
  CONSTRAINT pace_memory_check CHECK (jsonb_typeof(memory) = 'object'::text),
  CONSTRAINT pace_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT pace_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=50);
ALTER TABLE accounts.pace ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.pace_chats (
  workspace_id      uuid NOT NULL,
  account_id        uuid NOT NULL,
  chat_id           uuid NOT NULL,
  slow_mode_seconds integer NOT NULL,
  slow_mode_until   timestamptz NOT NULL,
  learned_at        timestamptz NOT NULL,
  CONSTRAINT pace_chats_pkey PRIMARY KEY (workspace_id, account_id, chat_id),
  CONSTRAINT pace_chats_slow_mode_seconds_check CHECK (slow_mode_seconds > 0),
  CONSTRAINT pace_chats_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE accounts.pace_chats ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.pace_sends (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  at           timestamptz NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  chat_id      uuid NOT NULL,
  fingerprint  bigint,
  CONSTRAINT pace_sends_pkey PRIMARY KEY (workspace_id, account_id, at, id),
  CONSTRAINT pace_sends_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX pace_sends_of_text ON accounts.pace_sends USING btree (workspace_id, fingerprint, at) WHERE fingerprint IS NOT NULL;
ALTER TABLE accounts.pace_sends ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.pace_texts (
  workspace_id uuid NOT NULL,
  fingerprint  bigint NOT NULL,
  last_sent_at timestamptz NOT NULL,
  CONSTRAINT pace_texts_pkey PRIMARY KEY (workspace_id, fingerprint),
  CONSTRAINT pace_texts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX pace_texts_by_time ON accounts.pace_texts USING btree (workspace_id, last_sent_at);
ALTER TABLE accounts.pace_texts ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.planned_days (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  day          date NOT NULL,
  planned_at   timestamptz NOT NULL,
  created      integer NOT NULL DEFAULT 0,
  dropped      integer NOT NULL DEFAULT 0,
  CONSTRAINT planned_days_pkey PRIMARY KEY (workspace_id, account_id, day),
  CONSTRAINT planned_days_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE accounts.planned_days ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.proxies (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  address      text NOT NULL,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT proxies_pkey PRIMARY KEY (workspace_id, account_id),
  CONSTRAINT proxies_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE accounts.proxies ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.queue (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL DEFAULT molva.uuidv7(),
  object_id       uuid NOT NULL,
  chat_id         uuid NOT NULL,
  account_id      uuid NOT NULL,
  owner           text NOT NULL,
  origin          text NOT NULL,
  format          text,
  allow_duplicate boolean NOT NULL DEFAULT false,
  status          text NOT NULL DEFAULT 'pending'::text,
  scheduled_time  timestamptz NOT NULL,
  started_at      timestamptz,
  completed_at    timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  reason          text,
  last_error      text,
  message_id      text,
  claim_token     uuid,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT queue_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT completed_has_time CHECK (status <> 'completed'::text OR completed_at IS NOT NULL),
  CONSTRAINT failed_has_reason CHECK ((status <> ALL (ARRAY['failed'::text, 'flood_wait'::text])) OR reason IS NOT NULL),
  CONSTRAINT processing_has_start CHECK (status <> 'processing'::text OR started_at IS NOT NULL),
  CONSTRAINT queue_attempts_check CHECK (attempts >= 0),
  CONSTRAINT queue_format_check CHECK (format = ANY (ARRAY['default'::text, 'compact'::text])),
  CONSTRAINT queue_origin_check CHECK (origin = ANY (ARRAY['daily'::text, 'config'::text, 'manual'::text])),
  CONSTRAINT queue_owner_check CHECK (owner <> ''::text),
  CONSTRAINT queue_status_check CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'flood_wait'::text])),
  CONSTRAINT token_only_while_taken CHECK ((claim_token IS NOT NULL) = (status = 'processing'::text)),
  CONSTRAINT queue_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX queue_by_status ON accounts.queue USING btree (workspace_id, status, scheduled_time DESC, id);
CREATE INDEX queue_by_time ON accounts.queue USING btree (workspace_id, scheduled_time DESC, id DESC);
CREATE INDEX queue_due ON accounts.queue USING btree (workspace_id, account_id, scheduled_time, id) WHERE status = 'pending'::text;
CREATE INDEX queue_of_account ON accounts.queue USING btree (workspace_id, account_id, scheduled_time DESC, id);
CREATE INDEX queue_of_object ON accounts.queue USING btree (workspace_id, object_id, scheduled_time DESC, id);
CREATE UNIQUE INDEX queue_one_in_flight ON accounts.queue USING btree (workspace_id, account_id) WHERE status = 'processing'::text;
CREATE UNIQUE INDEX queue_one_open ON accounts.queue USING btree (workspace_id, object_id, chat_id, account_id) WHERE status = ANY (ARRAY['pending'::text, 'processing'::text, 'flood_wait'::text]);
CREATE INDEX queue_stuck ON accounts.queue USING btree (started_at) WHERE status = 'processing'::text;
ALTER TABLE accounts.queue ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION accounts.refuse_birth()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a task cannot begin as %', new.status using errcode = 'check_violation';
end
$function$;

CREATE TRIGGER refuse_birth BEFORE INSERT ON accounts.queue FOR EACH ROW WHEN (new.status <> 'pending'::text OR new.attempts <> 0) EXECUTE FUNCTION accounts.refuse_birth();

CREATE OR REPLACE FUNCTION accounts.refuse_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a task cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('task %s', old.id);
end
$function$;

CREATE OR REPLACE FUNCTION accounts.transition_allowed(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_from WHEN 'pending'::text THEN (p_to = ANY (ARRAY['processing'::text, 'failed'::text])) WHEN 'processing'::text THEN (p_to = ANY (ARRAY['completed'::text, 'pending'::text, 'failed'::text, 'flood_wait'::text])) WHEN 'flood_wait'::text THEN (p_to = ANY (ARRAY['pending'::text, 'failed'::text])) ELSE false END;

CREATE TRIGGER refuse_transition BEFORE UPDATE OF status ON accounts.queue FOR EACH ROW WHEN (old.status <> new.status AND NOT accounts.transition_allowed(old.status, new.status)) EXECUTE FUNCTION accounts.refuse_transition();

CREATE TABLE accounts.sends (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  at           timestamptz NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  task_id      uuid,
  CONSTRAINT sends_pkey PRIMARY KEY (workspace_id, account_id, at, id),
  CONSTRAINT sends_workspace_id_account_id_fkey FOREIGN KEY (workspace_id, account_id) REFERENCES accounts.accounts(workspace_id, id) ON DELETE CASCADE
);
ALTER TABLE accounts.sends ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.session_leases (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  holder       text NOT NULL,
  held_until   timestamptz NOT NULL,
  wanted_at    timestamptz,
  CONSTRAINT session_leases_pkey PRIMARY KEY (workspace_id, account_id),
  CONSTRAINT session_leases_holder_check CHECK (holder <> ''::text),
  CONSTRAINT session_leases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=50);
CREATE INDEX session_leases_of_holder ON accounts.session_leases USING btree (holder);
ALTER TABLE accounts.session_leases ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.session_values (
  workspace_id uuid NOT NULL,
  account_id   uuid NOT NULL,
  kind         text NOT NULL,
  key          text NOT NULL,
  value        text NOT NULL,
  names        text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT session_values_pkey PRIMARY KEY (workspace_id, account_id, kind, key),
  CONSTRAINT session_values_kind_check CHECK (kind = ANY (ARRAY['auth_key'::text, 'kv'::text, 'peer'::text, 'reference'::text])),
  CONSTRAINT session_values_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX session_values_by_name ON accounts.session_values USING gin (names);
ALTER TABLE accounts.session_values ENABLE ROW LEVEL SECURITY;

CREATE TABLE accounts.settings (
  workspace_id uuid NOT NULL,
  key          text NOT NULL,
  value        jsonb NOT NULL,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT settings_pkey PRIMARY KEY (workspace_id, key),
  CONSTRAINT settings_key_check CHECK (key ~ '^[a-z][a-z0-9_]{0,63}$'::text),
  CONSTRAINT settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE accounts.settings ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION accounts.accounts_to_plan(p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, account_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and not exists (
      select from accounts.planned_days d
      where d.workspace_id = a.workspace_id and d.account_id = a.id and d.day = (p_now at time zone a.timezone)::date)
  order by 1, 2
$function$;

CREATE OR REPLACE FUNCTION accounts.begin_joining(p_workspace_id uuid, p_account_id uuid, p_list_id uuid, p_owner text, p_mode text, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_task uuid := molva.uuidv7(p_now);
begin
  insert into accounts.join_tasks (
    workspace_id, id, account_id, list_id, list_name, owner, mode, next_run_at, created_at, updated_at)
  select p_workspace_id, v_task, p_account_id, l.id, l.name, p_owner, p_mode, p_now, p_now, p_now
  from accounts.chat_lists l where l.workspace_id = p_workspace_id and l.id = p_list_id;
  insert into accounts.join_steps (workspace_id, task_id, place, link, chat_id)
  select p_workspace_id, v_task, row_number() over (order by i.place), k.link, k.chat_id
  from accounts.chat_list_links i
  join accounts.chat_links k on k.workspace_id = i.workspace_id and k.key = i.key
  where i.workspace_id = p_workspace_id and i.list_id = p_list_id
    and not exists (select from accounts.account_chats a
                    where a.workspace_id = p_workspace_id and a.account_id = p_account_id and a.chat_id = k.chat_id
                      and a.stopped_code is distinct from 'not_in_chat');
  if not found then
    delete from accounts.join_tasks where workspace_id = p_workspace_id and id = v_task;
    return null;
  end if;
  return v_task;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.cancel_tasks(p_workspace_id uuid, p_which jsonb, p_reason text, p_words text, p_by text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_task  accounts.queue;
  v_count int := 0;
begin
  if not p_which ?| array['object_id', 'account_id', 'chat_id', 'ids'] then
    raise exception 'cancel_tasks has to be told which tasks' using errcode = 'invalid_parameter_value';
  end if;
  for v_task in
    update accounts.queue
    set status = 'failed', reason = p_reason, last_error = p_words, completed_at = p_now, updated_at = p_now
    where workspace_id = p_workspace_id and status = 'pending'
      and (p_which ->> 'object_id' is null or object_id = (p_which ->> 'object_id')::uuid)
      and (p_which ->> 'account_id' is null or account_id = (p_which ->> 'account_id')::uuid)
      and (p_which ->> 'chat_id' is null or chat_id = (p_which ->> 'chat_id')::uuid)
      and (not p_which ? 'ids' or id in (select value::uuid from jsonb_array_elements_text(p_which -> 'ids')))
      and (origin <> 'manual' or coalesce((p_which ->> 'manual')::boolean, true))
    returning *
  loop
    v_count := v_count + 1;
    perform accounts.note(p_workspace_id, 'account_cancelled', v_task.account_id, v_task, null,
      jsonb_strip_nulls(jsonb_build_object('reason', p_reason, 'operator', p_by)), p_now);
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.close_chat(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  if not accounts.fail_task(p_workspace_id, p_id, p_claim_token, p_code, p_words, p_error, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats
    (workspace_id, account_id, chat_id, can_write, stopped_code, last_error, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, false, p_code, p_words, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    set can_write = false, stopped_code = p_code, last_error = p_words, updated_at = p_now;
  perform accounts.note(p_workspace_id, 'account_chat_closed', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code), p_now);
  perform accounts.cancel_tasks(p_workspace_id, jsonb_build_object('account_id', v_task.account_id, 'chat_id', v_task.chat_id),
    p_code, p_words, null, p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.complete_task(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_message_id text, p_url text, p_meta jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'completed', completed_at = p_now, message_id = p_message_id, claim_token = null, reason = null,
    last_error = null, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  insert into accounts.history (workspace_id, queue_id, object_id, chat_id, account_id, published_at, message_id, url)
  values (p_workspace_id, p_id, v_task.object_id, v_task.chat_id, v_task.account_id, p_now, p_message_id, p_url);
  update accounts.chats
  set published_count = published_count + 1, last_published_at = p_now
  where workspace_id = p_workspace_id and id = v_task.chat_id;
  update accounts.accounts
  set last_used_at = p_now, last_error = null
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id, 'account_sent', v_task.account_id, v_task, null,
    jsonb_build_object('provider_message_id', p_message_id, 'url', p_url) || p_meta, p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.day_planned(p_workspace_id uuid, p_account_id uuid, p_created integer, p_dropped integer, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into accounts.planned_days (workspace_id, account_id, day, planned_at, created, dropped)
  select p_workspace_id, p_account_id, (p_now at time zone a.timezone)::date, p_now, p_created, p_dropped
  from accounts.accounts a where a.workspace_id = p_workspace_id and a.id = p_account_id
  on conflict do nothing
$function$;

CREATE OR REPLACE FUNCTION accounts.day_start(p_timezone text, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select date_trunc('day', p_now at time zone p_timezone) at time zone p_timezone
$function$;

CREATE OR REPLACE FUNCTION accounts.delete_account(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(tasks integer, history integer, chats integer, objects integer)
 LANGUAGE plpgsql
AS $function$
declare
  v_chats uuid[] := array(
    select chat_id from accounts.account_chats where workspace_id = p_workspace_id and account_id = p_account_id
    union
    select id from accounts.chats where workspace_id = p_workspace_id and owner_account_id = p_account_id);
begin
  tasks := (select count(*) from accounts.queue q where q.workspace_id = p_workspace_id and q.account_id = p_account_id);
  history := (select count(*) from accounts.history h where h.workspace_id = p_workspace_id and h.account_id = p_account_id);
  chats := cardinality(v_chats);
  update accounts.autopublish a
  set accounts_config = coalesce((
        select jsonb_agg(entry order by place)
        from jsonb_array_elements(a.accounts_config) with ordinality as entries (entry, place)
        where entry ->> 'account_id' <> p_account_id::text), '[]'),
      updated_at = p_now
  where a.workspace_id = p_workspace_id
    and a.accounts_config @> jsonb_build_array(jsonb_build_object('account_id', p_account_id));
  get diagnostics objects = row_count;
  -- A sign-in writes these before there is an account, so nothing takes them away with it.
  delete from accounts.session_values where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.session_leases where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.proxies where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.login_attempts where workspace_id = p_workspace_id and account_id = p_account_id;
  delete from accounts.accounts where workspace_id = p_workspace_id and id = p_account_id;
  delete from accounts.chats c
  where c.workspace_id = p_workspace_id and c.id = any (v_chats) and c.owner_type = 'user' and c.owner_account_id is null
    and not exists (select from accounts.account_chats l where l.workspace_id = p_workspace_id and l.chat_id = c.id)
    and not exists (select from accounts.chat_links k where k.workspace_id = p_workspace_id and k.chat_id = c.id);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.due_accounts(p_limit integer DEFAULT 100, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, account_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  cross join lateral (
    -- Uses queue_due.
    select q.scheduled_time from accounts.queue q
    left join accounts.account_chats l
      on l.workspace_id = q.workspace_id and l.account_id = q.account_id and l.chat_id = q.chat_id
    where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending' and q.scheduled_time <= p_now
      and (l.slow_mode_until is null or l.slow_mode_until <= p_now)
    order by q.scheduled_time limit 1
  ) d
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and not exists (
      select from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'processing')
    and accounts.published_today(a.workspace_id, a.id, a.timezone, p_now) < a.daily_limit
  order by d.scheduled_time
  limit p_limit
$function$;

CREATE OR REPLACE FUNCTION accounts.error_of(p_code text, p_message text, p_scope text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_build_object('code', p_code, 'message', p_message, 'category', 'PERMANENT', 'scope', p_scope)
$function$;

CREATE OR REPLACE FUNCTION accounts.fail_task(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb DEFAULT NULL::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'failed', claim_token = null, completed_at = p_now, reason = p_reason, last_error = p_words,
    attempts = attempts + case when p_error is null then 0 else 1 end, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_failed', v_task.account_id, v_task,
    coalesce(p_error, accounts.error_of(p_reason, p_words, 'delivery')), '{}', p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.flood_account(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds integer, p_words text, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'flood_wait', claim_token = null, reason = 'flood_wait', last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = 'flood_wait', stopped_at = p_now, last_error = p_words, flood_seconds = p_seconds,
    flood_until = greatest(flood_until, p_now + make_interval(secs => p_seconds)), updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_flood_wait', v_task.account_id, v_task, p_error,
    jsonb_build_object('seconds', p_seconds, 'account', v_title), p_now);
  return v_is_ours;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.forget_logins(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update accounts.login_attempts set step = 'cancelled', code_hash = null, updated_at = p_now
  where step in ('code', 'password', 'qr') and expires_at <= p_now;
  delete from accounts.session_values v
  using accounts.login_attempts l
  where l.workspace_id = v.workspace_id and l.account_id = v.account_id
    and l.step = 'cancelled' and l.updated_at < p_now - interval '1 day'
    and not exists (select from accounts.accounts a where a.workspace_id = v.workspace_id and a.id = v.account_id)
    and not exists (select from accounts.login_attempts o
                    where o.workspace_id = v.workspace_id and o.account_id = v.account_id
                      and o.step in ('code', 'password', 'qr'));
  delete from accounts.proxies p
  using accounts.login_attempts l
  where l.workspace_id = p.workspace_id and l.account_id = p.account_id
    and l.step = 'cancelled' and l.updated_at < p_now - interval '1 day'
    and not exists (select from accounts.accounts a where a.workspace_id = p.workspace_id and a.id = p.account_id)
    and not exists (select from accounts.login_attempts o
                    where o.workspace_id = p.workspace_id and o.account_id = p.account_id
                      and o.step in ('code', 'password', 'qr'));
  delete from accounts.login_code_requests where window_ends_at <= p_now;
  delete from accounts.login_attempts
  where step in ('done', 'cancelled') and updated_at < p_now - interval '1 day';
end
$function$;

CREATE OR REPLACE FUNCTION accounts.forget_old(p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from accounts.queue
  where status in ('completed', 'failed') and scheduled_time < p_now - interval '90 days'
    and updated_at < p_now - interval '90 days';
  delete from accounts.planned_days where day < (p_now - interval '90 days')::date;
  delete from accounts.sends where at < p_now - interval '1 hour';
  delete from accounts.history where published_at < p_now - interval '13 months';
end
$function$;

CREATE OR REPLACE FUNCTION accounts.forget_placeholders(p_workspace_id uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from accounts.chats c
  using accounts.chat_links k
  where k.workspace_id = p_workspace_id and c.workspace_id = p_workspace_id and c.id = k.chat_id and c.telegram_chat_id is null
    and not exists (select from accounts.chat_list_links l where l.workspace_id = p_workspace_id and l.key = k.key)
    and not exists (select from accounts.join_steps s
                    where s.workspace_id = p_workspace_id and s.chat_id = c.id and s.state = 'waiting')
$function$;

CREATE OR REPLACE FUNCTION accounts.free_session(p_workspace_id uuid, p_account_id uuid, p_holder text)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from accounts.session_leases
  where workspace_id = p_workspace_id and account_id = p_account_id and holder = p_holder
$function$;

CREATE OR REPLACE FUNCTION accounts.keep_chat(p_workspace_id uuid, p_account_id uuid, p_chat jsonb, p_placeholder uuid DEFAULT NULL::uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid
 LANGUAGE plpgsql
AS $function$
declare
  v_telegram_id bigint := (p_chat ->> 'chat_id')::bigint;
  v_chat_id     uuid;
begin
  -- Two accounts may bring the same chat at once.
  perform pg_advisory_xact_lock(hashtextextended('accounts.chat ' || p_workspace_id || v_telegram_id, 0));
  select id into v_chat_id from accounts.chats
  where workspace_id = p_workspace_id and telegram_chat_id = v_telegram_id;
  if v_chat_id is null then
    update accounts.chats set telegram_chat_id = v_telegram_id, type = p_chat ->> 'type'
    where workspace_id = p_workspace_id and id = p_placeholder and telegram_chat_id is null
    returning id into v_chat_id;
  end if;
  if v_chat_id is null then
    insert into accounts.chats (workspace_id, telegram_chat_id, title, type, created_at, updated_at)
    values (p_workspace_id, v_telegram_id, p_chat ->> 'title', p_chat ->> 'type', p_now, p_now)
    returning id into v_chat_id;
  end if;
  update accounts.chats
  set title = p_chat ->> 'title', type = p_chat ->> 'type', username = p_chat ->> 'username',
      members = coalesce((p_chat ->> 'members')::int, members), cached_at = p_now, updated_at = p_now
  where workspace_id = p_workspace_id and id = v_chat_id;
  if p_placeholder <> v_chat_id then
    update accounts.chat_links set chat_id = v_chat_id where workspace_id = p_workspace_id and chat_id = p_placeholder;
    delete from accounts.chats where workspace_id = p_workspace_id and id = p_placeholder and telegram_chat_id is null;
  end if;

  insert into accounts.account_chats as l (workspace_id, account_id, chat_id, slow_mode_seconds, created_at, updated_at)
  values (p_workspace_id, p_account_id, v_chat_id, (p_chat ->> 'slow_mode_seconds')::int, p_now, p_now)
  on conflict (workspace_id, account_id, chat_id) do update
    set can_write = true, stopped_code = null, last_error = null, slow_mode_seconds = excluded.slow_mode_seconds,
        updated_at = p_now;
  return v_chat_id;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.keep_chats(p_workspace_id uuid, p_account_id uuid, p_chats jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(chats_found integer, chats_added integer, chats_lost integer)
 LANGUAGE plpgsql
AS $function$
declare
  v_before uuid[] := array(select chat_id from accounts.account_chats
                           where workspace_id = p_workspace_id and account_id = p_account_id);
  v_now    uuid[];
begin
  -- In the order of their ids, so that two accounts that share chats never wait for each other in a ring.
  select coalesce(array_agg(accounts.keep_chat(p_workspace_id, p_account_id, chat, null, p_now)), '{}') into v_now
  from (select chat from jsonb_array_elements(p_chats) as chat order by (chat ->> 'chat_id')::bigint) as chats;
  update accounts.account_chats
  set can_write = false, stopped_code = 'not_in_chat', last_error = 'Telegram no longer lists the chat among those it may write to',
      updated_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id and not chat_id = any (v_now) and can_write;
  get diagnostics chats_lost = row_count;
  chats_found := cardinality(v_now);
  chats_added := (select count(*) from unnest(v_now) as id where not id = any (v_before));
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.late_accounts(p_late_seconds integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, account_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select a.workspace_id, a.id
  from accounts.accounts a
  join workspaces.workspaces w on w.workspace_id = a.workspace_id and w.status = 'active'
  where a.is_active and accounts.window_open(a.timezone, a.window_from, a.window_to, p_now)
    and exists (
      select from accounts.queue q
      where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending'
        and q.scheduled_time < p_now - make_interval(secs => p_late_seconds))
  order by 1, 2
$function$;

CREATE OR REPLACE FUNCTION accounts.limiter_status(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(can_send boolean, wait_seconds integer, messages_in_hour integer, messages_remaining integer, next_available timestamp with time zone, enabled boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select not v.enabled or v.free_at <= p_now,
    case when v.enabled and v.free_at > p_now then ceil(extract(epoch from v.free_at - p_now))::int else 0 end,
    v.sent, greatest(v.per_hour - v.sent, 0),
    case when v.enabled then greatest(v.free_at, p_now) else p_now end,
    v.enabled
  from (
    select l.enabled, l.per_hour, s.sent,
      greatest(
        coalesce(s.last + make_interval(secs => l.seconds), p_now),
        -- The hour is full until the oldest of its last `per_hour` sends is an hour old.
        case when s.sent >= l.per_hour then s.times[l.per_hour] + interval '1 hour' else p_now end) as free_at
    from (
      select (s ->> 'enabled')::boolean as enabled, (s ->> 'seconds')::float8 as seconds,
        greatest((s ->> 'per_hour')::int, 1) as per_hour
      from accounts.setting(p_workspace_id, 'account_rate_limit',
        '{"enabled": true, "seconds": 60, "per_hour": 60}') as s
    ) l
    cross join lateral (
      select count(*)::int as sent, max(at) as last, array_agg(at order by at desc) as times
      from accounts.sends
      where workspace_id = p_workspace_id and account_id = p_account_id and at > p_now - interval '1 hour'
    ) s
  ) v
$function$;

CREATE OR REPLACE FUNCTION accounts.lock_for_plan(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(account jsonb, published_today integer, last_published_at timestamp with time zone, open jsonb, planned_today boolean)
 LANGUAGE plpgsql
AS $function$
declare
  v_account accounts.accounts;
  v_day     timestamptz;
begin
  select * into v_account from accounts.accounts
  where workspace_id = p_workspace_id and id = p_account_id
  for no key update;
  if not found then
    return;
  end if;
  -- A statement of its own: it sees what was committed while we waited for the lock.
  return query
  select to_jsonb(v_account), accounts.published_today(p_workspace_id, p_account_id, v_account.timezone, p_now),
    (select max(h.published_at) from accounts.history h
     where h.workspace_id = p_workspace_id and h.account_id = p_account_id),
    coalesce((
      select jsonb_agg(jsonb_build_object('id', q.id, 'at', q.scheduled_time, 'taken', q.status = 'processing',
          'last_published_at', (
            select max(h.published_at) from accounts.history h
            where h.workspace_id = p_workspace_id and h.object_id = q.object_id and h.chat_id = q.chat_id
              and h.account_id = p_account_id and not h.deleted),
          'object_id', q.object_id, 'chat_id', q.chat_id, 'format', q.format, 'origin', q.origin, 'allow_duplicate', q.allow_duplicate)
        order by q.scheduled_time, q.id)
      from accounts.queue q
      where q.workspace_id = p_workspace_id and q.account_id = p_account_id and q.status in ('pending', 'processing')), '[]'),
    exists (
      select from accounts.planned_days d
      where d.workspace_id = p_workspace_id and d.account_id = p_account_id
        and d.day = (p_now at time zone v_account.timezone)::date);
end
$function$;

CREATE OR REPLACE FUNCTION accounts.media_refs(p_workspace_id uuid, p_blob_ref text)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select count(*)
  from accounts.objects o
  where o.workspace_id = p_workspace_id
    and o.photos @> jsonb_build_array(jsonb_build_object('blob_ref', p_blob_ref))
$function$;

CREATE OR REPLACE FUNCTION accounts.next_due(p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  select min(d.scheduled_time)
  from accounts.accounts a
  cross join lateral (
    select q.scheduled_time from accounts.queue q
    where q.workspace_id = a.workspace_id and q.account_id = a.id and q.status = 'pending' and q.scheduled_time > p_now
    order by q.scheduled_time limit 1
  ) d
  where a.is_active
$function$;

CREATE OR REPLACE FUNCTION accounts.note(p_workspace_id uuid, p_action text, p_account_id uuid, p_task accounts.queue, p_error jsonb, p_meta jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, ts, action, attempt, result, error, meta)
  values (p_workspace_id, molva.uuidv7(p_now), p_now, p_action, 0, case when p_error is null then 'ok' else 'error' end,
    workspaces.redact(p_error - 'raw'),
    jsonb_strip_nulls(jsonb_build_object(
      'account_id', p_account_id, 'task_id', p_task.id, 'object_id', p_task.object_id, 'chat_id', p_task.chat_id,
      'attempts', p_task.attempts) || workspaces.redact(p_meta)))
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_account(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(connected_at timestamp with time zone, day_start timestamp with time zone, window_minutes integer, mode text, fix_interval_minutes integer, daily_limit integer, timezone text, memory jsonb, account_settings jsonb, workspace_settings jsonb, sends timestamp with time zone[])
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(a.connected_at, a.created_at),
    date_trunc('day', p_now at time zone a.timezone) at time zone a.timezone,
    (extract(epoch from a.window_to - a.window_from) / 60)::int, a.mode, a.fix_interval_minutes, a.daily_limit,
    a.timezone, p.memory, coalesce(p.settings, '{}'), accounts.setting(p_workspace_id, 'account_pace', '{}'),
    -- A day of the zone may have 25 hours.
    array(
      select s.at from accounts.pace_sends s
      where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.at > p_now - interval '25 hours'
      order by s.at)
  from accounts.accounts a
  left join accounts.pace p on p.workspace_id = a.workspace_id and p.account_id = a.id
  where a.workspace_id = p_workspace_id and a.id = p_account_id
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_adjust(p_workspace_id uuid, p_account_id uuid, p_changes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  insert into accounts.pace (workspace_id, account_id, settings, updated_at)
  values (p_workspace_id, p_account_id, jsonb_strip_nulls(p_changes), p_now)
  on conflict (workspace_id, account_id) do update
    set settings = jsonb_strip_nulls(accounts.pace.settings || p_changes), updated_at = p_now
  returning settings
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_chat(p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(slow_mode_seconds integer, slow_mode_until timestamp with time zone, last_sent_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select greatest(0, l.slow_mode_seconds, case when c.learned_at > p_now - interval '7 days' then c.slow_mode_seconds end),
    greatest(l.slow_mode_until, c.slow_mode_until),
    (select max(s.at) from accounts.pace_sends s
     where s.workspace_id = p_workspace_id and s.account_id = p_account_id and s.chat_id = p_chat_id
       and s.at > p_now - interval '25 hours')
  from (values (1)) as one (row)
  left join accounts.account_chats l
    on l.workspace_id = p_workspace_id and l.account_id = p_account_id and l.chat_id = p_chat_id
  left join accounts.pace_chats c
    on c.workspace_id = p_workspace_id and c.account_id = p_account_id and c.chat_id = p_chat_id
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_copies(p_workspace_id uuid, p_account_id uuid, p_fingerprint bigint, p_near_bits integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(own timestamp with time zone[], others timestamp with time zone[])
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(array_agg(s.at order by s.at) filter (where s.account_id = p_account_id), '{}'),
    coalesce(array_agg(s.at order by s.at) filter (where s.account_id <> p_account_id), '{}')
  from accounts.pace_texts t
  join accounts.pace_sends s on s.workspace_id = t.workspace_id and s.fingerprint = t.fingerprint
  where t.workspace_id = p_workspace_id and t.last_sent_at > p_now - interval '1 day'
    and bit_count((t.fingerprint # p_fingerprint)::bit(64)) <= p_near_bits
    and s.at > p_now - interval '1 day'
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_lock(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into accounts.pace (workspace_id, account_id, updated_at) values (p_workspace_id, p_account_id, p_now)
  on conflict do nothing;
  perform from accounts.pace where workspace_id = p_workspace_id and account_id = p_account_id for no key update;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_remember(p_workspace_id uuid, p_account_id uuid, p_memory jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update accounts.pace set memory = p_memory, updated_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_sent(p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_fingerprint bigint, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into accounts.pace_sends (workspace_id, account_id, at, chat_id, fingerprint)
  values (p_workspace_id, p_account_id, p_now, p_chat_id, p_fingerprint);
  delete from accounts.pace_sends
  where workspace_id = p_workspace_id and account_id = p_account_id and at < p_now - interval '2 days';
  if p_fingerprint is not null then
    insert into accounts.pace_texts (workspace_id, fingerprint, last_sent_at)
    values (p_workspace_id, p_fingerprint, p_now)
    on conflict (workspace_id, fingerprint) do update
      set last_sent_at = greatest(accounts.pace_texts.last_sent_at, excluded.last_sent_at);
  end if;
  -- Skipping what others are at keeps two accounts from waiting for each other.
  delete from accounts.pace_texts t
  using (
    select fingerprint from accounts.pace_texts
    where workspace_id = p_workspace_id and last_sent_at < p_now - interval '2 days'
    order by last_sent_at limit 100 for update skip locked
  ) old
  where t.workspace_id = p_workspace_id and t.fingerprint = old.fingerprint;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.pace_slow_chat(p_workspace_id uuid, p_account_id uuid, p_chat_id uuid, p_seconds_left integer, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into accounts.pace_chats
    (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, learned_at)
  select p_workspace_id, p_account_id, p_chat_id,
    greatest(1, p_seconds_left + coalesce(ceil(extract(epoch from p_now - c.last_sent_at))::int, 0)),
    p_now + make_interval(secs => p_seconds_left), p_now
  from accounts.pace_chat(p_workspace_id, p_account_id, p_chat_id, p_now) c
  on conflict (workspace_id, account_id, chat_id) do update
    set slow_mode_seconds = excluded.slow_mode_seconds, slow_mode_until = excluded.slow_mode_until,
      learned_at = excluded.learned_at
$function$;

CREATE OR REPLACE FUNCTION accounts.pass_limiter(p_workspace_id uuid, p_account_id uuid, p_task_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_status record;
begin
  -- One at a time: the account's row is the lock.
  perform from accounts.accounts where workspace_id = p_workspace_id and id = p_account_id for no key update;
  select * into v_status from accounts.limiter_status(p_workspace_id, p_account_id, p_now);
  if not v_status.can_send then
    return v_status.wait_seconds;
  end if;
  insert into accounts.sends (workspace_id, account_id, at, task_id)
  values (p_workspace_id, p_account_id, p_now, p_task_id);
  delete from accounts.sends
  where workspace_id = p_workspace_id and account_id = p_account_id and at <= p_now - interval '1 hour';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.postpone_task(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_until timestamp with time zone, p_reason text, p_words text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = 'pending', scheduled_time = p_until, started_at = null, claim_token = null, reason = p_reason,
    last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return false;
  end if;
  perform accounts.note(p_workspace_id, 'account_postponed', v_task.account_id, v_task, null,
    jsonb_build_object('reason', p_reason, 'until', p_until), p_now);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.published_today(p_workspace_id uuid, p_account_id uuid, p_timezone text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select count(*)::int from accounts.history
  where workspace_id = p_workspace_id and account_id = p_account_id and not deleted
    and published_at >= accounts.day_start(p_timezone, p_now) and published_at <= p_now
$function$;

CREATE OR REPLACE FUNCTION accounts.reactivate(p_workspace_id uuid, p_account_id uuid, p_words_expired text, p_by text, p_meta jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(resumed integer, expired integer)
 LANGUAGE plpgsql
AS $function$
declare
  v_account accounts.accounts;
  v_task    accounts.queue;
begin
  resumed := 0;
  expired := 0;
  update accounts.accounts a
  set is_active = true, stopped_code = null, stopped_at = null, last_error = null, flood_until = null, flood_seconds = null,
    updated_at = p_now
  where a.workspace_id = p_workspace_id and a.id = p_account_id
  returning * into v_account;
  if not found then
    return;
  end if;
  for v_task in
    update accounts.queue q
    set status = case when d.is_today then 'pending' else 'failed' end,
      reason = case when not d.is_today then 'flood_expired' end,
      last_error = case when not d.is_today then p_words_expired end,
      started_at = null, updated_at = p_now
    from (
      select f.id, (f.scheduled_time at time zone v_account.timezone)::date
        >= (p_now at time zone v_account.timezone)::date as is_today
      from accounts.queue f
      where f.workspace_id = p_workspace_id and f.account_id = p_account_id and f.status = 'flood_wait'
      for update
    ) d
    where q.workspace_id = p_workspace_id and q.id = d.id
    returning q.*
  loop
    if v_task.status = 'pending' then
      resumed := resumed + 1;
    else
      expired := expired + 1;
      perform accounts.note(p_workspace_id, 'account_failed', p_account_id, v_task,
        accounts.error_of('flood_expired', p_words_expired, 'delivery'), '{}', p_now);
    end if;
  end loop;
  perform accounts.note(p_workspace_id, 'account_reactivated', p_account_id, null, null,
    jsonb_build_object('operator', p_by, 'resumed', resumed, 'expired', expired) || p_meta, p_now);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.recover_stuck(p_workspace_id uuid, p_threshold_seconds integer, p_max_attempts integer, p_words text, p_by text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF accounts.queue
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  for v_task in
    update accounts.queue q
    set status = case when q.attempts + 1 >= p_max_attempts then 'failed' else 'pending' end,
      attempts = q.attempts + 1, claim_token = null, reason = 'stuck', last_error = p_words,
      started_at = case when q.attempts + 1 >= p_max_attempts then q.started_at end,
      completed_at = case when q.attempts + 1 >= p_max_attempts then p_now end, updated_at = p_now
    from (
      select s.workspace_id, s.id from accounts.queue s
      where s.status = 'processing' and s.started_at <= p_now - make_interval(secs => p_threshold_seconds)
        and (p_workspace_id is null or s.workspace_id = p_workspace_id)
      order by s.started_at
      for update skip locked
    ) s
    where q.workspace_id = s.workspace_id and q.id = s.id
    returning q.*
  loop
    perform accounts.note(v_task.workspace_id, 'account_stuck', v_task.account_id, v_task,
      accounts.error_of('stuck', p_words, 'delivery'),
      jsonb_strip_nulls(jsonb_build_object('status', v_task.status, 'operator', p_by)), p_now);
    return next v_task;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.renew_sessions(p_holder text, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, account_id uuid, wanted boolean)
 LANGUAGE sql
AS $function$
  update accounts.session_leases l set held_until = p_now + p_lease
  where l.holder = p_holder
  returning l.workspace_id, l.account_id, l.wanted_at is not null
$function$;

CREATE OR REPLACE FUNCTION accounts.retry_task(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_reason text, p_words text, p_error jsonb, p_retry_at timestamp with time zone, p_max_attempts integer, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.queue;
begin
  update accounts.queue
  set status = case when attempts + 1 >= p_max_attempts then 'failed' else 'pending' end,
    attempts = attempts + 1, claim_token = null, started_at = null,
    scheduled_time = case when attempts + 1 >= p_max_attempts then scheduled_time else p_retry_at end,
    completed_at = case when attempts + 1 >= p_max_attempts then p_now end,
    reason = p_reason, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token
  returning * into v_task;
  if not found then
    return null;
  end if;
  update accounts.accounts set last_error = p_words
  where workspace_id = p_workspace_id and id = v_task.account_id and is_active;
  perform accounts.note(p_workspace_id,
    case v_task.status when 'failed' then 'account_failed' else 'account_retry' end, v_task.account_id, v_task, p_error,
    jsonb_build_object('next_retry_at', case v_task.status when 'pending' then p_retry_at end), p_now);
  return v_task.status;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.set_list_links(p_workspace_id uuid, p_list_id uuid, p_links text[], p_keys text[], p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_key  text;
  v_link text;
  v_chat uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('accounts.chat_links ' || p_workspace_id, 0));
  for v_key, v_link in select * from unnest(p_keys, p_links) loop
    continue when exists (select from accounts.chat_links where workspace_id = p_workspace_id and key = v_key);
    insert into accounts.chats (workspace_id, title, created_at, updated_at)
    values (p_workspace_id, v_link, p_now, p_now) returning id into v_chat;
    insert into accounts.chat_links (workspace_id, key, link, chat_id, created_at)
    values (p_workspace_id, v_key, v_link, v_chat, p_now);
  end loop;
  delete from accounts.chat_list_links where workspace_id = p_workspace_id and list_id = p_list_id;
  insert into accounts.chat_list_links (workspace_id, list_id, place, key)
  select p_workspace_id, p_list_id, place, key from unnest(p_keys) with ordinality as links (key, place);
  perform accounts.forget_placeholders(p_workspace_id);
end
$function$;

CREATE OR REPLACE FUNCTION accounts.setting(p_workspace_id uuid, p_key text, p_default jsonb)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select p_default || coalesce((select value from accounts.settings where workspace_id = p_workspace_id and key = p_key), '{}')
$function$;

CREATE OR REPLACE FUNCTION accounts.settle_join(p_workspace_id uuid, p_task_id uuid, p_claim_token uuid, p_place integer, p_decision jsonb, p_chat jsonb DEFAULT NULL::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task accounts.join_tasks;
  v_go   text := p_decision #>> '{task,go}';
  v_chat uuid;
  v_left boolean;
begin
  select * into v_task from accounts.join_tasks
  where workspace_id = p_workspace_id and id = p_task_id and claim_token = p_claim_token for update;
  if not found then
    return false;
  end if;

  if p_decision ? 'chat' then
    if p_chat is not null then
      v_chat := accounts.keep_chat(p_workspace_id, v_task.account_id, p_chat,
        (select chat_id from accounts.join_steps
         where workspace_id = p_workspace_id and task_id = p_task_id and place = p_place), p_now);
    end if;
    update accounts.join_steps
    set state = p_decision #>> '{chat,state}', last_error = p_decision #>> '{error,message}', done_at = p_now,
        chat_id = coalesce(v_chat, chat_id)
    where workspace_id = p_workspace_id and task_id = p_task_id and place = p_place;
  end if;
  v_left := exists (select from accounts.join_steps
                    where workspace_id = p_workspace_id and task_id = p_task_id and state = 'waiting');

  update accounts.join_tasks t
  set status = case
        when t.status not in ('running', 'paused') then t.status
        when not v_left then 'completed'
        when v_go = 'flood' then 'flood_wait'
        when v_go = 'stop' then 'failed'
        else t.status
      end,
      reason = case when v_go = 'stop' and v_left and t.status in ('running', 'paused') then p_decision #>> '{task,code}'
                    else t.reason end,
      completed_at = case when t.status in ('running', 'paused') and not v_left then p_now end,
      next_run_at = coalesce((p_decision #>> '{task,at}')::timestamptz, t.next_run_at),
      flood_until = case when v_go = 'flood' then (p_decision #>> '{task,until}')::timestamptz end,
      floods = (p_decision ->> 'floods')::int,
      tries = (p_decision ->> 'tries')::int,
      last_error = p_decision #>> '{error,message}',
      claim_token = null, claimed_until = null, updated_at = p_now
  where t.workspace_id = p_workspace_id and t.id = p_task_id;

  -- The account itself can do nothing any more, for publishing neither.
  if v_go = 'stop' then
    perform accounts.stop_without_task(p_workspace_id, v_task.account_id, p_decision #>> '{task,code}',
      p_decision #>> '{error,message}', null, p_decision -> 'error', jsonb_build_object('join_task_id', p_task_id), p_now);
  end if;
  perform accounts.note(p_workspace_id,
    case when s.state in ('joined', 'member') then 'account_chat_joined'
         when p_decision #>> '{error,code}' = 'flood_wait' then 'account_join_flood'
         else 'account_join_failed' end,
    v_task.account_id, null, p_decision -> 'error',
    jsonb_build_object('join_task_id', p_task_id, 'chat_id', s.chat_id, 'link', s.link,
      'state', p_decision #>> '{chat,state}', 'until', p_decision #>> '{task,until}'), p_now)
  from accounts.join_steps s
  where s.workspace_id = p_workspace_id and s.task_id = p_task_id and s.place = p_place;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.slow_chat(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_seconds integer, p_words text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task  accounts.queue;
  v_until timestamptz := p_now + make_interval(secs => p_seconds);
begin
  if not accounts.postpone_task(p_workspace_id, p_id, p_claim_token, v_until, 'slow_mode', p_words, p_now) then
    return false;
  end if;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  insert into accounts.account_chats (workspace_id, account_id, chat_id, slow_mode_seconds, slow_mode_until, created_at, updated_at)
  select p_workspace_id, v_task.account_id, v_task.chat_id, p_seconds, v_until, p_now, p_now
  where exists (select from accounts.chats where workspace_id = p_workspace_id and id = v_task.chat_id)
  on conflict (workspace_id, account_id, chat_id) do update
    -- Telegram says what is left of the wait, so the longest known is nearest to the chat's own.
    set slow_mode_seconds = greatest(accounts.account_chats.slow_mode_seconds, p_seconds), slow_mode_until = v_until,
      updated_at = p_now;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.stop_account(p_workspace_id uuid, p_id uuid, p_claim_token uuid, p_code text, p_words text, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_task    accounts.queue;
  v_is_ours boolean;
  v_title   text;
begin
  update accounts.queue
  set status = 'pending', started_at = null, claim_token = null, reason = p_code, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = p_id and claim_token = p_claim_token;
  v_is_ours := found;
  select * into v_task from accounts.queue where workspace_id = p_workspace_id and id = p_id;
  update accounts.accounts
  set is_active = false, stopped_code = p_code, stopped_at = p_now, last_error = p_words, updated_at = p_now
  where workspace_id = p_workspace_id and id = v_task.account_id
  returning title into v_title;
  perform accounts.note(p_workspace_id, 'account_stopped', v_task.account_id, v_task, p_error,
    jsonb_build_object('code', p_code, 'account', v_title), p_now);
  return v_is_ours;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.stop_without_task(p_workspace_id uuid, p_account_id uuid, p_code text, p_words text, p_flood_seconds integer, p_error jsonb, p_meta jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update accounts.accounts
  set is_active = false, stopped_code = p_code, stopped_at = p_now, last_error = p_words, updated_at = p_now,
    flood_seconds = coalesce(p_flood_seconds, flood_seconds),
    flood_until = greatest(flood_until, p_now + make_interval(secs => p_flood_seconds))
  where workspace_id = p_workspace_id and id = p_account_id and is_active;
  if found then
    perform accounts.note(p_workspace_id,
      case p_code when 'flood_wait' then 'account_flood_wait' else 'account_stopped' end, p_account_id, null, p_error,
      jsonb_strip_nulls(jsonb_build_object('code', p_code, 'seconds', p_flood_seconds)) || p_meta, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.take_join(p_lease_seconds integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, task_id uuid, account_id uuid, device jsonb, claim_token uuid, place integer, link text, chat_id uuid, mode text, floods integer, tries integer)
 LANGUAGE sql
AS $function$
  with due as (
    select t.workspace_id, t.id from accounts.join_tasks t
    join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id and a.is_active
    where t.status = 'running' and t.next_run_at <= p_now and coalesce(t.claimed_until, '-infinity') <= p_now
    order by t.next_run_at
    limit 1
    for update of t skip locked
  ), taken as (
    update accounts.join_tasks t
    set claim_token = gen_random_uuid(), claimed_until = p_now + make_interval(secs => p_lease_seconds)
    from due where t.workspace_id = due.workspace_id and t.id = due.id
    returning t.*
  )
  select t.workspace_id, t.id, t.account_id, a.device, t.claim_token, s.place, s.link, s.chat_id, t.mode, t.floods, t.tries
  from taken t
  join accounts.accounts a on a.workspace_id = t.workspace_id and a.id = t.account_id
  cross join lateral (
    select s.place, s.link, s.chat_id from accounts.join_steps s
    where s.workspace_id = t.workspace_id and s.task_id = t.id and s.state = 'waiting'
    order by s.place limit 1
  ) s
$function$;

CREATE OR REPLACE FUNCTION accounts.take_login_code(p_workspace_id uuid, p_phone text, p_per_phone integer DEFAULT 5, p_per_workspace integer DEFAULT 60, p_window interval DEFAULT '01:00:00'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_phone     text := encode(sha256(convert_to('phone ' || p_phone, 'UTF8')), 'hex');
  v_workspace text := encode(sha256(convert_to('workspace ' || p_workspace_id, 'UTF8')), 'hex');
  v_until     timestamptz;
begin
  -- One order of locking, so that two who ask at once wait for each other and never in a circle.
  insert into accounts.login_code_requests as r (subject_sha256, requests, window_ends_at)
  select s, 0, p_now + p_window from unnest(array[v_phone, v_workspace]) s order by s
  on conflict (subject_sha256) do update set
    requests = case when r.window_ends_at > p_now then r.requests else 0 end,
    window_ends_at = case when r.window_ends_at > p_now then r.window_ends_at else excluded.window_ends_at end;
  select max(r.window_ends_at) into v_until from accounts.login_code_requests r
  where r.subject_sha256 = v_phone and r.requests >= p_per_phone
     or r.subject_sha256 = v_workspace and r.requests >= p_per_workspace;
  if v_until is not null then
    return greatest(1, ceil(extract(epoch from v_until - p_now)))::int;
  end if;
  update accounts.login_code_requests r set requests = r.requests + 1 where r.subject_sha256 in (v_phone, v_workspace);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.take_session(p_workspace_id uuid, p_account_id uuid, p_holder text, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  insert into accounts.session_leases as l (workspace_id, account_id, holder, held_until)
  values (p_workspace_id, p_account_id, p_holder, p_now + p_lease)
  on conflict (workspace_id, account_id) do update
    set holder = excluded.holder, held_until = excluded.held_until, wanted_at = null
    where l.holder = excluded.holder or l.held_until <= p_now;
  if found then
    return true;
  end if;
  update accounts.session_leases set wanted_at = p_now
  where workspace_id = p_workspace_id and account_id = p_account_id and holder <> p_holder;
  return false;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.take_task(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF accounts.queue
 LANGUAGE plpgsql
AS $function$
declare
  v_account accounts.accounts;
  v_id      uuid;
begin
  select * into v_account from accounts.accounts
  where workspace_id = p_workspace_id and id = p_account_id
  for no key update;
  if not found or not v_account.is_active
    or not accounts.window_open(v_account.timezone, v_account.window_from, v_account.window_to, p_now)
    or accounts.published_today(p_workspace_id, p_account_id, v_account.timezone, p_now) >= v_account.daily_limit
    or exists (select from accounts.queue
               where workspace_id = p_workspace_id and account_id = p_account_id and status = 'processing')
    or not exists (select from workspaces.workspaces where workspace_id = p_workspace_id and status = 'active')
  then
    return;
  end if;

  -- A chat in slow mode waits alone: what is due for others passes.
  select q.id into v_id
  from accounts.queue q
  left join accounts.account_chats l
    on l.workspace_id = q.workspace_id and l.account_id = q.account_id and l.chat_id = q.chat_id
  where q.workspace_id = p_workspace_id and q.account_id = p_account_id and q.status = 'pending'
    and q.scheduled_time <= p_now and (l.slow_mode_until is null or l.slow_mode_until <= p_now)
  order by q.scheduled_time, q.id
  limit 1
  for update of q skip locked;
  if v_id is null then
    return;
  end if;

  return query
  update accounts.queue
  set status = 'processing', started_at = p_now, claim_token = gen_random_uuid(), updated_at = p_now
  where workspace_id = p_workspace_id and id = v_id
  returning *;
end
$function$;

CREATE OR REPLACE FUNCTION accounts.task_facts(p_workspace_id uuid, p_object_id uuid, p_chat_id uuid, p_account_id uuid)
 RETURNS TABLE(object_exists boolean, object_archived boolean, has_config boolean, enabled boolean, accounts_enabled boolean, in_config boolean, format text, account_exists boolean, account_connected boolean, account_active boolean, chat_exists boolean, chat_joined boolean, chat_active boolean, chat_of_user boolean, linked boolean, can_write boolean, slow_mode_until timestamp with time zone, last_published_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select o.id is not null, o.archived_at is not null, c.object_id is not null, coalesce(c.enabled, false),
    coalesce(c.accounts_enabled, false),
    c.accounts_config @> jsonb_build_array(
      jsonb_build_object('account_id', p_account_id, 'chat_ids', jsonb_build_array(p_chat_id))) is true,
    coalesce(c.format, 'default'), a.id is not null, a.connected_at is not null, coalesce(a.is_active, false), h.id is not null,
    h.telegram_chat_id is not null, coalesce(h.is_active, false), coalesce(h.owner_type = 'user', false),
    l.account_id is not null or coalesce(h.owner_account_id = p_account_id, false), coalesce(l.can_write, true),
    l.slow_mode_until,
    (select max(published_at) from accounts.history y
     where y.workspace_id = p_workspace_id and y.object_id = p_object_id and y.chat_id = p_chat_id
       and y.account_id = p_account_id and not y.deleted)
  from (values (1)) as one (row)
  left join accounts.objects o on o.workspace_id = p_workspace_id and o.id = p_object_id
  left join accounts.autopublish c on c.workspace_id = p_workspace_id and c.object_id = p_object_id
  left join accounts.accounts a on a.workspace_id = p_workspace_id and a.id = p_account_id
  left join accounts.chats h on h.workspace_id = p_workspace_id and h.id = p_chat_id
  left join accounts.account_chats l
    on l.workspace_id = p_workspace_id and l.account_id = p_account_id and l.chat_id = p_chat_id
$function$;

CREATE OR REPLACE FUNCTION accounts.tasks_of_day(p_workspace_id uuid, p_account_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(object_id uuid, chat_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  select distinct q.object_id, q.chat_id
  from accounts.queue q
  join accounts.accounts a on a.workspace_id = q.workspace_id and a.id = q.account_id
  where q.workspace_id = p_workspace_id and q.account_id = p_account_id
    -- Uses queue_of_account; a task may have been put off to today, so its time says more than its birth.
    and q.scheduled_time >= accounts.day_start(a.timezone, p_now)
    and q.scheduled_time < accounts.day_start(a.timezone, p_now) + interval '26 hours'
    and (q.scheduled_time at time zone a.timezone)::date = (p_now at time zone a.timezone)::date
$function$;

CREATE OR REPLACE FUNCTION accounts.window_open(p_timezone text, p_from time without time zone, p_to time without time zone, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select (p_now at time zone p_timezone)::time >= p_from and (p_now at time zone p_timezone)::time < p_to
$function$;

CREATE OR REPLACE FUNCTION accounts.wishes(p_workspace_id uuid, p_object_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(object_id uuid, owner text, account_id uuid, chat_id uuid, place bigint, facts jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select w.object_id, w.owner, w.account_id, w.chat_id, row_number() over (order by w.created_at, w.object_id, w.entry, w.chat),
    to_jsonb(f)
  from (
    select c.object_id, o.owner, (e.value ->> 'account_id')::uuid as account_id, (h.value #>> '{}')::uuid as chat_id,
      c.created_at, e.ordinality as entry, h.ordinality as chat
    from accounts.autopublish c
    join accounts.objects o on o.workspace_id = c.workspace_id and o.id = c.object_id
    cross join lateral jsonb_array_elements(c.accounts_config) with ordinality as e
    cross join lateral jsonb_array_elements(e.value -> 'chat_ids') with ordinality as h
    where c.workspace_id = p_workspace_id and (p_object_id is null or c.object_id = p_object_id)
      and (c.enabled or p_object_id is not null)
  ) w
  cross join lateral accounts.task_facts(p_workspace_id, w.object_id, w.chat_id, w.account_id) f
$function$;

CREATE OR REPLACE FUNCTION accounts.write_plan(p_workspace_id uuid, p_account_id uuid, p_create jsonb, p_move jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF accounts.queue
 LANGUAGE plpgsql
AS $function$
begin
  update accounts.queue q
  set scheduled_time = m.at, updated_at = p_now
  from jsonb_to_recordset(p_move) as m (id uuid, at timestamptz)
  where q.workspace_id = p_workspace_id and q.id = m.id and q.status = 'pending';

  return query
  insert into accounts.queue as q
    (workspace_id, id, object_id, chat_id, account_id, owner, origin, format, allow_duplicate, scheduled_time, created_at, updated_at)
  select p_workspace_id, molva.uuidv7(p_now), c.object_id, c.chat_id, p_account_id, c.owner, c.origin, c.format,
    coalesce(c.allow_duplicate, false), c.at, p_now, p_now
  from jsonb_to_recordset(p_create) as c (
    object_id uuid, chat_id uuid, owner text, origin text, format text, allow_duplicate boolean, at timestamptz)
  order by c.at
  on conflict (workspace_id, object_id, chat_id, account_id) where status in ('pending', 'processing', 'flood_wait') do nothing
  returning q.*;

  -- The worker looks again when this is committed.
  perform pg_notify('molva_accounts', p_workspace_id::text);
end
$function$;

-- advisor -------------------------------------------------------------------------------------------------------------

CREATE TABLE advisor.users (
  workspace_id            uuid NOT NULL,
  id                      uuid NOT NULL DEFAULT molva.uuidv7(),
  telegram_user_id        bigint NOT NULL,
  created_at              timestamptz NOT NULL DEFAULT now(),
  plan                    text NOT NULL DEFAULT 'free'::text,
  locale                  text,
  last_seen_at            timestamptz,
  research_used           integer NOT NULL DEFAULT 0,
  research_limit          integer,
  research_reset_at       timestamptz NOT NULL,
  photos_used             integer NOT NULL DEFAULT 0,
  photo_limit             integer,
  photos_reset_at         timestamptz NOT NULL,
  terms_accepted_at       timestamptz,
  data_policy_accepted_at timestamptz,
  last_upsell_at          timestamptz,
  CONSTRAINT users_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT users_workspace_id_telegram_user_id_key UNIQUE (workspace_id, telegram_user_id),
  CONSTRAINT users_locale_check CHECK (length(locale) >= 1 AND length(locale) <= 35),
  CONSTRAINT users_photo_limit_check CHECK (photo_limit >= 0),
  CONSTRAINT users_photos_used_check CHECK (photos_used >= 0),
  CONSTRAINT users_plan_check CHECK (plan = ANY (ARRAY['free'::text, 'pro'::text])),
  CONSTRAINT users_research_limit_check CHECK (research_limit >= 0),
  CONSTRAINT users_research_used_check CHECK (research_used >= 0),
  CONSTRAINT users_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX users_by_time ON advisor.users USING btree (created_at DESC, id);
ALTER TABLE advisor.users ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.pets (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  user_id      uuid NOT NULL,
  type         text NOT NULL,
  name         text,
  sex          text NOT NULL DEFAULT 'unknown'::text,
  birth_date   date,
  age_text     text,
  breed        text,
  profile      jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  archived_at  timestamptz,
  CONSTRAINT pets_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT pets_profile_check CHECK (jsonb_typeof(profile) = 'object'::text),
  CONSTRAINT pets_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX pets_of_user ON advisor.pets USING btree (user_id, created_at DESC);
ALTER TABLE advisor.pets ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.interactions (
  workspace_id  uuid NOT NULL,
  id            uuid NOT NULL DEFAULT molva.uuidv7(),
  user_id       uuid NOT NULL,
  pet_id        uuid,
  scenario      text NOT NULL,
  mode          text NOT NULL,
  topic         text NOT NULL,
  question_text text NOT NULL,
  answer_text   text NOT NULL,
  summary       text NOT NULL,
  created_at    timestamptz NOT NULL,
  CONSTRAINT interactions_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT interactions_mode_check CHECK (mode = ANY (ARRAY['normal'::text, 'research'::text])),
  CONSTRAINT interactions_workspace_id_pet_id_fkey FOREIGN KEY (workspace_id, pet_id) REFERENCES advisor.pets(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT interactions_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX interactions_of_pet ON advisor.interactions USING btree (pet_id, created_at DESC);
CREATE INDEX interactions_of_user ON advisor.interactions USING btree (user_id, created_at DESC);
ALTER TABLE advisor.interactions ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.media_assets (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL DEFAULT molva.uuidv7(),
  user_id      uuid,
  pet_id       uuid,
  type         text NOT NULL,
  storage_url  text NOT NULL,
  mime         text NOT NULL,
  size_bytes   integer NOT NULL,
  created_at   timestamptz NOT NULL,
  uploaded_at  timestamptz,
  expires_at   timestamptz,
  deleted_at   timestamptz,
  CONSTRAINT media_assets_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT media_assets_size_bytes_check CHECK (size_bytes > 0),
  CONSTRAINT media_assets_type_check CHECK (type = ANY (ARRAY['photo'::text, 'audio'::text])),
  CONSTRAINT media_assets_workspace_id_pet_id_fkey FOREIGN KEY (workspace_id, pet_id) REFERENCES advisor.pets(workspace_id, id) ON DELETE SET NULL (pet_id),
  CONSTRAINT media_assets_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE SET NULL (user_id)
);
CREATE INDEX media_assets_by_expiry ON advisor.media_assets USING btree (expires_at);
CREATE INDEX media_assets_of_user ON advisor.media_assets USING btree (user_id, created_at DESC);
ALTER TABLE advisor.media_assets ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.rate_limits (
  workspace_id    uuid NOT NULL,
  user_id         uuid NOT NULL,
  window_type     text NOT NULL DEFAULT 'daily_utc'::text,
  window_start_at timestamptz NOT NULL,
  window_end_at   timestamptz NOT NULL,
  count           integer NOT NULL,
  last_request_at timestamptz NOT NULL,
  cooldown_until  timestamptz,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (workspace_id, user_id),
  CONSTRAINT rate_limits_count_check CHECK (count >= 0),
  CONSTRAINT rate_limits_window_type_check CHECK (window_type = 'daily_utc'::text),
  CONSTRAINT rate_limits_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX rate_limits_by_end ON advisor.rate_limits USING btree (window_end_at);
ALTER TABLE advisor.rate_limits ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.request_dedup (
  workspace_id      uuid NOT NULL,
  request_id        uuid NOT NULL,
  user_id           uuid NOT NULL,
  route             text NOT NULL,
  payload_hash      text NOT NULL,
  pet_id            uuid,
  status            text NOT NULL,
  attempt           integer NOT NULL DEFAULT 1,
  held              jsonb NOT NULL DEFAULT '{}'::jsonb,
  response_json     jsonb,
  error_text        text,
  created_at        timestamptz NOT NULL,
  started_at        timestamptz NOT NULL,
  finished_at       timestamptz,
  client_message_id text,
  CONSTRAINT request_dedup_pkey PRIMARY KEY (workspace_id, request_id),
  CONSTRAINT request_dedup_client_message_id_check CHECK (length(client_message_id) >= 1 AND length(client_message_id) <= 200),
  CONSTRAINT request_dedup_status_check CHECK (status = ANY (ARRAY['started'::text, 'done'::text, 'failed'::text])),
  CONSTRAINT request_dedup_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX request_dedup_by_message ON advisor.request_dedup USING btree (workspace_id, user_id, client_message_id) WHERE client_message_id IS NOT NULL;
CREATE INDEX request_dedup_by_time ON advisor.request_dedup USING btree (created_at);
CREATE INDEX request_dedup_of_user ON advisor.request_dedup USING btree (user_id, created_at DESC);
CREATE INDEX request_dedup_under_way ON advisor.request_dedup USING btree (started_at) WHERE status = 'started'::text;
ALTER TABLE advisor.request_dedup ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.sessions (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL DEFAULT molva.uuidv7(),
  user_id         uuid NOT NULL,
  session_context jsonb NOT NULL,
  expires_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT sessions_workspace_id_user_id_key UNIQUE (workspace_id, user_id),
  CONSTRAINT sessions_session_context_check CHECK (jsonb_typeof(session_context) = 'object'::text),
  CONSTRAINT sessions_workspace_id_user_id_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES advisor.users(workspace_id, id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX sessions_by_expiry ON advisor.sessions USING btree (expires_at);
ALTER TABLE advisor.sessions ENABLE ROW LEVEL SECURITY;

CREATE TABLE advisor.used_today (
  workspace_id    uuid NOT NULL,
  trace           text NOT NULL,
  window_start_at timestamptz NOT NULL,
  window_end_at   timestamptz NOT NULL,
  count           integer NOT NULL,
  cooldown_until  timestamptz,
  CONSTRAINT used_today_pkey PRIMARY KEY (workspace_id, trace),
  CONSTRAINT used_today_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE advisor.used_today ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION advisor.end_pro()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from advisor.sessions s where s.workspace_id = new.workspace_id and s.user_id = new.id;
  update advisor.rate_limits l set count = 0, cooldown_until = null where l.workspace_id = new.workspace_id and l.user_id = new.id;
  return null;
end
$function$;

CREATE TRIGGER end_pro AFTER UPDATE OF plan ON advisor.users FOR EACH ROW WHEN (old.plan = 'pro'::text AND new.plan = 'free'::text) EXECUTE FUNCTION advisor.end_pro();

CREATE OR REPLACE FUNCTION advisor.begin_question(p_workspace_id uuid, p_request_id uuid, p_route text, p_payload_hash text, p_telegram_user_id bigint, p_trace text, p_locale text, p_pet_id uuid, p_wants jsonb, p_plans jsonb, p_stale interval, p_summaries integer, p_client_message_id text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_begun jsonb := advisor.begin_request(p_workspace_id, p_request_id, p_route, p_payload_hash, p_telegram_user_id, p_trace, p_locale,
    p_pet_id, p_wants, p_plans, p_stale, p_client_message_id, p_now);
  v_user  advisor.users;
begin
  if not v_begun ? 'begun' then
    return v_begun;
  end if;
  select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = (v_begun ->> 'user_id')::uuid;
  return v_begun || jsonb_build_object(
    'state', advisor.state_of(v_user, p_plans, p_now),
    'memory', case v_user.plan when 'pro' then advisor.memory_of(p_workspace_id, v_user.id, p_pet_id, p_summaries) end);
end
$function$;

CREATE OR REPLACE FUNCTION advisor.begin_request(p_workspace_id uuid, p_request_id uuid, p_route text, p_payload_hash text, p_telegram_user_id bigint, p_trace text, p_locale text, p_pet_id uuid, p_wants jsonb, p_plans jsonb, p_stale interval, p_client_message_id text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_user  advisor.users := advisor.lock_user(p_workspace_id, p_telegram_user_id, p_locale, p_now);
  v_row   advisor.request_dedup;
  v_taken jsonb := '{}';
begin
  if exists (select from advisor.used_today t where t.workspace_id = p_workspace_id and t.trace = p_trace) then
    perform advisor.recall_use(p_workspace_id, v_user.id, p_trace, p_now);
  end if;
  select * into v_row from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id for update;
  if found then
    if v_row.user_id <> v_user.id or v_row.route <> p_route or v_row.payload_hash <> p_payload_hash then
      return jsonb_build_object('refused', 'request_id_conflict');
    elsif v_row.status = 'done' and v_row.response_json is null then
      return jsonb_build_object('refused', 'answer_expired');
    elsif v_row.status = 'done' then
      return jsonb_build_object('repeated', v_row.response_json);
    elsif v_row.status = 'started' and v_row.started_at + p_stale > p_now then
      return jsonb_build_object('refused', 'request_in_progress',
        'retry_after_sec', ceil(extract(epoch from v_row.started_at + p_stale - p_now))::int);
    elsif v_row.status = 'started' then
      perform advisor.give_back(p_workspace_id, v_user.id, v_row.held);
      update advisor.request_dedup d set status = 'failed', held = '{}', error_text = 'taken for dead', finished_at = p_now
      where d.workspace_id = p_workspace_id and d.request_id = p_request_id;
      select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = v_user.id;
    end if;
  end if;
  if not found and p_client_message_id is not null then
    select * into v_row from advisor.request_dedup d
    where d.workspace_id = p_workspace_id and d.user_id = v_user.id and d.client_message_id = p_client_message_id
      and d.route = p_route and d.payload_hash = p_payload_hash
      and (d.status = 'done' and d.response_json is not null or d.status = 'started' and d.started_at + p_stale > p_now)
    order by d.created_at desc limit 1;
    if found and v_row.status = 'done' then
      return jsonb_build_object('repeated', v_row.response_json);
    elsif found then
      return jsonb_build_object('refused', 'request_in_progress',
        'retry_after_sec', ceil(extract(epoch from v_row.started_at + p_stale - p_now))::int);
    end if;
  end if;
  if p_wants is not null then
    v_taken := advisor.take_quota(v_user, p_plans, p_wants, p_now);
    if v_taken ? 'refused' then
      return v_taken;
    end if;
  end if;
  insert into advisor.request_dedup as d (workspace_id, request_id, user_id, route, payload_hash, client_message_id, pet_id, status,
    held, created_at, started_at)
  values (p_workspace_id, p_request_id, v_user.id, p_route, p_payload_hash, p_client_message_id, p_pet_id, 'started',
    coalesce(v_taken -> 'held', '{}'), p_now, p_now)
  on conflict (workspace_id, request_id) do update set
    status = 'started', attempt = d.attempt + 1, held = excluded.held, error_text = null, started_at = p_now, finished_at = null
  where d.status = 'failed' and d.user_id = excluded.user_id
  returning * into v_row;
  if not found then
    -- Somebody else's request of the same id was begun between our look and our write.
    perform advisor.give_back(p_workspace_id, v_user.id, coalesce(v_taken -> 'held', '{}'));
    return jsonb_build_object('refused', 'request_id_conflict');
  end if;
  return jsonb_build_object('begun', v_row.attempt, 'user_id', v_user.id, 'plan', v_user.plan, 'locale', v_user.locale);
end
$function$;

CREATE OR REPLACE FUNCTION advisor.fail_request(p_workspace_id uuid, p_request_id uuid, p_attempt integer, p_error text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_row advisor.request_dedup;
begin
  -- The person's row first, as everywhere, so that two requests never wait for each other.
  perform from advisor.users u
  join advisor.request_dedup d on d.workspace_id = u.workspace_id and d.user_id = u.id
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id for no key update of u;
  select * into v_row from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id and d.attempt = p_attempt and d.status = 'started'
  for update;
  if not found then
    return false;
  end if;
  perform advisor.give_back(p_workspace_id, v_row.user_id, v_row.held);
  update advisor.request_dedup d set status = 'failed', held = '{}', error_text = left(p_error, 200), finished_at = p_now
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.finish_question(p_workspace_id uuid, p_user_id uuid, p_request_id uuid, p_attempt integer, p_version text, p_plans jsonb, p_pet_id uuid, p_response jsonb, p_session jsonb, p_interaction jsonb, p_offered boolean, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_user advisor.users;
begin
  select * into v_user from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for no key update;
  if not found then
    return jsonb_build_object('overtaken', true);
  end if;
  if p_pet_id is not null then
    perform from advisor.pets p
    where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_pet_id and p.archived_at is null;
    if not found then
      return jsonb_build_object('overtaken', true);
    end if;
  end if;
  if advisor.version_of(p_workspace_id, p_user_id, p_now) <> p_version then
    return jsonb_build_object('state', advisor.state_of(v_user, p_plans, p_now));
  end if;
  if not advisor.finish_request(p_workspace_id, p_request_id, p_attempt, p_pet_id, p_response, p_now) then
    return jsonb_build_object('overtaken', true);
  end if;
  insert into advisor.sessions (workspace_id, id, user_id, session_context, expires_at, updated_at)
  values (p_workspace_id, (p_session ->> 'id')::uuid, p_user_id, p_session -> 'context', (p_session ->> 'expires_at')::timestamptz, p_now)
  on conflict (workspace_id, user_id) do update set
    id = excluded.id, session_context = excluded.session_context, expires_at = excluded.expires_at, updated_at = excluded.updated_at;
  if p_interaction is not null then
    insert into advisor.interactions (workspace_id, id, user_id, pet_id, scenario, mode, topic, question_text, answer_text, summary, created_at)
    select p_workspace_id, molva.uuidv7(p_now), p_user_id, p_pet_id, i.scenario, i.mode, i.topic, i.question_text, i.answer_text, i.summary, p_now
    from jsonb_to_record(p_interaction) as i (scenario text, mode text, topic text, question_text text, answer_text text, summary text);
  end if;
  if p_offered then
    update advisor.users u set last_upsell_at = p_now where u.workspace_id = p_workspace_id and u.id = p_user_id;
  end if;
  return jsonb_build_object('finished', true);
end
$function$;

CREATE OR REPLACE FUNCTION advisor.finish_request(p_workspace_id uuid, p_request_id uuid, p_attempt integer, p_pet_id uuid, p_response jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update advisor.request_dedup d set status = 'done', pet_id = coalesce(p_pet_id, d.pet_id), response_json = p_response, finished_at = p_now
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id and d.attempt = p_attempt and d.status = 'started';
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.forget_pet(p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id and m.pet_id = p_pet_id;
  delete from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.user_id = p_user_id and d.pet_id = p_pet_id;
  delete from advisor.sessions s where s.workspace_id = p_workspace_id and s.user_id = p_user_id;
  delete from advisor.pets p where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_pet_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.forget_user(p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  insert into advisor.used_today as t (workspace_id, trace, window_start_at, window_end_at, count, cooldown_until)
  select l.workspace_id, p_trace, l.window_start_at, l.window_end_at, l.count, l.cooldown_until
  from advisor.rate_limits l
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id and l.window_end_at > p_now
  on conflict (workspace_id, trace) do update set
    window_start_at = excluded.window_start_at, window_end_at = excluded.window_end_at,
    count = excluded.count, cooldown_until = excluded.cooldown_until;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null, pet_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id;
  delete from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.give_back(p_workspace_id uuid, p_user_id uuid, p_held jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if p_held = '{}' then
    return;
  end if;
  update advisor.rate_limits l set
    count = greatest(l.count - 1, 0),
    cooldown_until = case when l.cooldown_until = (p_held ->> 'cooldown_until')::timestamptz then null else l.cooldown_until end
  where l.workspace_id = p_workspace_id and l.user_id = p_user_id
    and l.window_start_at = (p_held ->> 'window_start_at')::timestamptz;
  update advisor.users u set
    research_used = case when u.research_reset_at = (p_held ->> 'research_reset_at')::timestamptz
      then greatest(u.research_used - (p_held ->> 'research')::int, 0) else u.research_used end,
    photos_used = case when u.photos_reset_at = (p_held ->> 'photos_reset_at')::timestamptz
      then greatest(u.photos_used - (p_held ->> 'photos')::int, 0) else u.photos_used end
  where u.workspace_id = p_workspace_id and u.id = p_user_id
    and ((p_held ->> 'research')::int > 0 or (p_held ->> 'photos')::int > 0);
end
$function$;

CREATE OR REPLACE FUNCTION advisor.lock_user(p_workspace_id uuid, p_telegram_user_id bigint, p_locale text DEFAULT NULL::text, p_now timestamp with time zone DEFAULT now())
 RETURNS advisor.users
 LANGUAGE plpgsql
AS $function$
declare
  v_user advisor.users;
begin
  insert into advisor.users as u (workspace_id, telegram_user_id, created_at, locale, last_seen_at, research_reset_at, photos_reset_at)
  values (p_workspace_id, p_telegram_user_id, p_now, p_locale, p_now, advisor.next_month(p_now), advisor.next_month(p_now))
  on conflict (workspace_id, telegram_user_id) do update set
    locale = coalesce(excluded.locale, u.locale),
    last_seen_at = excluded.last_seen_at,
    research_used = case when u.research_reset_at <= p_now then 0 else u.research_used end,
    research_reset_at = case when u.research_reset_at <= p_now then excluded.research_reset_at else u.research_reset_at end,
    photos_used = case when u.photos_reset_at <= p_now then 0 else u.photos_used end,
    photos_reset_at = case when u.photos_reset_at <= p_now then excluded.photos_reset_at else u.photos_reset_at end
  returning * into v_user;
  return v_user;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.memory_of(p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_summaries integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  v_pet advisor.pets;
begin
  select * into v_pet from advisor.pets p
  where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.archived_at is null and p.id = coalesce(p_pet_id, p.id)
  order by p.created_at desc, p.id desc limit 1;
  return jsonb_build_object(
    'pet', case when v_pet.id is not null then jsonb_build_object('id', v_pet.id, 'profile', v_pet.profile || jsonb_build_object(
      'type', v_pet.type, 'name', v_pet.name, 'sex', v_pet.sex, 'birth_date', v_pet.birth_date, 'age_text', v_pet.age_text,
      'breed', v_pet.breed)) end,
    'summaries', coalesce((
      select jsonb_agg(i.summary order by i.created_at) from (
        select summary, created_at from advisor.interactions
        where workspace_id = p_workspace_id and user_id = p_user_id
          and (v_pet.id is null or pet_id is null or pet_id = v_pet.id)
        order by created_at desc limit p_summaries) i
    ), '[]'));
end
$function$;

CREATE OR REPLACE FUNCTION advisor.next_month(p_now timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select (date_trunc('month', p_now at time zone 'UTC') + interval '1 month') at time zone 'UTC'
$function$;

CREATE OR REPLACE FUNCTION advisor.quota_of(p_user advisor.users, p_plans jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'plan', p_user.plan,
    'remaining', case when d.daily < 0 then -1 else greatest(d.daily - coalesce(r.used, 0), 0) end,
    'cooldown_until', r.cooldown_until,
    'reset_at', (date_trunc('day', p_now at time zone 'UTC') + interval '1 day') at time zone 'UTC',
    'research_used', case when p_user.research_reset_at <= p_now then 0 else p_user.research_used end,
    'research_limit', coalesce(p_user.research_limit, (p_plans ->> 'research_limit')::int),
    'research_reset_at', greatest(p_user.research_reset_at, case when p_user.research_reset_at <= p_now then advisor.next_month(p_now) end),
    'photos_used', case when p_user.photos_reset_at <= p_now then 0 else p_user.photos_used end,
    'photo_limit', coalesce(p_user.photo_limit, (p_plans ->> 'photo_limit')::int),
    'photos_reset_at', greatest(p_user.photos_reset_at, case when p_user.photos_reset_at <= p_now then advisor.next_month(p_now) end)
  )
  from (select (p_plans -> p_user.plan ->> 'daily')::int as daily) d
  left join lateral (
    select l.count as used, l.cooldown_until from advisor.rate_limits l
    where l.workspace_id = p_user.workspace_id and l.user_id = p_user.id and l.window_end_at > p_now
  ) r on true
$function$;

CREATE OR REPLACE FUNCTION advisor.quota_of_stranger(p_workspace_id uuid, p_trace text, p_plans jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select advisor.quota_of(s, p_plans, p_now) || coalesce((
    select jsonb_build_object(
      'remaining', case when d.daily < 0 then -1 else greatest(d.daily - t.count, 0) end,
      'cooldown_until', t.cooldown_until)
    from advisor.used_today t, (select (p_plans -> 'free' ->> 'daily')::int as daily) d
    where t.workspace_id = p_workspace_id and t.trace = p_trace and t.window_end_at > p_now
  ), '{}')
  from jsonb_populate_record(null::advisor.users, jsonb_build_object('workspace_id', p_workspace_id, 'plan', 'free',
    'research_used', 0, 'photos_used', 0, 'research_reset_at', p_now, 'photos_reset_at', p_now)) s
$function$;

CREATE OR REPLACE FUNCTION advisor.recall_use(p_workspace_id uuid, p_user_id uuid, p_trace text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  with recalled as (
    delete from advisor.used_today t where t.workspace_id = p_workspace_id and t.trace = p_trace returning *
  )
  insert into advisor.rate_limits (workspace_id, user_id, window_start_at, window_end_at, count, last_request_at, cooldown_until)
  select r.workspace_id, p_user_id, r.window_start_at, r.window_end_at, r.count, p_now, r.cooldown_until
  from recalled r where r.window_end_at > p_now
  on conflict (workspace_id, user_id) do nothing
$function$;

CREATE OR REPLACE FUNCTION advisor.state_of(p_user advisor.users, p_plans jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'version', advisor.version_of(p_user.workspace_id, p_user.id, p_now),
    'quota', advisor.quota_of(p_user, p_plans, p_now),
    'last_upsell_at', p_user.last_upsell_at,
    'session', (
      select jsonb_build_object('id', t.id, 'context', t.session_context) from advisor.sessions t
      where t.workspace_id = p_user.workspace_id and t.user_id = p_user.id and t.expires_at > p_now))
$function$;

CREATE OR REPLACE FUNCTION advisor.take_quota(p_user advisor.users, p_plans jsonb, p_wants jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_quota    jsonb := advisor.quota_of(p_user, p_plans, p_now);
  v_research int := case when (p_wants ->> 'research')::boolean then 1 else 0 end;
  v_photos   int := coalesce((p_wants ->> 'photos')::int, 0);
  v_cooldown int := (p_plans -> p_user.plan ->> 'cooldown_sec')::int;
  v_day      timestamptz := date_trunc('day', p_now at time zone 'UTC') at time zone 'UTC';
begin
  if p_user.plan = 'free' and (v_research > 0 or (p_wants ->> 'media')::boolean) then
    return jsonb_build_object('refused', 'plan_required', 'quota', v_quota);
  end if;
  if (v_quota ->> 'remaining')::int = 0 then
    return jsonb_build_object('refused', 'daily_limit', 'quota', v_quota);
  end if;
  if v_research > 0 and (v_quota ->> 'research_used')::int >= (v_quota ->> 'research_limit')::int then
    return jsonb_build_object('refused', 'research_limit', 'quota', v_quota);
  end if;
  if v_photos > 0 and (v_quota ->> 'photos_used')::int + v_photos > (v_quota ->> 'photo_limit')::int then
    return jsonb_build_object('refused', 'photo_limit', 'quota', v_quota);
  end if;
  -- Last: whoever has nothing left is not told to wait a moment.
  if (v_quota ->> 'cooldown_until')::timestamptz > p_now then
    return jsonb_build_object('refused', 'cooldown', 'quota', v_quota);
  end if;
  insert into advisor.rate_limits as l (workspace_id, user_id, window_start_at, window_end_at, count, last_request_at, cooldown_until)
  values (p_user.workspace_id, p_user.id, v_day, v_day + interval '24 hours', 1, p_now,
    case when v_cooldown > 0 then p_now + make_interval(secs => v_cooldown) end)
  on conflict (workspace_id, user_id) do update set
    window_start_at = excluded.window_start_at, window_end_at = excluded.window_end_at,
    count = case when l.window_end_at > p_now then l.count else 0 end + 1,
    last_request_at = excluded.last_request_at, cooldown_until = excluded.cooldown_until;
  if v_research > 0 or v_photos > 0 then
    update advisor.users u set research_used = u.research_used + v_research, photos_used = u.photos_used + v_photos
    where u.workspace_id = p_user.workspace_id and u.id = p_user.id;
  end if;
  return jsonb_build_object('held', jsonb_build_object('window_start_at', v_day, 'research', v_research,
    'research_reset_at', p_user.research_reset_at, 'photos', v_photos, 'photos_reset_at', p_user.photos_reset_at,
    'cooldown_until', case when v_cooldown > 0 then p_now + make_interval(secs => v_cooldown) end));
end
$function$;

CREATE OR REPLACE FUNCTION advisor.upkeep(p_free_ttl interval, p_pro_ttl interval, p_stale interval, p_keep_ids interval DEFAULT '7 days'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_row advisor.request_dedup;
begin
  for v_row in
    select * from advisor.request_dedup d where d.status = 'started' and d.started_at <= p_now - p_stale
  loop
    perform advisor.fail_request(v_row.workspace_id, v_row.request_id, v_row.attempt, 'taken for dead', p_now);
  end loop;
  delete from advisor.sessions s where s.expires_at <= p_now;
  delete from advisor.used_today t where t.window_end_at <= p_now;
  update advisor.request_dedup d set response_json = null
  from advisor.users u
  where u.workspace_id = d.workspace_id and u.id = d.user_id and d.response_json is not null
    and d.finished_at + case u.plan when 'free' then p_free_ttl else p_pro_ttl end <= p_now;
  delete from advisor.request_dedup d where d.created_at <= p_now - p_keep_ids and d.status <> 'started';
  update advisor.media_assets m set deleted_at = p_now
  where (m.expires_at <= p_now or m.user_id is null) and m.deleted_at is null;
end
$function$;

CREATE OR REPLACE FUNCTION advisor.version_of(p_workspace_id uuid, p_user_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws('-', u.xmin, coalesce(l.xmin::text, 'none'), coalesce(s.xmin::text, 'none'), (p_now at time zone 'UTC')::date)
  from advisor.users u
  left join advisor.rate_limits l on l.workspace_id = u.workspace_id and l.user_id = u.id and l.window_end_at > p_now
  left join advisor.sessions s on s.workspace_id = u.workspace_id and s.user_id = u.id and s.expires_at > p_now
  where u.workspace_id = p_workspace_id and u.id = p_user_id
$function$;

-- dialogs -------------------------------------------------------------------------------------------------------------

CREATE TABLE dialogs.dialogues (
  workspace_id    uuid NOT NULL,
  bot             text NOT NULL,
  chat_id         text NOT NULL,
  user_id         text NOT NULL,
  language        text NOT NULL,
  flow            text,
  state           text,
  data            jsonb NOT NULL DEFAULT '{}'::jsonb,
  trail           text[] NOT NULL DEFAULT '{}'::text[],
  rival           jsonb,
  expires_at      timestamptz,
  revision        bigint NOT NULL DEFAULT 0,
  screen          jsonb,
  says            jsonb NOT NULL DEFAULT '[]'::jsonb,
  shown_revision  bigint NOT NULL DEFAULT 0,
  live_message_id text,
  showing_until   timestamptz,
  work_id         uuid,
  work_attempts   integer NOT NULL DEFAULT 0,
  work_until      timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT dialogues_pkey PRIMARY KEY (workspace_id, bot, chat_id),
  CONSTRAINT dialogues_bot_check CHECK (bot <> ''::text),
  CONSTRAINT dialogues_chat_id_check CHECK (chat_id <> ''::text),
  CONSTRAINT dialogues_check CHECK ((flow IS NULL) = (state IS NULL)),
  CONSTRAINT dialogues_data_check CHECK (jsonb_typeof(data) = 'object'::text),
  CONSTRAINT dialogues_language_check CHECK (language = ANY (ARRAY['ru'::text, 'en'::text])),
  CONSTRAINT dialogues_says_check CHECK (jsonb_typeof(says) = 'array'::text),
  CONSTRAINT dialogues_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=60);
CREATE INDEX dialogues_at_work ON dialogs.dialogues USING btree (workspace_id, bot, work_until) WHERE work_id IS NOT NULL;
CREATE INDEX dialogues_expiring ON dialogs.dialogues USING btree (workspace_id, bot, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX dialogues_unshown ON dialogs.dialogues USING btree (workspace_id, bot) WHERE shown_revision < revision;
ALTER TABLE dialogs.dialogues ENABLE ROW LEVEL SECURITY;

CREATE TABLE dialogs.inbox (
  workspace_id uuid NOT NULL,
  bot          text NOT NULL,
  update_id    bigint NOT NULL,
  chat_id      text NOT NULL,
  body         jsonb NOT NULL,
  received_at  timestamptz NOT NULL DEFAULT now(),
  done_at      timestamptz,
  failures     integer NOT NULL DEFAULT 0,
  not_before   timestamptz,
  CONSTRAINT inbox_pkey PRIMARY KEY (workspace_id, bot, update_id),
  CONSTRAINT inbox_body_check CHECK (jsonb_typeof(body) = 'object'::text),
  CONSTRAINT inbox_bot_check CHECK (bot <> ''::text),
  CONSTRAINT inbox_chat_id_check CHECK (chat_id <> ''::text),
  CONSTRAINT inbox_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=80);
CREATE INDEX inbox_done ON dialogs.inbox USING btree (workspace_id, bot, done_at) WHERE done_at IS NOT NULL;
CREATE INDEX inbox_waiting ON dialogs.inbox USING btree (workspace_id, bot, chat_id, update_id) WHERE done_at IS NULL;
ALTER TABLE dialogs.inbox ENABLE ROW LEVEL SECURITY;

-- llm -----------------------------------------------------------------------------------------------------------------

CREATE TABLE llm.budgets (
  workspace_id uuid NOT NULL,
  scope        text NOT NULL,
  subject      text NOT NULL DEFAULT '*'::text,
  period       text NOT NULL,
  unit         text NOT NULL,
  cap          numeric NOT NULL,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT budgets_pkey PRIMARY KEY (workspace_id, scope, subject, period, unit),
  CONSTRAINT budgets_cap_check CHECK (cap >= 0::numeric),
  CONSTRAINT budgets_period_check CHECK (period = ANY (ARRAY['day'::text, 'month'::text])),
  CONSTRAINT budgets_scope_check CHECK (scope = ANY (ARRAY['workspace'::text, 'user'::text, 'policy'::text])),
  CONSTRAINT budgets_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 200),
  CONSTRAINT budgets_unit_check CHECK (unit = ANY (ARRAY['usd'::text, 'tokens'::text, 'calls'::text])),
  CONSTRAINT workspace_has_no_subject CHECK (scope <> 'workspace'::text OR subject = '*'::text),
  CONSTRAINT budgets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE llm.budgets ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.calls (
  workspace_id      uuid NOT NULL,
  call_id           uuid NOT NULL DEFAULT molva.uuidv7(),
  request_id        text,
  policy            text NOT NULL,
  user_id           text,
  kind              text NOT NULL,
  prompt            text NOT NULL,
  prompt_version    integer NOT NULL,
  status            text NOT NULL DEFAULT 'reserved'::text,
  code              text,
  reserved_usd      numeric NOT NULL DEFAULT 0,
  reserved_tokens   bigint NOT NULL DEFAULT 0,
  cost_usd          numeric,
  prompt_tokens     integer,
  completion_tokens integer,
  started_at        timestamptz NOT NULL,
  expires_at        timestamptz NOT NULL,
  finished_at       timestamptz,
  CONSTRAINT calls_pkey PRIMARY KEY (workspace_id, call_id),
  CONSTRAINT calls_kind_check CHECK (kind = ANY (ARRAY['text'::text, 'object'::text, 'stream'::text])),
  CONSTRAINT calls_request_id_check CHECK (length(request_id) >= 1 AND length(request_id) <= 200),
  CONSTRAINT calls_status_check CHECK (status = ANY (ARRAY['reserved'::text, 'ok'::text, 'failed'::text, 'expired'::text])),
  CONSTRAINT calls_user_id_check CHECK (length(user_id) >= 1 AND length(user_id) <= 200),
  CONSTRAINT failed_has_code CHECK ((status = 'failed'::text) = (code IS NOT NULL)),
  CONSTRAINT finished_has_time CHECK ((status = ANY (ARRAY['ok'::text, 'failed'::text])) = (finished_at IS NOT NULL)),
  CONSTRAINT calls_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX calls_by_time ON llm.calls USING btree (started_at, workspace_id);
CREATE INDEX calls_of_user ON llm.calls USING btree (user_id, workspace_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX calls_once ON llm.calls USING btree (workspace_id, request_id) WHERE status = ANY (ARRAY['reserved'::text, 'ok'::text]);
CREATE INDEX calls_under_way ON llm.calls USING btree (workspace_id, expires_at) WHERE status = 'reserved'::text;
ALTER TABLE llm.calls ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.installation_caps (
  period     text NOT NULL,
  unit       text NOT NULL,
  cap        numeric NOT NULL,
  updated_at timestamptz NOT NULL,
  updated_by text NOT NULL,
  CONSTRAINT installation_caps_pkey PRIMARY KEY (period, unit),
  CONSTRAINT installation_caps_cap_check CHECK (cap >= 0::numeric),
  CONSTRAINT installation_caps_period_check CHECK (period = ANY (ARRAY['day'::text, 'month'::text])),
  CONSTRAINT installation_caps_unit_check CHECK (unit = ANY (ARRAY['usd'::text, 'tokens'::text, 'calls'::text]))
);
ALTER TABLE llm.installation_caps ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.llm_policies (
  workspace_id uuid NOT NULL,
  key          text NOT NULL,
  provider     text NOT NULL,
  model        text NOT NULL,
  fallbacks    jsonb NOT NULL DEFAULT '[]'::jsonb,
  temperature  numeric,
  max_tokens   integer NOT NULL,
  timeout_ms   integer NOT NULL,
  options      jsonb NOT NULL DEFAULT '{}'::jsonb,
  enabled      boolean NOT NULL DEFAULT true,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT llm_policies_pkey PRIMARY KEY (workspace_id, key),
  CONSTRAINT llm_policies_fallbacks_check CHECK (jsonb_typeof(fallbacks) = 'array'::text),
  CONSTRAINT llm_policies_key_check CHECK (key ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT llm_policies_max_tokens_check CHECK (max_tokens >= 1 AND max_tokens <= 200000),
  CONSTRAINT llm_policies_model_check CHECK (length(model) >= 1 AND length(model) <= 200),
  CONSTRAINT llm_policies_options_check CHECK (jsonb_typeof(options) = 'object'::text),
  CONSTRAINT llm_policies_provider_check CHECK (provider = ANY (ARRAY['openrouter'::text, 'openai'::text, 'compatible'::text])),
  CONSTRAINT llm_policies_temperature_check CHECK (temperature >= 0::numeric AND temperature <= 2::numeric),
  CONSTRAINT llm_policies_timeout_ms_check CHECK (timeout_ms >= 100 AND timeout_ms <= 600000),
  CONSTRAINT options_allowed CHECK ((options - ARRAY['chat_template_kwargs'::text, 'frequency_penalty'::text, 'include_reasoning'::text, 'logit_bias'::text, 'min_p'::text, 'presence_penalty'::text, 'provider'::text, 'reasoning'::text, 'reasoning_effort'::text, 'repetition_penalty'::text, 'seed'::text, 'stop'::text, 'top_a'::text, 'top_k'::text, 'top_p'::text, 'transforms'::text, 'user'::text, 'verbosity'::text]) = '{}'::jsonb),
  CONSTRAINT llm_policies_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE llm.llm_policies ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.model_prices (
  workspace_id   uuid NOT NULL,
  provider       text NOT NULL,
  model          text NOT NULL,
  prompt_usd     numeric NOT NULL,
  completion_usd numeric NOT NULL,
  updated_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT model_prices_pkey PRIMARY KEY (workspace_id, provider, model),
  CONSTRAINT model_prices_completion_usd_check CHECK (completion_usd >= 0::numeric),
  CONSTRAINT model_prices_model_check CHECK (length(model) >= 1 AND length(model) <= 200),
  CONSTRAINT model_prices_prompt_usd_check CHECK (prompt_usd >= 0::numeric),
  CONSTRAINT model_prices_provider_check CHECK (provider = ANY (ARRAY['openrouter'::text, 'openai'::text, 'compatible'::text])),
  CONSTRAINT model_prices_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE llm.model_prices ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.prompts (
  workspace_id uuid NOT NULL,
  name         text NOT NULL,
  version      integer NOT NULL,
  body         text NOT NULL,
  sha256       text NOT NULL,
  source       text NOT NULL,
  active       boolean NOT NULL DEFAULT false,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT prompts_pkey PRIMARY KEY (workspace_id, name, version),
  CONSTRAINT prompts_body_check CHECK (btrim(body) <> ''::text),
  CONSTRAINT prompts_name_check CHECK (name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT prompts_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT prompts_source_check CHECK (source = ANY (ARRAY['file'::text, 'operator'::text])),
  CONSTRAINT prompts_version_check CHECK (version >= 1),
  CONSTRAINT prompts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX prompts_active ON llm.prompts USING btree (workspace_id, name) WHERE active;
ALTER TABLE llm.prompts ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.requests (
  workspace_id      uuid NOT NULL,
  call_id           uuid NOT NULL,
  number            integer NOT NULL,
  provider          text NOT NULL,
  model             text NOT NULL,
  purpose           text NOT NULL,
  outcome           text NOT NULL,
  http_status       integer,
  prompt_tokens     integer NOT NULL DEFAULT 0,
  completion_tokens integer NOT NULL DEFAULT 0,
  cached_tokens     integer NOT NULL DEFAULT 0,
  cost_usd          numeric,
  estimated         boolean NOT NULL DEFAULT false,
  latency_ms        integer NOT NULL,
  error             text,
  started_at        timestamptz NOT NULL,
  CONSTRAINT requests_pkey PRIMARY KEY (workspace_id, call_id, number),
  CONSTRAINT requests_number_check CHECK (number >= 1),
  CONSTRAINT requests_purpose_check CHECK (purpose = ANY (ARRAY['answer'::text, 'repair'::text])),
  CONSTRAINT requests_workspace_id_call_id_fkey FOREIGN KEY (workspace_id, call_id) REFERENCES llm.calls(workspace_id, call_id) ON DELETE CASCADE
);
ALTER TABLE llm.requests ENABLE ROW LEVEL SECURITY;

CREATE TABLE llm.spending (
  workspace_id    uuid NOT NULL,
  scope           text NOT NULL,
  subject         text NOT NULL,
  period          text NOT NULL,
  starts_on       date NOT NULL,
  spent_usd       numeric NOT NULL DEFAULT 0,
  spent_tokens    bigint NOT NULL DEFAULT 0,
  spent_calls     bigint NOT NULL DEFAULT 0,
  reserved_usd    numeric NOT NULL DEFAULT 0,
  reserved_tokens bigint NOT NULL DEFAULT 0,
  reserved_calls  bigint NOT NULL DEFAULT 0,
  CONSTRAINT spending_pkey PRIMARY KEY (workspace_id, scope, subject, period, starts_on),
  CONSTRAINT spending_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX spending_of_workspaces ON llm.spending USING btree (period, starts_on) WHERE scope = 'workspace'::text;
ALTER TABLE llm.spending ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION llm.activate_prompt(p_workspace_id uuid, p_name text, p_version integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform llm.lock_settings(p_workspace_id);
  if not exists (
    select from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version
  ) then
    return false;
  end if;
  -- Two statements, the old one off first: the index that allows one active version is checked row by row.
  update llm.prompts p set active = false
  where p.workspace_id = p_workspace_id and p.name = p_name and p.active and p.version <> p_version;
  update llm.prompts p set active = true
  where p.workspace_id = p_workspace_id and p.name = p_name and p.version = p_version and not p.active;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION llm.book(p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamp with time zone, p_reserved_usd numeric, p_reserved_tokens bigint, p_reserved_calls bigint, p_spent_usd numeric DEFAULT 0, p_spent_tokens bigint DEFAULT 0, p_spent_calls bigint DEFAULT 0)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into llm.spending as s (workspace_id, scope, subject, period, starts_on,
    reserved_usd, reserved_tokens, reserved_calls, spent_usd, spent_tokens, spent_calls)
  select p_workspace_id, b.scope, b.subject, b.period, b.starts_on,
    p_reserved_usd, p_reserved_tokens, p_reserved_calls, p_spent_usd, p_spent_tokens, p_spent_calls
  from llm.books_of(p_policy, p_user_id, p_started_at) b
  on conflict (workspace_id, scope, subject, period, starts_on) do update set
    reserved_usd = s.reserved_usd + excluded.reserved_usd,
    reserved_tokens = s.reserved_tokens + excluded.reserved_tokens,
    reserved_calls = s.reserved_calls + excluded.reserved_calls,
    spent_usd = s.spent_usd + excluded.spent_usd,
    spent_tokens = s.spent_tokens + excluded.spent_tokens,
    spent_calls = s.spent_calls + excluded.spent_calls
$function$;

CREATE OR REPLACE FUNCTION llm.books_of(p_policy text, p_user_id text, p_started_at timestamp with time zone)
 RETURNS TABLE(scope text, subject text, period text, starts_on date)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select b.scope, b.subject, p.period, date_trunc(p.period, p_started_at at time zone 'UTC')::date
  from (values ('workspace', '*'), ('policy', p_policy), ('user', p_user_id)) b (scope, subject)
  cross join (values ('day'), ('month')) p (period)
  where b.subject is not null
$function$;

CREATE OR REPLACE FUNCTION llm.briefing(p_workspace_id uuid, p_policy text, p_prompt text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'stamp', llm.briefing_stamp(p_workspace_id, p_policy, p_prompt),
    'policy', (
      select to_jsonb(p) - 'workspace_id' - 'updated_at'
      from llm.llm_policies p where p.workspace_id = p_workspace_id and p.key = p_policy),
    'prompt', (
      select jsonb_build_object('version', t.version, 'body', t.body)
      from llm.prompts t where t.workspace_id = p_workspace_id and t.name = p_prompt and t.active),
    'prices', coalesce((
      select jsonb_agg(jsonb_build_object('provider', m.provider, 'model', m.model, 'prompt_usd', m.prompt_usd,
                                          'completion_usd', m.completion_usd))
      from llm.model_prices m
      join llm.llm_policies p on p.workspace_id = m.workspace_id and p.key = p_policy
      where m.workspace_id = p_workspace_id
        and (m.provider = p.provider and m.model = p.model
             or p.fallbacks @> jsonb_build_array(jsonb_build_object('provider', m.provider, 'model', m.model)))
    ), '[]'))
$function$;

CREATE OR REPLACE FUNCTION llm.briefing_stamp(p_workspace_id uuid, p_policy text, p_prompt text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select concat_ws('-',
    (select p.xmin from llm.llm_policies p where p.workspace_id = p_workspace_id and p.key = p_policy),
    (select t.xmin from llm.prompts t where t.workspace_id = p_workspace_id and t.name = p_prompt and t.active),
    (select sum(m.xmin::text::bigint) from llm.model_prices m where m.workspace_id = p_workspace_id))
$function$;

CREATE OR REPLACE FUNCTION llm.caps_of(p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamp with time zone)
 RETURNS TABLE(scope text, subject text, period text, unit text, cap numeric, used numeric, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select k.scope, k.subject, k.period, c.unit, c.cap,
    case c.unit
      when 'usd' then coalesce(s.spent_usd + s.reserved_usd, 0)
      when 'tokens' then coalesce(s.spent_tokens + s.reserved_tokens, 0)
      else coalesce(s.spent_calls + s.reserved_calls, 0)
    end,
    (k.starts_on + ('1 ' || k.period)::interval) at time zone 'UTC'
  from llm.books_of(p_policy, p_user_id, p_started_at) k
  -- One that is named has its own cap instead of everybody's.
  join lateral (
    select distinct on (b.unit) b.unit, b.cap
    from llm.budgets b
    where b.workspace_id = p_workspace_id and b.scope = k.scope and b.period = k.period and b.subject in (k.subject, '*')
    order by b.unit, b.subject = '*'
  ) c on true
  left join llm.spending s on s.workspace_id = p_workspace_id and s.scope = k.scope and s.subject = k.subject
    and s.period = k.period and s.starts_on = k.starts_on
  union all
  select 'installation', '*', i.period, i.unit, i.cap, i.used, i.ends_at from llm.installation_caps_at(p_started_at) i
$function$;

CREATE OR REPLACE FUNCTION llm.expire_all_calls(p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_workspace_id uuid;
  v_count        int := 0;
begin
  for v_workspace_id in
    select distinct c.workspace_id from llm.calls c where c.status = 'reserved' and c.expires_at <= p_now order by 1
  loop
    perform llm.lock_books(v_workspace_id);
    v_count := v_count + llm.expire_calls(v_workspace_id, p_now);
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION llm.expire_calls(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_call  llm.calls;
  v_count int := 0;
begin
  for v_call in
    update llm.calls c set status = 'expired'
    where c.workspace_id = p_workspace_id and c.status = 'reserved' and c.expires_at <= p_now
    returning c.*
  loop
    if v_call.reserved_tokens > 0 then
      perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at,
        -v_call.reserved_usd, -v_call.reserved_tokens, -1);
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION llm.extend_call(p_workspace_id uuid, p_call_id uuid, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_call llm.calls;
  v_cap  jsonb;
  v_more boolean;
begin
  perform llm.lock_books(p_workspace_id);
  select * into v_call from llm.calls c where c.workspace_id = p_workspace_id and c.call_id = p_call_id for update;
  if v_call.status is distinct from 'reserved' then
    return jsonb_build_object('refused', 'expired');
  end if;
  -- A call that was begun when there was no cap ends under none.
  v_more := p_tokens > 0 and v_call.reserved_tokens > 0;
  if v_more then
    if exists (select from llm.installation_caps) then
      perform llm.lock_installation();
    end if;
    v_cap := llm.passed_cap(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, p_usd, p_tokens, 0);
    if v_cap is not null then
      return jsonb_build_object('refused', 'budget', 'cap', v_cap);
    end if;
    perform llm.book(p_workspace_id, v_call.policy, v_call.user_id, v_call.started_at, coalesce(p_usd, 0), p_tokens, 0);
  end if;
  update llm.calls c set
    reserved_usd = c.reserved_usd + case when v_more then coalesce(p_usd, 0) else 0 end,
    reserved_tokens = c.reserved_tokens + case when v_more then p_tokens else 0 end,
    expires_at = p_now + p_lease
  where c.workspace_id = p_workspace_id and c.call_id = p_call_id;
  return '{}';
end
$function$;

CREATE OR REPLACE FUNCTION llm.forget_old_calls(p_keep interval DEFAULT '400 days'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_count int;
begin
  delete from llm.calls c where c.started_at < p_now - p_keep;
  get diagnostics v_count = row_count;
  delete from llm.spending s where s.starts_on < (p_now - p_keep)::date;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION llm.forget_user(p_workspace_id uuid, p_user_id text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_count int;
begin
  perform llm.lock_books(p_workspace_id);
  -- A provider's error may quote what was asked.
  update llm.requests r set error = null
  from llm.calls c
  where c.workspace_id = p_workspace_id and c.user_id = p_user_id and r.workspace_id = p_workspace_id and r.call_id = c.call_id;
  update llm.calls c set user_id = null, request_id = null
  where c.workspace_id = p_workspace_id and c.user_id = p_user_id;
  get diagnostics v_count = row_count;
  delete from llm.spending s where s.workspace_id = p_workspace_id and s.scope = 'user' and s.subject = p_user_id;
  delete from llm.budgets b where b.workspace_id = p_workspace_id and b.scope = 'user' and b.subject = p_user_id;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION llm.installation_caps_at(p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(period text, unit text, cap numeric, used numeric, ends_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select i.period, i.unit, i.cap,
    case i.unit
      when 'usd' then coalesce(s.usd, 0)
      when 'tokens' then coalesce(s.tokens, 0)
      else coalesce(s.calls, 0)
    end,
    (d.starts_on + ('1 ' || i.period)::interval) at time zone 'UTC'
  from llm.installation_caps i
  cross join lateral (select date_trunc(i.period, p_now at time zone 'UTC')::date as starts_on) d
  cross join lateral (
    select sum(b.spent_usd + b.reserved_usd) as usd, sum(b.spent_tokens + b.reserved_tokens) as tokens,
      sum(b.spent_calls + b.reserved_calls) as calls
    from llm.spending b
    where b.scope = 'workspace' and b.period = i.period and b.starts_on = d.starts_on
  ) s
$function$;

CREATE OR REPLACE FUNCTION llm.lock_books(p_workspace_id uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended('llm.spending ' || p_workspace_id, 0))
$function$;

CREATE OR REPLACE FUNCTION llm.lock_installation()
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended('llm.spending of the installation', 0))
$function$;

CREATE OR REPLACE FUNCTION llm.lock_settings(p_workspace_id uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  select pg_advisory_xact_lock(hashtextextended('llm.settings ' || p_workspace_id, 0))
$function$;

CREATE OR REPLACE FUNCTION llm.passed_cap(p_workspace_id uuid, p_policy text, p_user_id text, p_started_at timestamp with time zone, p_usd numeric, p_tokens bigint, p_calls bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('scope', c.scope, 'subject', c.subject, 'period', c.period, 'unit', c.unit,
                            'cap', c.cap, 'used', c.used, 'ends_at', c.ends_at,
                            'price_unknown', c.unit = 'usd' and p_usd is null)
  from llm.caps_of(p_workspace_id, p_policy, p_user_id, p_started_at) c
  where case c.unit
          when 'usd' then p_usd is null or c.used + p_usd > c.cap
          when 'tokens' then c.used + p_tokens > c.cap
          else c.used + p_calls > c.cap
        end
  order by c.ends_at desc, c.scope, c.unit
  limit 1
$function$;

CREATE OR REPLACE FUNCTION llm.reserve_briefed_call(p_stamp text, p_workspace_id uuid, p_request_id text, p_policy text, p_user_id text, p_kind text, p_prompt text, p_prompt_version integer, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
begin
  if p_stamp is distinct from llm.briefing_stamp(p_workspace_id, p_policy, p_prompt) then
    return jsonb_build_object('refused', 'stale');
  end if;
  return llm.reserve_call(p_workspace_id, p_request_id, p_policy, p_user_id, p_kind, p_prompt, p_prompt_version, p_usd, p_tokens,
    p_lease, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION llm.reserve_call(p_workspace_id uuid, p_request_id text, p_policy text, p_user_id text, p_kind text, p_prompt text, p_prompt_version integer, p_usd numeric, p_tokens bigint, p_lease interval, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_other  llm.calls;
  v_cap    jsonb;
  v_shared boolean := exists (select from llm.installation_caps);
  v_capped boolean := v_shared or exists (select from llm.budgets b where b.workspace_id = p_workspace_id);
  v_id     uuid := molva.uuidv7(p_now);
begin
  if v_capped then
    perform llm.lock_books(p_workspace_id);
    perform llm.expire_calls(p_workspace_id, p_now);
  end if;
  -- Written first and looked for afterwards: looking first would take a moment of every call for the few that come twice.
  loop
    insert into llm.calls (workspace_id, call_id, request_id, policy, user_id, kind, prompt, prompt_version,
      reserved_usd, reserved_tokens, started_at, expires_at)
    values (p_workspace_id, v_id, p_request_id, p_policy, p_user_id, p_kind, p_prompt, p_prompt_version,
      case when v_capped then coalesce(p_usd, 0) else 0 end, case when v_capped then p_tokens else 0 end, p_now, p_now + p_lease)
    on conflict (workspace_id, request_id) where status in ('reserved', 'ok') do nothing;
    exit when found;
    select * into v_other from llm.calls c
    where c.workspace_id = p_workspace_id and c.request_id = p_request_id and c.status in ('reserved', 'ok');
    if v_other.status = 'ok' then
      return jsonb_build_object('refused', 'already_answered', 'call_id', v_other.call_id);
    elsif v_other.expires_at > p_now then
      return jsonb_build_object('refused', 'in_progress', 'call_id', v_other.call_id, 'until', v_other.expires_at);
    end if;
    perform llm.lock_books(p_workspace_id);
    perform llm.expire_calls(p_workspace_id, p_now);
  end loop;
  if not v_capped then
    return jsonb_build_object('call_id', v_id);
  end if;
  if v_shared then
    perform llm.lock_installation();
  end if;
  v_cap := llm.passed_cap(p_workspace_id, p_policy, p_user_id, p_now, p_usd, p_tokens, 1);
  if v_cap is not null then
    update llm.calls c set status = 'failed', code = 'budget_exceeded', cost_usd = 0, reserved_usd = 0, reserved_tokens = 0,
      expires_at = p_now, finished_at = p_now
    where c.workspace_id = p_workspace_id and c.call_id = v_id;
    return jsonb_build_object('refused', 'budget', 'cap', v_cap);
  end if;
  perform llm.book(p_workspace_id, p_policy, p_user_id, p_now, coalesce(p_usd, 0), p_tokens, 1);
  return jsonb_build_object('call_id', v_id);
end
$function$;

CREATE OR REPLACE FUNCTION llm.save_prompt(p_workspace_id uuid, p_name text, p_body text, p_source text, p_activate boolean, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_version int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.prompts (workspace_id, name, version, body, sha256, source, created_at)
  select p_workspace_id, p_name, coalesce(max(p.version), 0) + 1, p_body,
    encode(sha256(convert_to(p_body, 'UTF8')), 'hex'), p_source, p_now
  from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name
  returning version into v_version;
  if p_activate then
    perform llm.activate_prompt(p_workspace_id, p_name, v_version);
  end if;
  return v_version;
end
$function$;

CREATE OR REPLACE FUNCTION llm.seed_policies(p_workspace_id uuid, p_policies jsonb, p_prices jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_added int;
begin
  perform llm.lock_settings(p_workspace_id);
  insert into llm.model_prices (workspace_id, provider, model, prompt_usd, completion_usd, updated_at)
  select p_workspace_id, r.provider, r.model, r.prompt_usd, r.completion_usd, p_now
  from jsonb_to_recordset(p_prices) as r (provider text, model text, prompt_usd numeric, completion_usd numeric)
  on conflict do nothing;
  insert into llm.llm_policies (workspace_id, key, provider, model, fallbacks, temperature, max_tokens, timeout_ms, options, updated_at)
  select p_workspace_id, r.key, r.provider, r.model, r.fallbacks, r.temperature, r.max_tokens, r.timeout_ms, r.options, p_now
  from jsonb_to_recordset(p_policies) as r (key text, provider text, model text, fallbacks jsonb, temperature numeric,
    max_tokens int, timeout_ms int, options jsonb)
  on conflict do nothing;
  get diagnostics v_added = row_count;
  return v_added;
end
$function$;

CREATE OR REPLACE FUNCTION llm.seed_prompt(p_workspace_id uuid, p_name text, p_body text, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_last llm.prompts;
begin
  perform llm.lock_settings(p_workspace_id);
  select * into v_last from llm.prompts p
  where p.workspace_id = p_workspace_id and p.name = p_name and p.source = 'file'
  order by p.version desc limit 1;
  if v_last.body = p_body then
    return null;
  end if;
  return llm.save_prompt(p_workspace_id, p_name, p_body, 'file',
    coalesce(v_last.active, not exists (
      select from llm.prompts p where p.workspace_id = p_workspace_id and p.name = p_name and p.active)), p_now);
end
$function$;

CREATE OR REPLACE FUNCTION llm.settle_calls(p_calls jsonb)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_workspace uuid;
  -- The rows are looked up by this list, whatever the planner knows of the table.
  v_ids       uuid[] := array(select (e ->> 'call_id')::uuid from jsonb_array_elements(p_calls) as e);
begin
  -- In one order, as everybody does.
  for v_workspace in select distinct (e ->> 'workspace_id')::uuid from jsonb_array_elements(p_calls) as e order by 1 loop
    perform llm.lock_books(v_workspace);
  end loop;

  return query
  with ended as materialized (
    select distinct on (e.workspace_id, e.call_id) e.*
    from jsonb_to_recordset(p_calls) as e (workspace_id uuid, call_id uuid, code text, requests jsonb, at timestamptz)
  ),
  held as materialized (
    select c.workspace_id, c.call_id, c.policy, c.user_id, c.request_id, c.started_at, c.status = 'reserved' as is_held,
      c.reserved_usd, c.reserved_tokens, e.code, e.requests, e.at
    from ended e
    join llm.calls c using (workspace_id, call_id)
    where c.call_id = any (v_ids) and c.status in ('reserved', 'expired')
    for update of c
  ),
  asked as materialized (
    select h.workspace_id, h.call_id, r.*
    from held h
    cross join lateral rows from (
      jsonb_to_recordset(h.requests) as (provider text, model text, purpose text, outcome text, http_status int,
        prompt_tokens int, completion_tokens int, cached_tokens int, cost_usd numeric, estimated boolean, latency_ms int,
        error text, started_at timestamptz)
    ) with ordinality as r (provider, model, purpose, outcome, http_status, prompt_tokens, completion_tokens, cached_tokens,
      cost_usd, estimated, latency_ms, error, started_at, number)
  ),
  written as (
    insert into llm.requests (workspace_id, call_id, number, provider, model, purpose, outcome, http_status, prompt_tokens,
      completion_tokens, cached_tokens, cost_usd, estimated, latency_ms, error, started_at)
    select a.workspace_id, a.call_id, a.number, a.provider, a.model, a.purpose, a.outcome, a.http_status, a.prompt_tokens,
      a.completion_tokens, a.cached_tokens, a.cost_usd, a.estimated, a.latency_ms, a.error, a.started_at
    from asked a
  ),
  summed as materialized (
    select h.*, s.usd, coalesce(s.prompt, 0) as prompt, coalesce(s.completion, 0) as completion
    from held h
    left join (
      select a.call_id, sum(a.cost_usd) as usd, sum(a.prompt_tokens) as prompt, sum(a.completion_tokens) as completion
      from asked a group by 1
    ) s using (call_id)
  ),
  booked as (
    insert into llm.spending as b (workspace_id, scope, subject, period, starts_on,
      reserved_usd, reserved_tokens, reserved_calls, spent_usd, spent_tokens, spent_calls)
    select s.workspace_id, o.scope, o.subject, o.period, o.starts_on,
      -coalesce(sum(s.reserved_usd) filter (where s.is_held), 0),
      -coalesce(sum(s.reserved_tokens) filter (where s.is_held), 0),
      -count(*) filter (where s.is_held and s.reserved_tokens > 0),
      coalesce(sum(s.usd), 0), sum(s.prompt + s.completion), count(*)
    from summed s
    cross join lateral llm.books_of(s.policy, s.user_id, s.started_at) o
    group by 1, 2, 3, 4, 5
    on conflict (workspace_id, scope, subject, period, starts_on) do update set
      reserved_usd = b.reserved_usd + excluded.reserved_usd,
      reserved_tokens = b.reserved_tokens + excluded.reserved_tokens,
      reserved_calls = b.reserved_calls + excluded.reserved_calls,
      spent_usd = b.spent_usd + excluded.spent_usd,
      spent_tokens = b.spent_tokens + excluded.spent_tokens,
      spent_calls = b.spent_calls + excluded.spent_calls
  ),
  judged as materialized (
    -- Somebody else may have answered the same request after this call was given up.
    select s.*, case when s.code is null and not s.is_held and exists (
      select from llm.calls o
      where o.workspace_id = s.workspace_id and o.request_id = s.request_id and o.status in ('reserved', 'ok')
    ) then 'overtaken' else s.code end as final_code
    from summed s
  )
  update llm.calls c set
    status = case when j.final_code is null then 'ok' else 'failed' end, code = j.final_code,
    cost_usd = j.usd, prompt_tokens = j.prompt, completion_tokens = j.completion, finished_at = j.at
  from judged j
  where c.workspace_id = j.workspace_id and c.call_id = any (v_ids) and c.call_id = j.call_id
  returning c.call_id;
end
$function$;

CREATE OR REPLACE FUNCTION llm.usage(p_workspace_id uuid, p_from timestamp with time zone, p_to timestamp with time zone, p_by text[], p_policy text DEFAULT NULL::text, p_user_id text DEFAULT NULL::text)
 RETURNS TABLE(day date, policy text, provider text, model text, user_id text, calls bigint, failed bigint, requests bigint, prompt_tokens bigint, completion_tokens bigint, cached_tokens bigint, cost_usd numeric, estimated_usd numeric, mean_latency_ms integer)
 LANGUAGE sql
 STABLE
AS $function$
  select
    case when 'day' = any (p_by) then (c.started_at at time zone 'UTC')::date end as day,
    case when 'policy' = any (p_by) then c.policy end as policy,
    case when 'model' = any (p_by) then r.provider end as provider,
    case when 'model' = any (p_by) then r.model end as model,
    case when 'user' = any (p_by) then c.user_id end as user_id,
    count(distinct c.call_id), count(distinct c.call_id) filter (where c.status in ('failed', 'expired')), count(r.number),
    coalesce(sum(r.prompt_tokens), 0), coalesce(sum(r.completion_tokens), 0), coalesce(sum(r.cached_tokens), 0),
    coalesce(sum(r.cost_usd), 0), coalesce(sum(r.cost_usd) filter (where r.estimated), 0), avg(r.latency_ms)::int
  from llm.calls c
  left join llm.requests r using (workspace_id, call_id)
  where c.workspace_id = p_workspace_id and c.started_at >= p_from and c.started_at < p_to
    and (p_policy is null or c.policy = p_policy) and (p_user_id is null or c.user_id = p_user_id)
    and ('model' <> all (p_by) or r.number is not null)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
$function$;

-- shopbot -------------------------------------------------------------------------------------------------------------

CREATE TABLE shopbot.bots (
  workspace_id          uuid NOT NULL,
  enabled               boolean NOT NULL DEFAULT true,
  auth_ref              text NOT NULL,
  endpoint_id           uuid NOT NULL,
  operators_chat_id     text,
  settings              jsonb NOT NULL DEFAULT '{}'::jsonb,
  revision              bigint NOT NULL DEFAULT 1,
  rate_rps              numeric NOT NULL DEFAULT 25,
  chat_rps              numeric NOT NULL DEFAULT 2,
  keep_subscribed       boolean NOT NULL DEFAULT false,
  webhook_url           text,
  subscribed_at         timestamptz,
  checked_at            timestamptz,
  subscription_error    text,
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  monitor_minutes       integer NOT NULL DEFAULT 15,
  monitor_errors        integer NOT NULL DEFAULT 10,
  monitor_fallback_pct  numeric NOT NULL DEFAULT 50,
  monitor_min_questions integer NOT NULL DEFAULT 5,
  CONSTRAINT bots_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT bots_auth_ref_check CHECK (auth_ref <> ''::text),
  CONSTRAINT bots_chat_rps_check CHECK (chat_rps >= 0::numeric),
  CONSTRAINT bots_monitor_errors_check CHECK (monitor_errors >= 0),
  CONSTRAINT bots_monitor_fallback_pct_check CHECK (monitor_fallback_pct >= 0::numeric AND monitor_fallback_pct <= 100::numeric),
  CONSTRAINT bots_monitor_min_questions_check CHECK (monitor_min_questions >= 1),
  CONSTRAINT bots_monitor_minutes_check CHECK (monitor_minutes >= 1 AND monitor_minutes <= 1440),
  CONSTRAINT bots_operators_chat_id_check CHECK (operators_chat_id <> ''::text),
  CONSTRAINT bots_rate_rps_check CHECK (rate_rps >= 0::numeric),
  CONSTRAINT bots_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT bots_workspace_id_endpoint_id_fkey FOREIGN KEY (workspace_id, endpoint_id) REFERENCES delivery.workspace_endpoints(workspace_id, endpoint_id),
  CONSTRAINT bots_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE shopbot.bots ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_buckets (
  workspace_id uuid NOT NULL,
  tokens       double precision NOT NULL,
  refilled_at  timestamptz NOT NULL,
  CONSTRAINT bot_buckets_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT bot_buckets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES shopbot.bots(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=50);
ALTER TABLE shopbot.bot_buckets ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_chats (
  workspace_id  uuid NOT NULL,
  chat_id       text NOT NULL,
  user_id       text,
  user_name     text,
  tokens        double precision,
  refilled_at   timestamptz,
  flooded       boolean NOT NULL DEFAULT false,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at  timestamptz NOT NULL DEFAULT now(),
  called_at     timestamptz,
  reminders     integer NOT NULL DEFAULT 0,
  CONSTRAINT bot_chats_pkey PRIMARY KEY (workspace_id, chat_id),
  CONSTRAINT bot_chats_chat_id_check CHECK (chat_id <> ''::text),
  CONSTRAINT bot_chats_reminders_check CHECK (reminders >= 0),
  CONSTRAINT bot_chats_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX bot_chats_by_time ON shopbot.bot_chats USING btree (workspace_id, last_seen_at DESC, chat_id);
CREATE INDEX bot_chats_called ON shopbot.bot_chats USING btree (called_at) WHERE called_at IS NOT NULL;
ALTER TABLE shopbot.bot_chats ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_inbox (
  workspace_id        uuid NOT NULL,
  provider            text NOT NULL,
  chat_id             text NOT NULL,
  provider_message_id text NOT NULL,
  ts                  timestamptz NOT NULL,
  seq                 bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  body                jsonb NOT NULL,
  payload             jsonb NOT NULL,
  trace_id            text NOT NULL,
  received_at         timestamptz NOT NULL DEFAULT now(),
  processed_at        timestamptz,
  failures            integer NOT NULL DEFAULT 0,
  provider_seq        bigint,
  CONSTRAINT bot_inbox_pkey PRIMARY KEY (workspace_id, provider, chat_id, provider_message_id),
  CONSTRAINT bot_inbox_body_check CHECK (jsonb_typeof(body) = 'object'::text),
  CONSTRAINT bot_inbox_chat_id_check CHECK (chat_id <> ''::text),
  CONSTRAINT bot_inbox_provider_check CHECK (provider <> ''::text),
  CONSTRAINT bot_inbox_provider_message_id_check CHECK (provider_message_id <> ''::text),
  CONSTRAINT bot_inbox_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX bot_inbox_by_time ON shopbot.bot_inbox USING btree (workspace_id, received_at);
CREATE INDEX bot_inbox_waiting ON shopbot.bot_inbox USING btree (workspace_id, chat_id, ts, provider_seq, seq) WHERE processed_at IS NULL;
ALTER TABLE shopbot.bot_inbox ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_logs (
  workspace_id                uuid NOT NULL,
  id                          uuid NOT NULL DEFAULT molva.uuidv7(),
  ts                          timestamptz NOT NULL DEFAULT now(),
  seq                         bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  chat_id                     text NOT NULL,
  inbound_provider_message_id text NOT NULL,
  action                      text NOT NULL,
  result                      text NOT NULL,
  outcome                     text NOT NULL,
  message_text                text NOT NULL,
  matched_rule_id             text,
  rule_version                integer,
  state_before                text NOT NULL,
  state_after                 text NOT NULL,
  response_preview            text,
  meta                        jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT bot_logs_pkey PRIMARY KEY (workspace_id, id),
  CONSTRAINT bot_logs_result_check CHECK (result = ANY (ARRAY['ok'::text, 'error'::text])),
  CONSTRAINT rule_has_version CHECK (matched_rule_id IS NULL AND rule_version IS NULL OR matched_rule_id IS NOT NULL AND rule_version IS NOT NULL),
  CONSTRAINT bot_logs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE INDEX bot_logs_by_chat ON shopbot.bot_logs USING btree (workspace_id, chat_id, ts, seq);
CREATE INDEX bot_logs_by_time ON shopbot.bot_logs USING btree (workspace_id, ts DESC);
CREATE INDEX bot_logs_unanswered ON shopbot.bot_logs USING btree (workspace_id, ts DESC) WHERE outcome = ANY (ARRAY['fallback'::text, 'escalated'::text]);
ALTER TABLE shopbot.bot_logs ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_outbox (
  workspace_id                uuid NOT NULL,
  chat_id                     text NOT NULL,
  inbound_provider_message_id text NOT NULL,
  outbox_id                   uuid NOT NULL DEFAULT molva.uuidv7(),
  seq                         bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind                        text NOT NULL,
  text                        text NOT NULL,
  compiled                    jsonb,
  callback_id                 text,
  notification                text,
  about_chat_id               text,
  author                      text,
  response_hash               text NOT NULL,
  trace_id                    text NOT NULL,
  status                      text NOT NULL DEFAULT 'waiting'::text,
  attempt                     integer NOT NULL DEFAULT 0,
  doubtful                    boolean NOT NULL DEFAULT false,
  not_before                  timestamptz NOT NULL DEFAULT now(),
  first_sent_at               timestamptz,
  sending_started_at          timestamptz,
  sent_at                     timestamptz,
  provider_message_id         text,
  last_error                  jsonb,
  created_at                  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bot_outbox_pkey PRIMARY KEY (workspace_id, chat_id, inbound_provider_message_id),
  CONSTRAINT bot_outbox_attempt_check CHECK (attempt >= 0),
  CONSTRAINT bot_outbox_chat_id_check CHECK (chat_id <> ''::text),
  CONSTRAINT bot_outbox_kind_check CHECK (kind = ANY (ARRAY['reply'::text, 'relay'::text, 'handover'::text, 'operator'::text, 'notice'::text])),
  CONSTRAINT bot_outbox_status_check CHECK (status = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text])),
  CONSTRAINT sending_has_start CHECK ((status = 'sending'::text) = (sending_started_at IS NOT NULL)),
  CONSTRAINT sent_has_time CHECK ((status = 'sent'::text) = (sent_at IS NOT NULL)),
  CONSTRAINT bot_outbox_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX bot_outbox_by_provider_id ON shopbot.bot_outbox USING btree (workspace_id, chat_id, provider_message_id) WHERE provider_message_id IS NOT NULL;
CREATE INDEX bot_outbox_by_time ON shopbot.bot_outbox USING btree (workspace_id, created_at);
CREATE INDEX bot_outbox_due ON shopbot.bot_outbox USING btree (workspace_id, not_before, seq) WHERE status = ANY (ARRAY['waiting'::text, 'sending'::text]);
CREATE INDEX bot_outbox_sent ON shopbot.bot_outbox USING btree (workspace_id, chat_id, sent_at DESC) WHERE status = 'sent'::text;
CREATE INDEX bot_outbox_waiting ON shopbot.bot_outbox USING btree (workspace_id, chat_id, seq) WHERE status = ANY (ARRAY['waiting'::text, 'sending'::text]);
ALTER TABLE shopbot.bot_outbox ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION shopbot.refuse_reply_transition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a reply cannot go from % to %', old.status, new.status
    using errcode = 'check_violation', detail = format('outbox %s', old.outbox_id);
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.reply_transition_allowed(p_from text, p_to text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE p_from WHEN 'waiting'::text THEN (p_to = ANY (ARRAY['sending'::text, 'failed'::text])) WHEN 'sending'::text THEN (p_to = ANY (ARRAY['sent'::text, 'waiting'::text, 'failed'::text])) ELSE false END;

CREATE TRIGGER refuse_reply_transition BEFORE UPDATE OF status ON shopbot.bot_outbox FOR EACH ROW WHEN (old.status <> new.status AND NOT shopbot.reply_transition_allowed(old.status, new.status)) EXECUTE FUNCTION shopbot.refuse_reply_transition();

CREATE TABLE shopbot.bot_releases (
  workspace_id uuid NOT NULL,
  release      integer NOT NULL,
  file         text NOT NULL,
  rules        jsonb NOT NULL,
  based_on     integer,
  operator     text NOT NULL,
  reason       text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bot_releases_pkey PRIMARY KEY (workspace_id, release),
  CONSTRAINT bot_releases_release_check CHECK (release >= 1),
  CONSTRAINT bot_releases_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE shopbot.bot_releases ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_rules (
  workspace_id      uuid NOT NULL,
  rule_id           text NOT NULL,
  version           integer NOT NULL,
  enabled           boolean NOT NULL DEFAULT false,
  intent            text NOT NULL,
  pattern           jsonb NOT NULL,
  priority          integer NOT NULL DEFAULT 100,
  max_turns         integer NOT NULL DEFAULT 5,
  response_template text NOT NULL,
  next_state        text,
  state             text,
  event             text,
  interrupts        boolean NOT NULL DEFAULT false,
  accepts           text,
  save_as           text,
  refusal_template  text,
  action            text,
  buttons           jsonb NOT NULL DEFAULT '[]'::jsonb,
  media             jsonb NOT NULL DEFAULT '[]'::jsonb,
  content_hash      text NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bot_rules_pkey PRIMARY KEY (workspace_id, rule_id, version),
  CONSTRAINT bot_rules_accepts_check CHECK (accepts = ANY (ARRAY['text'::text, 'reason'::text, 'order_number'::text, 'phone'::text, 'email'::text])),
  CONSTRAINT bot_rules_action_check CHECK (action = 'escalate'::text),
  CONSTRAINT bot_rules_buttons_check CHECK (jsonb_typeof(buttons) = 'array'::text),
  CONSTRAINT bot_rules_event_check CHECK (event = ANY (ARRAY['start'::text, 'attachment'::text])),
  CONSTRAINT bot_rules_intent_check CHECK (intent <> ''::text),
  CONSTRAINT bot_rules_max_turns_check CHECK (max_turns >= 1),
  CONSTRAINT bot_rules_media_check CHECK (jsonb_typeof(media) = 'array'::text),
  CONSTRAINT bot_rules_next_state_check CHECK (next_state ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT bot_rules_refusal_template_check CHECK (btrim(refusal_template) <> ''::text),
  CONSTRAINT bot_rules_response_template_check CHECK (btrim(response_template) <> ''::text),
  CONSTRAINT bot_rules_rule_id_check CHECK (rule_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text),
  CONSTRAINT bot_rules_save_as_check CHECK (save_as ~ '^[a-z][a-z0-9_]{0,31}$'::text),
  CONSTRAINT bot_rules_state_check CHECK (state ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text AND (state <> ALL (ARRAY['default'::text, 'operator'::text]))),
  CONSTRAINT bot_rules_version_check CHECK (version >= 1),
  CONSTRAINT pattern_is_keywords CHECK (jsonb_typeof(pattern) = 'object'::text AND (pattern ->> 'mode'::text) = 'contains'::text AND jsonb_typeof(pattern -> 'keywords'::text) = 'array'::text AND NOT jsonb_path_exists(pattern, '$."keywords"[*]?(@.type() != "string" || @ like_regex "^\\s*$")'::jsonpath)),
  CONSTRAINT bot_rules_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX bot_rules_active ON shopbot.bot_rules USING btree (workspace_id, rule_id) WHERE enabled;
CREATE INDEX bot_rules_by_content ON shopbot.bot_rules USING btree (workspace_id, rule_id, content_hash);
ALTER TABLE shopbot.bot_rules ENABLE ROW LEVEL SECURITY;

CREATE TABLE shopbot.bot_state (
  workspace_id uuid NOT NULL,
  chat_id      text NOT NULL,
  state        text NOT NULL DEFAULT 'default'::text,
  context      jsonb NOT NULL DEFAULT '{"turns": 0}'::jsonb,
  expires_at   timestamptz,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT bot_state_pkey PRIMARY KEY (workspace_id, chat_id),
  CONSTRAINT bot_state_context_check CHECK (jsonb_typeof(context) = 'object'::text AND context ? 'turns'::text),
  CONSTRAINT bot_state_state_check CHECK (state <> ''::text),
  CONSTRAINT bot_state_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX bot_state_with_operator ON shopbot.bot_state USING btree (workspace_id, expires_at) WHERE state = 'operator'::text;
ALTER TABLE shopbot.bot_state ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION shopbot.allowance(p_workspace_id uuid, p_rps double precision, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_tokens double precision;
begin
  if p_rps = 0 then
    return 1000;
  end if;
  insert into shopbot.bot_buckets (workspace_id, tokens, refilled_at) values (p_workspace_id, greatest(1, p_rps), p_now)
  on conflict (workspace_id) do nothing;
  update shopbot.bot_buckets
  set tokens = least(greatest(1, p_rps), tokens + greatest(0, extract(epoch from p_now - refilled_at)) * p_rps),
      refilled_at = greatest(refilled_at, p_now)
  where workspace_id = p_workspace_id
  returning tokens into v_tokens;
  return floor(v_tokens);
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.apply_release(p_workspace_id uuid, p_file text, p_settings jsonb, p_rules jsonb, p_operator text, p_reason text DEFAULT NULL::text, p_based_on integer DEFAULT NULL::integer, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
  -- Off before on: a rule has one active version at any moment.
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
$function$;

CREATE OR REPLACE FUNCTION shopbot.correct(p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_text text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  update shopbot.bot_inbox
  set body = jsonb_set(body, '{text}', to_jsonb(p_text))
  where workspace_id = p_workspace_id and provider = p_provider and chat_id = p_chat_id
    and provider_message_id = p_provider_message_id and processed_at is null;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.end_replies(p_ends jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  with ends as (
    select e.*,
      case
        when e.outcome in ('sent', 'failed') then e.outcome
        when e.attempt >= 8 then 'failed'
        else 'waiting'
      end as next
    from jsonb_to_recordset(p_ends) as e (
      workspace_id uuid, chat_id text, inbound text, attempt int, outcome text, provider_message_id text, error jsonb,
      retry_after_ms double precision)
  ),
  ended as (
    update shopbot.bot_outbox o
    set status = e.next,
        sending_started_at = null,
        sent_at = case when e.next = 'sent' then p_now end,
        provider_message_id = case when e.next = 'sent' then e.provider_message_id end,
        last_error = case when e.next = 'sent' then null else workspaces.redact(e.error) end,
        doubtful = o.doubtful and e.outcome <> 'absent' or e.outcome = 'unknown',
        not_before = p_now + greatest(
          make_interval(secs => coalesce(e.retry_after_ms, 0) / 1000),
          case when e.next = 'waiting' then least(interval '5 minutes', interval '1 second' * 2 ^ least(e.attempt - 1, 9))
               else interval '0' end)
    from ends e
    where o.workspace_id = e.workspace_id and o.chat_id = e.chat_id and o.inbound_provider_message_id = e.inbound
      and o.status = 'sending' and o.attempt = e.attempt
    returning o.workspace_id, o.chat_id, o.inbound_provider_message_id, o.status, o.last_error, o.kind, o.about_chat_id, o.outbox_id
  ),
  failed as materialized (
    -- The message whose log it belongs to: what operators are told is about a customer's message, what an operator writes to a
    -- customer was a message in the operators' chat.
    select d.*,
      case
        when d.kind in ('handover', 'relay') then d.about_chat_id
        when d.kind = 'operator' then (select b.operators_chat_id from shopbot.bots b where b.workspace_id = d.workspace_id)
        else d.chat_id
      end as log_chat_id,
      case
        when d.kind in ('handover', 'relay') then substr(d.inbound_provider_message_id, length(d.about_chat_id) + 2)
        when d.kind = 'operator' then substr(d.inbound_provider_message_id, length('op:') + 1)
        else d.inbound_provider_message_id
      end as log_inbound
    from ended d
    where d.status = 'failed'
  ),
  noted as (
    insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
    select f.workspace_id, molva.uuidv7(p_now), p_now, 'bot_send_failed', 'error', f.last_error,
      jsonb_build_object('chat_id', f.chat_id, 'kind', f.kind, 'outbox_id', f.outbox_id)
    from failed f
  )
  update shopbot.bot_logs l
  set result = 'error', meta = l.meta || jsonb_build_object('send_error', d.last_error)
  from failed d
  where l.workspace_id = d.workspace_id and l.chat_id = d.log_chat_id
    and l.inbound_provider_message_id = d.log_inbound
    -- A failed send ends within hours of its log; without the bound every log of the chat would be read.
    and l.ts > p_now - interval '1 day';

  return exists (
    select from jsonb_to_recordset(p_ends) as e (workspace_id uuid, chat_id text)
    join shopbot.bot_outbox o
      on o.workspace_id = e.workspace_id and o.chat_id = e.chat_id and o.status in ('waiting', 'sending'));
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.end_turns(p_turns jsonb, p_chats jsonb, p_replies jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update shopbot.bot_inbox i
  set processed_at = p_now
  from jsonb_to_recordset(p_turns) as t (workspace_id uuid, provider text, chat_id text, provider_message_id text)
  where i.workspace_id = t.workspace_id and i.provider = t.provider and i.chat_id = t.chat_id
    and i.provider_message_id = t.provider_message_id and i.processed_at is null;

  insert into shopbot.bot_logs (
    workspace_id, id, ts, chat_id, inbound_provider_message_id, action, result, outcome, message_text, matched_rule_id,
    rule_version, state_before, state_after, response_preview, meta)
  select t.workspace_id, t.id, p_now, t.chat_id, t.provider_message_id, t.action, t.result, t.outcome, t.message_text,
    t.matched_rule_id, t.rule_version, t.state_before, t.state_after, t.response_preview, t.meta
  from rows from (jsonb_to_recordset(p_turns) as (
    workspace_id uuid, id uuid, chat_id text, provider_message_id text, action text, result text, outcome text,
    message_text text, matched_rule_id text, rule_version int, state_before text, state_after text,
    response_preview text, meta jsonb)) with ordinality as t
  order by t.ordinality;

  insert into shopbot.bot_state as s (workspace_id, chat_id, state, context, expires_at, updated_at)
  select c.workspace_id, c.chat_id, c.state, c.context, c.expires_at, p_now
  from jsonb_to_recordset(p_chats) as c (
    workspace_id uuid, chat_id text, state text, context jsonb, expires_at timestamptz)
  where c.state is not null
  on conflict (workspace_id, chat_id) do update
    set state = excluded.state, context = excluded.context, expires_at = excluded.expires_at, updated_at = p_now;

  update shopbot.bot_chats b
  set tokens = c.tokens, refilled_at = c.refilled_at, flooded = c.flooded, last_seen_at = p_now,
      user_id = coalesce(c.user_id, b.user_id), user_name = coalesce(c.user_name, b.user_name),
      called_at = case when c.state <> 'operator' then null when c.called then p_now else b.called_at end,
      reminders = case when c.called then 0 else b.reminders end
  from jsonb_to_recordset(p_chats) as c (
    workspace_id uuid, chat_id text, state text, tokens double precision, refilled_at timestamptz, flooded boolean,
    user_id text, user_name text, called boolean)
  where b.workspace_id = c.workspace_id and b.chat_id = c.chat_id;

  perform shopbot.put_replies(p_replies, p_now);
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.fail_turn(p_workspace_id uuid, p_provider text, p_chat_id text, p_provider_message_id text, p_error text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  v_row shopbot.bot_inbox;
begin
  update shopbot.bot_inbox
  set failures = failures + 1, processed_at = case when failures >= 2 then p_now end
  where workspace_id = p_workspace_id and provider = p_provider and chat_id = p_chat_id
    and provider_message_id = p_provider_message_id and processed_at is null
  returning * into v_row;
  if v_row.processed_at is null then
    return false;
  end if;
  insert into shopbot.bot_logs (
    workspace_id, ts, chat_id, inbound_provider_message_id, action, result, outcome, message_text, state_before,
    state_after, meta)
  values (p_workspace_id, p_now, p_chat_id, p_provider_message_id, 'bot_engine_processed', 'error', 'failed',
    coalesce(v_row.body ->> 'text', ''), 'default', 'default',
    jsonb_build_object('trace_id', v_row.trace_id, 'error', left(p_error, 500)));
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.forget(p_days integer DEFAULT 90, p_limit integer DEFAULT 10000, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_before constant timestamptz := p_now - make_interval(days => p_days);
  v_count  int := 0;
  v_some   int;
begin
  delete from shopbot.bot_inbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_inbox n
      where n.workspace_id = b.workspace_id and n.received_at < v_before and n.processed_at is not null
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_outbox i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_outbox n
      where n.workspace_id = b.workspace_id and n.created_at < v_before and n.status in ('sent', 'failed')
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  v_count := v_count + v_some;
  delete from shopbot.bot_logs i using (
    select o.ctid from shopbot.bots b
    cross join lateral (
      select n.ctid from shopbot.bot_logs n
      where n.workspace_id = b.workspace_id and n.ts < v_before
      limit p_limit) o) old
  where i.ctid = old.ctid;
  get diagnostics v_some = row_count;
  return v_count + v_some;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.give_to_operator(p_workspace_id uuid, p_chat_id text, p_minutes integer, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from shopbot.bot_chats where workspace_id = p_workspace_id and chat_id = p_chat_id for update;
  if not found then
    return false;
  end if;
  insert into shopbot.bot_state (workspace_id, chat_id, state, context, expires_at, updated_at)
  values (p_workspace_id, p_chat_id, 'operator', '{"turns": 0}', p_now + make_interval(mins => p_minutes), p_now)
  on conflict (workspace_id, chat_id) do update
    set state = 'operator', context = '{"turns": 0}', expires_at = excluded.expires_at, updated_at = p_now;
  -- Somebody came: the customer waits no more.
  update shopbot.bot_chats set called_at = null
  where workspace_id = p_workspace_id and chat_id = p_chat_id and called_at is not null;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.monitor(p_minutes integer DEFAULT NULL::integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, action text)
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select b.workspace_id, molva.uuidv7(p_now), p_now, f.action, 'error',
    jsonb_build_object('code', f.action, 'message', f.message), f.figures
  from shopbot.bots b
  cross join lateral shopbot.monitor_alerts(b.workspace_id, p_minutes, p_now) f
  where not exists (
    select from workspaces.events e
    where e.workspace_id = b.workspace_id and e.action = f.action
      and e.ts > p_now - make_interval(mins => coalesce(p_minutes, b.monitor_minutes)))
  returning workspace_id, action
$function$;

CREATE OR REPLACE FUNCTION shopbot.monitor_alerts(p_workspace_id uuid, p_minutes integer DEFAULT NULL::integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(action text, message text, figures jsonb)
 LANGUAGE sql
 STABLE
AS $function$
  select f.action, f.message, to_jsonb(s)
  from shopbot.bots b
  cross join lateral shopbot.monitor_snapshot(b.workspace_id, coalesce(p_minutes, b.monitor_minutes), p_now) s
  cross join lateral (values
    ('bot_error_spike', s.error_logs > b.monitor_errors, format('%s of %s messages failed', s.error_logs, s.total_logs)),
    ('fallback_rate_high', s.total_logs >= b.monitor_min_questions and s.fallback_rate_pct > b.monitor_fallback_pct,
      format('%s of %s questions fit no rule (%s %%)', s.fallback_logs, s.total_logs, s.fallback_rate_pct))
  ) as f (action, raised, message)
  where b.workspace_id = p_workspace_id and f.raised
$function$;

CREATE OR REPLACE FUNCTION shopbot.monitor_snapshot(p_workspace_id uuid, p_minutes integer DEFAULT 15, p_now timestamp with time zone DEFAULT now(), OUT total_logs integer, OUT error_logs integer, OUT fallback_logs integer, OUT fallback_rate_pct numeric)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select count(*)::int, count(*) filter (where result = 'error')::int,
    count(*) filter (where matched_rule_id is null)::int,
    coalesce(round(100.0 * count(*) filter (where matched_rule_id is null) / nullif(count(*), 0), 2), 0)
  from shopbot.bot_logs
  where workspace_id = p_workspace_id and ts > p_now - make_interval(mins => p_minutes) and ts <= p_now
    and action = 'bot_engine_processed' and outcome not in ('repeated', 'returned', 'ignored')
$function$;

CREATE OR REPLACE FUNCTION shopbot.note_operator_missing(p_workspace_id uuid, p_chat_id text, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, 'operator_missing', 'error',
    jsonb_build_object('code', 'operator_missing', 'message', 'a customer asked for a person, and the bot has no operators'' group'),
    jsonb_build_object('chat_id', p_chat_id)
  where not exists (
    select from workspaces.events e
    where e.workspace_id = p_workspace_id and e.action = 'operator_missing' and e.ts > p_now - interval '1 hour')
$function$;

CREATE OR REPLACE FUNCTION shopbot.put_replies(p_replies jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_put int;
begin
  insert into shopbot.bot_outbox (
    workspace_id, chat_id, inbound_provider_message_id, outbox_id, kind, text, compiled, callback_id, notification,
    about_chat_id, author, response_hash, trace_id, not_before, created_at)
  select r.workspace_id, r.chat_id, r.inbound, r.outbox_id, r.kind, r.text, r.compiled, r.callback_id, r.notification,
    r.about_chat_id, r.author, encode(sha256(convert_to(r.text || coalesce(r.compiled::text, ''), 'UTF8')), 'hex'), r.trace_id,
    p_now, p_now
  from rows from (jsonb_to_recordset(p_replies) as (
    workspace_id uuid, chat_id text, inbound text, outbox_id uuid, kind text, text text, compiled jsonb, callback_id text,
    notification text, about_chat_id text, author text, trace_id text)) with ordinality as r
  order by r.ordinality
  on conflict (workspace_id, chat_id, inbound_provider_message_id) do nothing;
  get diagnostics v_put = row_count;
  return v_put;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.receive(p_updates jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(place integer, verdict text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  -- In one order for all, or two sets of updates could wait for each other.
  perform pg_advisory_xact_lock(c.key)
  from (
    select distinct hashtextextended(u.chat_id, hashtextextended(u.workspace_id, 0)) as key
    from jsonb_to_recordset(p_updates) as u (workspace_id text, chat_id text)
    order by 1
  ) c;

  return query
  with updates as materialized (
    select u.*, u.place::int as at,
      case
        when b.workspace_id is null then 'no_bot'
        when u.in_group and b.operators_chat_id is distinct from u.chat_id then 'in_group'
      end as refusal
    from rows from (jsonb_to_recordset(p_updates) as (
      workspace_id uuid, provider text, chat_id text, provider_message_id text, ts timestamptz, provider_seq bigint,
      body jsonb, payload jsonb, trace_id text, in_group boolean)) with ordinality as u (
      workspace_id, provider, chat_id, provider_message_id, ts, provider_seq, body, payload, trace_id, in_group, place)
    left join shopbot.bots b on b.workspace_id = u.workspace_id
  ),
  chats as (
    insert into shopbot.bot_chats (workspace_id, chat_id, first_seen_at, last_seen_at)
    select distinct u.workspace_id, u.chat_id, p_now, p_now from updates u where u.refusal is null
    on conflict (workspace_id, chat_id) do nothing
  ),
  stored as (
    insert into shopbot.bot_inbox (
      workspace_id, provider, chat_id, provider_message_id, ts, provider_seq, body, payload, trace_id, received_at)
    select u.workspace_id, u.provider, u.chat_id, u.provider_message_id,
      -- What has no time of its own comes after whatever waits already, whatever the clocks of two servers say.
      coalesce(u.ts, greatest(p_now, (
        select max(i.ts) from shopbot.bot_inbox i
        where i.workspace_id = u.workspace_id and i.chat_id = u.chat_id and i.processed_at is null))),
      u.provider_seq, u.body, u.payload, u.trace_id, p_now
    from updates u
    where u.refusal is null
    order by u.at
    on conflict (workspace_id, provider, chat_id, provider_message_id) do nothing
    returning workspace_id, provider, chat_id, provider_message_id
  ),
  told as (
    -- One word for all of them: the engine takes whatever there is.
    select pg_notify('molva_shopbot', 'inbox') from (select from stored limit 1) s
  )
  select u.at, coalesce(u.refusal, case
    when s.chat_id is not null
      and row_number() over (partition by u.workspace_id, u.provider, u.chat_id, u.provider_message_id order by u.at) = 1
    then 'accepted' else 'duplicate' end)
  from updates u
  left join stored s using (workspace_id, provider, chat_id, provider_message_id)
  cross join (select count(*) from told) t
  order by u.at;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.replies_wait()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from shopbot.bot_outbox where status in ('waiting', 'sending'))
$function$;

CREATE OR REPLACE FUNCTION shopbot.return_to_bot(p_workspace_id uuid, p_chat_id text, p_now timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  perform from shopbot.bot_chats where workspace_id = p_workspace_id and chat_id = p_chat_id for update;
  update shopbot.bot_state
  set state = 'default', context = '{"turns": 0}', expires_at = null, updated_at = p_now
  where workspace_id = p_workspace_id and chat_id = p_chat_id and state = 'operator'
    and (expires_at is null or expires_at > p_now);
  if not found then
    return false;
  end if;
  update shopbot.bot_chats set called_at = null
  where workspace_id = p_workspace_id and chat_id = p_chat_id and called_at is not null;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.rule_hash(p_rule jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select encode(sha256(convert_to(jsonb_strip_nulls(p_rule - array['rule_id'])::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION shopbot.take_replies(p_limit integer DEFAULT 50, p_lease_seconds integer DEFAULT 60, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, chat_id text, inbound text, outbox_id uuid, kind text, text text, compiled jsonb, callback_id text, notification text, trace_id text, attempt integer, doubtful boolean, first_sent_at timestamp with time zone, secret_ref text, others text[])
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_bot   record;
  v_count int;
begin
  for v_bot in
    select b.workspace_id, b.auth_ref, b.rate_rps::double precision as rps, b.chat_rps::double precision as chat_rps
    from shopbot.bots b
    where exists (
      select from shopbot.bot_outbox o where o.workspace_id = b.workspace_id and o.status in ('waiting', 'sending'))
  loop
    v_count := least(p_limit, shopbot.allowance(v_bot.workspace_id, v_bot.rps, p_now));
    return query
    with free as materialized (
      -- The oldest first by bot_outbox_due. Whether one is the first of its chat is a probe of bot_outbox_waiting: as a join
      -- it would be planned by statistics that tables of such short-lived rows do not have.
      select o.ctid as row_id
      from shopbot.bot_outbox o
      where o.workspace_id = v_bot.workspace_id and o.status in ('waiting', 'sending')
        and case o.status when 'waiting' then o.not_before <= p_now
            else o.sending_started_at <= p_now - make_interval(secs => p_lease_seconds) end
        and o.seq = (
          select min(e.seq) from shopbot.bot_outbox e
          where e.workspace_id = v_bot.workspace_id and e.chat_id = o.chat_id and e.status in ('waiting', 'sending'))
        and (v_bot.chat_rps = 0 or p_now - make_interval(secs => 1 / v_bot.chat_rps) >= coalesce((
          select max(l.sent_at) from shopbot.bot_outbox l
          where l.workspace_id = v_bot.workspace_id and l.chat_id = o.chat_id and l.status = 'sent'), '-infinity'))
      order by o.not_before, o.seq
      limit v_count
      for update skip locked
    ),
    taken as (
      update shopbot.bot_outbox o
      set status = 'sending', sending_started_at = p_now, attempt = o.attempt + 1,
          doubtful = o.doubtful or o.status = 'sending',
          first_sent_at = coalesce(o.first_sent_at, p_now)
      from free f
      -- The rows are locked, so they stay where they were found; a join by key could be planned as a walk through the table.
      where o.ctid = f.row_id
      returning o.*
    ),
    spent as (
      update shopbot.bot_buckets k
      set tokens = k.tokens - (select count(*) from taken)
      where k.workspace_id = v_bot.workspace_id and v_bot.rps > 0
    )
    select t.workspace_id, t.chat_id, t.inbound_provider_message_id, t.outbox_id, t.kind, t.text, t.compiled, t.callback_id,
      t.notification, t.trace_id, t.attempt, t.doubtful, t.first_sent_at,
      (select c.secret_ref from workspaces.credential_bindings c
       where c.workspace_id = t.workspace_id and c.auth_ref = v_bot.auth_ref and c.platform = 'max'),
      -- What else of ours stands in the chat: an equal text of another reply is not this one.
      case when t.doubtful then array(
        select l.provider_message_id from shopbot.bot_outbox l
        where l.workspace_id = t.workspace_id and l.chat_id = t.chat_id and l.status = 'sent'
        order by l.sent_at desc limit 100)
      else '{}' end
    from taken t
    order by t.seq;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.take_silent_calls(p_limit integer DEFAULT 50, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, chat_id text, user_name text, called_at timestamp with time zone, reminders integer, ended boolean)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_call record;
begin
  for v_call in
    select c.workspace_id, c.chat_id, c.user_name, c.called_at, c.reminders,
      s.state is distinct from 'operator' as left_alone, s.expires_at <= p_now as expired
    from shopbot.bot_chats c
    join shopbot.bots b on b.workspace_id = c.workspace_id and b.enabled and b.operators_chat_id is not null
    join workspaces.workspaces w on w.workspace_id = c.workspace_id and w.status <> 'disabled'
    left join shopbot.bot_state s on s.workspace_id = c.workspace_id and s.chat_id = c.chat_id
    where c.called_at is not null
      and (s.expires_at <= p_now or s.state is distinct from 'operator'
        or c.reminders < 3 and p_now >= c.called_at + make_interval(mins =>
          coalesce((b.settings -> 'operators' ->> 'answer_minutes')::int, 10) * (c.reminders + 1)))
    order by c.called_at
    limit p_limit
    for update of c skip locked
  loop
    if v_call.left_alone then
      update shopbot.bot_chats set called_at = null
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
      continue;
    end if;
    if v_call.expired then
      update shopbot.bot_state
      set state = 'default', context = '{"turns": 0}', expires_at = null, updated_at = p_now
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
      update shopbot.bot_chats set called_at = null
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
    else
      update shopbot.bot_chats set reminders = reminders + 1
      where workspace_id = v_call.workspace_id and chat_id = v_call.chat_id;
    end if;
    insert into workspaces.events (workspace_id, id, ts, action, result, error, meta)
    values (v_call.workspace_id, molva.uuidv7(p_now), p_now, 'operator_silent', 'error',
      jsonb_build_object('code', 'operator_silent', 'message', 'a customer called a person and nobody has answered'),
      jsonb_build_object('chat_id', v_call.chat_id, 'called_at', v_call.called_at, 'ended', v_call.expired is true));
    workspace_id := v_call.workspace_id;
    chat_id := v_call.chat_id;
    user_name := v_call.user_name;
    called_at := v_call.called_at;
    reminders := v_call.reminders + 1;
    ended := v_call.expired is true;
    return next;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION shopbot.take_turns(p_chats integer DEFAULT 50, p_per_chat integer DEFAULT 20)
 RETURNS TABLE(workspace_id uuid, provider text, chat_id text, provider_message_id text, ts timestamp with time zone, body jsonb, trace_id text, revision bigint, state text, context jsonb, expires_at timestamp with time zone, tokens double precision, refilled_at timestamp with time zone, flooded boolean, about_chat_id text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_workspaces uuid[];
  v_chats      text[];
begin
  select array_agg(l.workspace_id), array_agg(l.chat_id) into v_workspaces, v_chats
  from (
    select c.workspace_id, c.chat_id
    from (
      select i.workspace_id, i.chat_id, min(i.ts) as since
      from shopbot.bot_inbox i
      where i.processed_at is null
      group by 1, 2
    ) w
    join shopbot.bots b using (workspace_id)
    join workspaces.workspaces s on s.workspace_id = w.workspace_id and s.status <> 'disabled'
    join shopbot.bot_chats c on c.workspace_id = w.workspace_id and c.chat_id = w.chat_id
    order by w.since
    limit p_chats
    for update of c skip locked
  ) l;

  -- A statement of its own: it sees what was committed while we waited for the locks.
  return query
  select i.workspace_id, i.provider, i.chat_id, i.provider_message_id, i.ts, i.body, i.trace_id,
    b.revision, coalesce(s.state, 'default'), coalesce(s.context, '{"turns": 0}'), s.expires_at,
    c.tokens, c.refilled_at, c.flooded,
    (select o.about_chat_id from shopbot.bot_outbox o
     where o.workspace_id = i.workspace_id and o.chat_id = i.chat_id and i.body ? 'replyTo'
       and o.provider_message_id = i.body ->> 'replyTo'
     limit 1)
  from unnest(v_workspaces, v_chats) as t (workspace_id, chat_id)
  join shopbot.bots b using (workspace_id)
  -- Fenced, so that a chat is found by its key: a table that grew since it was last counted would be walked for each of them.
  cross join lateral (
    select * from shopbot.bot_chats c where c.workspace_id = t.workspace_id and c.chat_id = t.chat_id offset 0) c
  left join lateral (
    select * from shopbot.bot_state s where s.workspace_id = t.workspace_id and s.chat_id = t.chat_id offset 0) s on true
  cross join lateral (
    select n.* from shopbot.bot_inbox n
    where n.workspace_id = t.workspace_id and n.chat_id = t.chat_id and n.processed_at is null
    order by n.ts, n.provider_seq, n.seq
    limit p_per_chat
  ) i
  order by i.workspace_id, i.chat_id, i.ts, i.provider_seq, i.seq;
end
$function$;

COMMIT;
