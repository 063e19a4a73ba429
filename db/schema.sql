-- The database as the migrations and functions of this release leave it, without rows.
-- Made by `npm run generate`, to be read and compared; `molva migrate` makes the real one.

BEGIN;

-- A function may name what is created after it.
SET LOCAL check_function_bodies = off;

CREATE SCHEMA delivery;
COMMENT ON SCHEMA delivery IS 'Everything that goes out to a channel: posts, their deliveries, and what happened to them';

CREATE SCHEMA molva;
COMMENT ON SCHEMA molva IS 'Molva''s own tables: migrations, operators, keys and values';

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
  CONSTRAINT api_tokens_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['read'::text, 'write'::text, 'operate'::text, 'payload'::text, 'admin'::text]),
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

-- delivery ------------------------------------------------------------------------------------------------------------

CREATE TABLE delivery.workspaces (
  workspace_id uuid NOT NULL DEFAULT molva.uuidv7(),
  name         text NOT NULL,
  status       text NOT NULL DEFAULT 'active'::text,
  timezone     text NOT NULL DEFAULT 'Europe/Moscow'::text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  settings     jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT workspaces_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspaces_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  CONSTRAINT workspaces_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT workspaces_status_check CHECK (status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text]))
);
ALTER TABLE delivery.workspaces ENABLE ROW LEVEL SECURITY;

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
  workspace_id          uuid NOT NULL,
  channel_id            uuid NOT NULL DEFAULT molva.uuidv7(),
  platform              text NOT NULL,
  target_id             text NOT NULL,
  auth_ref              text NOT NULL,
  rate_group            text NOT NULL,
  enabled               boolean NOT NULL DEFAULT true,
  title                 text,
  send_mode             text NOT NULL DEFAULT 'mixed'::text,
  rate_rps              numeric DEFAULT 1,
  max_parallel          integer NOT NULL DEFAULT 1,
  next_allowed_at       timestamptz,
  paused_until          timestamptz,
  timezone              text,
  window_mode           text NOT NULL DEFAULT 'immediate'::text,
  posting_window        jsonb,
  dedup_ttl_hours       integer DEFAULT 168,
  error_streak          integer NOT NULL DEFAULT 0,
  unknown_policy        text NOT NULL DEFAULT 'at_least_once'::text,
  settings              jsonb NOT NULL DEFAULT '{}'::jsonb,
  tags                  text[] NOT NULL DEFAULT '{}'::text[],
  route_filter          jsonb,
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  template_ref          text,
  max_age_seconds       integer,
  on_stale              text NOT NULL DEFAULT 'drop'::text,
  catchup               text NOT NULL DEFAULT 'paced'::text,
  silence_after_seconds integer,
  route_any             text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'include_any'::text)) STORED,
  route_all             text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'include_all'::text)) STORED,
  route_none            text[] NOT NULL GENERATED ALWAYS AS (delivery.filter_tags(route_filter, 'exclude'::text)) STORED,
  route_keys            text[] NOT NULL GENERATED ALWAYS AS (delivery.route_keys(workspace_id, route_filter)) STORED,
  profile_key           text NOT NULL GENERATED ALWAYS AS (md5((((((platform || '|'::text) || send_mode) || '|'::text) || settings::text) || '|'::text) || COALESCE(template_ref, ''::text))) STORED,
  last_started_at       timestamptz,
  CONSTRAINT channels_pkey PRIMARY KEY (workspace_id, channel_id),
  CONSTRAINT channels_workspace_id_platform_target_id_key UNIQUE (workspace_id, platform, target_id),
  CONSTRAINT channels_auth_ref_check CHECK (auth_ref <> ''::text),
  CONSTRAINT channels_catchup_check CHECK (catchup = ANY (ARRAY['paced'::text, 'newest_first'::text])),
  CONSTRAINT channels_dedup_ttl_hours_check CHECK (dedup_ttl_hours >= 0),
  CONSTRAINT channels_error_streak_check CHECK (error_streak >= 0),
  CONSTRAINT channels_max_age_seconds_check CHECK (max_age_seconds > 0),
  CONSTRAINT channels_max_parallel_check CHECK (max_parallel >= 1),
  CONSTRAINT channels_on_stale_check CHECK (on_stale = ANY (ARRAY['drop'::text, 'hold'::text])),
  CONSTRAINT channels_rate_group_check CHECK (rate_group <> ''::text),
  CONSTRAINT channels_rate_rps_check CHECK (rate_rps >= 0::numeric),
  CONSTRAINT channels_route_filter_check CHECK (route_filter IS NULL OR jsonb_typeof(route_filter) = 'object'::text),
  CONSTRAINT channels_send_mode_check CHECK (send_mode = ANY (ARRAY['text'::text, 'media'::text, 'mixed'::text])),
  CONSTRAINT channels_settings_check CHECK (jsonb_typeof(settings) = 'object'::text),
  CONSTRAINT channels_silence_after_seconds_check CHECK (silence_after_seconds > 0),
  CONSTRAINT channels_target_id_check CHECK (target_id <> ''::text),
  CONSTRAINT channels_unknown_policy_check CHECK (unknown_policy = ANY (ARRAY['at_least_once'::text, 'at_most_once'::text])),
  CONSTRAINT channels_window_mode_check CHECK (window_mode = ANY (ARRAY['immediate'::text, 'windowed'::text])),
  CONSTRAINT channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX channels_enabled ON delivery.channels USING btree (workspace_id, enabled);
CREATE INDEX channels_rate_group ON delivery.channels USING btree (workspace_id, platform, rate_group);
CREATE INDEX channels_route ON delivery.channels USING gin (route_keys) WHERE enabled;
CREATE INDEX channels_tags ON delivery.channels USING gin (tags);
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

CREATE OR REPLACE FUNCTION delivery.refuse_bad_timezone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  v_fault text := delivery.timezone_fault(new.timezone);
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'delivery', table = tg_table_name,
      column = 'timezone', constraint = 'timezone_valid';
  end if;
  return new;
end
$function$;

CREATE TRIGGER refuse_bad_timezone BEFORE INSERT OR UPDATE OF timezone ON delivery.channels FOR EACH ROW WHEN (new.timezone IS NOT NULL) EXECUTE FUNCTION delivery.refuse_bad_timezone();

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

CREATE TABLE delivery.credential_bindings (
  workspace_id uuid NOT NULL,
  auth_ref     text NOT NULL,
  platform     text NOT NULL,
  secret_ref   text NOT NULL,
  rotated_at   timestamptz,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT credential_bindings_pkey PRIMARY KEY (workspace_id, auth_ref, platform),
  CONSTRAINT credential_bindings_secret_ref_check CHECK (secret_ref ~ '^(vault|env):.+'::text),
  CONSTRAINT credential_bindings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.credential_bindings ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.messages (
  workspace_id          uuid NOT NULL,
  message_id            uuid NOT NULL DEFAULT molva.uuidv7(),
  hash_version          integer NOT NULL DEFAULT 1,
  content_hash          text NOT NULL,
  normalization_version integer NOT NULL DEFAULT 1,
  payload               jsonb NOT NULL,
  tags                  text[] NOT NULL DEFAULT '{}'::text[],
  source                jsonb,
  source_ref            text,
  first_seen_trace_id   text,
  first_ingest_run_id   text,
  last_seen_at          timestamptz NOT NULL DEFAULT now(),
  last_ingest_run_id    text,
  seen_count            bigint NOT NULL DEFAULT 1,
  created_at            timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT messages_pkey PRIMARY KEY (workspace_id, message_id),
  CONSTRAINT messages_workspace_id_hash_version_content_hash_key UNIQUE (workspace_id, hash_version, content_hash),
  CONSTRAINT messages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
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
  enqueue_batch_id    uuid,
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
CREATE INDEX deliveries_by_channel ON delivery.deliveries USING btree (workspace_id, channel_id, delivery_id);
CREATE INDEX deliveries_by_message ON delivery.deliveries USING btree (workspace_id, message_id);
CREATE INDEX deliveries_due ON delivery.deliveries USING btree (workspace_id, status, not_before, next_retry_at) WHERE status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'retry'::text]);
CREATE INDEX deliveries_inflight ON delivery.deliveries USING btree (workspace_id, channel_id, hash_version, content_hash, created_at) WHERE status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'retry'::text]);
CREATE UNIQUE INDEX deliveries_once_per_batch ON delivery.deliveries USING btree (workspace_id, enqueue_batch_id, channel_id, hash_version, content_hash) WHERE enqueue_batch_id IS NOT NULL;
CREATE INDEX deliveries_retry ON delivery.deliveries USING btree (workspace_id, status, next_retry_at) WHERE status = ANY (ARRAY['queued'::text, 'claimed'::text, 'sending'::text, 'retry'::text]);
CREATE INDEX deliveries_sent ON delivery.deliveries USING btree (workspace_id, channel_id, hash_version, content_hash, sent_at) WHERE status = 'sent'::text AND sent_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON delivery.deliveries USING btree (workspace_id, channel_id, due_at, delivery_id) WHERE (status = ANY (ARRAY['queued'::text, 'retry'::text])) AND held_at IS NULL;
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

CREATE TABLE delivery.dispatcher_state (
  only_row          boolean NOT NULL DEFAULT true,
  workspace_id_last uuid,
  updated_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT dispatcher_state_pkey PRIMARY KEY (only_row),
  CONSTRAINT dispatcher_state_only_row_check CHECK (only_row)
);
ALTER TABLE delivery.dispatcher_state ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.events (
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
CREATE INDEX events_by_action ON delivery.events USING btree (workspace_id, action, ts DESC);
CREATE INDEX events_by_channel ON delivery.events USING btree (workspace_id, channel_id, ts DESC) WHERE channel_id IS NOT NULL;
CREATE INDEX events_by_delivery ON delivery.events USING btree (workspace_id, delivery_id, ts DESC) WHERE delivery_id IS NOT NULL;
CREATE INDEX events_by_message ON delivery.events USING btree (workspace_id, message_id, ts DESC) WHERE message_id IS NOT NULL;
CREATE INDEX events_by_result ON delivery.events USING btree (workspace_id, result, ts DESC);
CREATE INDEX events_by_time ON delivery.events USING btree (workspace_id, ts DESC);
ALTER TABLE delivery.events ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.events_rest PARTITION OF delivery.events DEFAULT;
ALTER TABLE delivery.events_rest ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.ingest_runs (
  workspace_id uuid NOT NULL,
  run_id       text NOT NULL,
  kind         text NOT NULL,
  endpoint_id  uuid,
  started_at   timestamptz NOT NULL DEFAULT now(),
  finished_at  timestamptz,
  stats_json   jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT ingest_runs_pkey PRIMARY KEY (workspace_id, run_id),
  CONSTRAINT ingest_runs_kind_check CHECK (kind = ANY (ARRAY['push'::text, 'pull'::text])),
  CONSTRAINT ingest_runs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.ingest_runs ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.workspace_endpoints (
  workspace_id         uuid NOT NULL,
  endpoint_id          uuid NOT NULL DEFAULT molva.uuidv7(),
  kind                 text NOT NULL,
  secret_hash          text NOT NULL,
  enabled              boolean NOT NULL DEFAULT true,
  ingress_rps          numeric NOT NULL DEFAULT 5,
  max_payload_bytes    integer NOT NULL DEFAULT 262144,
  hash_drop_window_sec integer NOT NULL DEFAULT 10,
  meta                 jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workspace_endpoints_pkey PRIMARY KEY (workspace_id, endpoint_id),
  CONSTRAINT workspace_endpoints_hash_drop_window_sec_check CHECK (hash_drop_window_sec >= 1),
  CONSTRAINT workspace_endpoints_ingress_rps_check CHECK (ingress_rps >= 0::numeric),
  CONSTRAINT workspace_endpoints_kind_check CHECK (kind = ANY (ARRAY['webhook_push'::text, 'bot_webhook'::text])),
  CONSTRAINT workspace_endpoints_max_payload_bytes_check CHECK (max_payload_bytes >= 0),
  CONSTRAINT workspace_endpoints_secret_hash_check CHECK (secret_hash ~ '^[0-9a-f]{64}$'::text),
  CONSTRAINT workspace_endpoints_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX workspace_endpoints_active_secret ON delivery.workspace_endpoints USING btree (kind, secret_hash) WHERE enabled;
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
  CONSTRAINT ingress_receipts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
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
  CONSTRAINT media_blobs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.media_blobs ENABLE ROW LEVEL SECURITY;

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
  CONSTRAINT media_origin_pkey PRIMARY KEY (workspace_id, blob_ref),
  CONSTRAINT media_origin_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.media_origin ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.platform_limits (
  workspace_id    uuid NOT NULL,
  platform        text NOT NULL,
  rate_group      text NOT NULL,
  rate_rps        numeric,
  next_allowed_at timestamptz,
  cooldown_until  timestamptz,
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT platform_limits_pkey PRIMARY KEY (workspace_id, platform, rate_group),
  CONSTRAINT platform_limits_rate_rps_check CHECK (rate_rps >= 0::numeric),
  CONSTRAINT platform_limits_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
) WITH (fillfactor=70);
ALTER TABLE delivery.platform_limits ENABLE ROW LEVEL SECURITY;

CREATE TABLE delivery.secrets (
  workspace_id uuid NOT NULL,
  secret_id    uuid NOT NULL DEFAULT molva.uuidv7(),
  ciphertext   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT secrets_pkey PRIMARY KEY (workspace_id, secret_id),
  CONSTRAINT secrets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
ALTER TABLE delivery.secrets ENABLE ROW LEVEL SECURITY;

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
  CONSTRAINT templates_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES delivery.workspaces(workspace_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX templates_active ON delivery.templates USING btree (workspace_id, template_id) WHERE active;
ALTER TABLE delivery.templates ENABLE ROW LEVEL SECURITY;

CREATE TRIGGER refuse_bad_timezone BEFORE INSERT OR UPDATE OF timezone ON delivery.workspaces FOR EACH ROW EXECUTE FUNCTION delivery.refuse_bad_timezone();

CREATE OR REPLACE FUNCTION delivery.accept_push(p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_raw jsonb, p_compiled jsonb DEFAULT '{}'::jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_endpoint delivery.workspace_endpoints;
  v_hash     text := delivery.content_hash(delivery.normalize(p_raw));
  v_counts   jsonb;
begin
  select * into strict v_endpoint from delivery.workspace_endpoints
  where workspace_id = p_workspace_id and endpoint_id = p_endpoint_id;

  if not delivery.take_receipt(v_endpoint, nullif(btrim(p_raw ->> 'source_ref'), ''), v_hash, p_now) then
    perform delivery.record_ingress_drop(p_workspace_id, p_endpoint_id, p_run_id, 'dedup_dropped',
      'ingress_dedup_dropped', jsonb_strip_nulls(jsonb_build_object('source_ref', p_raw ->> 'source_ref')), p_now);
    return jsonb_build_object('ok', true, 'dropped', true, 'reason', 'ingress_dedup_dropped', 'run_id', p_run_id);
  end if;

  v_counts := delivery.enqueue_messages_and_deliveries(
    p_workspace_id, p_endpoint_id, v_endpoint.kind, p_raw, p_now, p_compiled, p_run_id);
  insert into delivery.ingest_runs (workspace_id, run_id, kind, endpoint_id, started_at, finished_at, stats_json)
  values (p_workspace_id, p_run_id, 'push', p_endpoint_id, p_now, p_now,
          jsonb_strip_nulls((v_counts - 'message_id')
            || jsonb_build_object('processed', 1, 'accepted', 1, 'dropped', 0, 'trace_id', p_raw ->> 'trace_id')));
  return jsonb_build_object('ok', true, 'run_id', p_run_id) || v_counts;
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
  join delivery.workspaces w using (workspace_id)
  where t.workspace_id = p_workspace_id and t.template_id = p_template_id and t.active
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

CREATE OR REPLACE FUNCTION delivery.channel_block(p_channel delivery.channels, p_now timestamp with time zone DEFAULT now())
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when not p_channel.enabled then 'channel_disabled'
    when p_channel.paused_until > p_now then 'channel_paused'
    when w.status <> 'active' then 'workspace_' || w.status
    when g.cooldown_until > p_now then 'group_cooldown'
  end
  from delivery.workspaces w
  left join delivery.platform_limits g
    on g.workspace_id = p_channel.workspace_id and g.platform = p_channel.platform and g.rate_group = p_channel.rate_group
  where w.workspace_id = p_channel.workspace_id
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

CREATE OR REPLACE FUNCTION delivery.claim_deliveries(p_workspace_id uuid, p_run_id text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, channel_id uuid, not_before timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  c_ahead       constant interval := interval '2 seconds';
  c_per_channel constant int := 1000;
  v_waiting     uuid[];
begin
  if p_limit <= 0 or not exists (
    select from delivery.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active'
  ) then
    return;
  end if;
  v_waiting := delivery.waiting_channels(p_workspace_id, p_now);
  if v_waiting = '{}' then
    return;
  end if;
  perform delivery.expire_stale(p_workspace_id, v_waiting, p_now);

  -- Statements of their own: what is read below must be seen after the locks were got.
  perform from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.rate_rps > 0
    and (g.platform, g.rate_group) in (
      select c.platform, c.rate_group from delivery.channels c
      where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting))
  order by g.platform, g.rate_group
  for update;
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting)
  order by c.channel_id
  for update;

  return query
  with open_channels as materialized (
    select c.channel_id, c.platform, c.rate_group, c.catchup,
      nullif(c.rate_rps, 0)::float8 as rps, nullif(g.rate_rps, 0)::float8 as group_rps,
      greatest(p_now, coalesce(c.next_allowed_at, p_now)) as base,
      greatest(p_now, coalesce(g.next_allowed_at, p_now)) as group_base,
      -- A limited channel gets what its rate lets out in the time ahead, and no more while earlier ones still wait.
      case when c.rate_rps > 0 then greatest(0, ceil(c.rate_rps * extract(epoch from c_ahead))::int + 1 - (
        select count(*) from delivery.deliveries d
        where d.workspace_id = p_workspace_id and d.channel_id = c.channel_id and d.status = 'claimed'))
      else c_per_channel end as room
    from delivery.channels c
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_waiting) and c.enabled
      and coalesce(c.paused_until, '-infinity') <= p_now
      and (c.rate_rps is null or c.rate_rps = 0 or coalesce(c.next_allowed_at, p_now) <= p_now + c_ahead)
      and (g.rate_rps is null or g.rate_rps = 0 or coalesce(g.next_allowed_at, p_now) <= p_now + c_ahead)
      and coalesce(g.cooldown_until, '-infinity') <= p_now
  ),
  oldest as (
    select o.channel_id, w.delivery_id, w.due_at, row_number() over (partition by o.channel_id order by w.due_at, w.delivery_id) as place
    from open_channels o
    cross join lateral (
      select d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at, d.delivery_id
      limit least(o.room, p_limit)
      for update skip locked
    ) w
    where o.catchup = 'paced'
  ),
  newest as (
    select o.channel_id, w.delivery_id, w.due_at, row_number() over (partition by o.channel_id order by w.due_at desc, w.delivery_id desc) as place
    from open_channels o
    cross join lateral (
      select d.delivery_id, d.due_at from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = o.channel_id
        and d.status in ('queued', 'retry') and d.held_at is null and d.due_at <= p_now
      order by d.due_at desc, d.delivery_id desc
      limit least(o.room, p_limit)
      for update skip locked
    ) w
    where o.catchup = 'newest_first'
  ),
  chosen as materialized (
    select * from (table oldest union all table newest) as c
    join open_channels o using (channel_id)
    -- A round over the channels before a second delivery of any of them.
    order by c.place, c.due_at
    limit p_limit
  ),
  channel_slots as (
    select c.*,
      case when c.rps is null then p_now else c.base + (c.place - 1) * interval '1 second' / c.rps end as channel_slot
    from chosen c
  ),
  slots as materialized (
    select s.*,
      case when s.group_rps is null then s.channel_slot
        else greatest(s.channel_slot, s.group_base + (row_number() over (
          partition by s.platform, s.rate_group order by s.channel_slot, s.due_at, s.delivery_id) - 1)
          * interval '1 second' / s.group_rps)
      end as slot
    from channel_slots s
  ),
  moved_channels as (
    update delivery.channels c
    set next_allowed_at = n.base + n.taken * interval '1 second' / n.rps
    from (select channel_id, base, rps, count(*) as taken from slots where rps is not null group by 1, 2, 3) n
    where c.workspace_id = p_workspace_id and c.channel_id = n.channel_id
  ),
  moved_groups as (
    update delivery.platform_limits g
    set next_allowed_at = n.group_base + n.taken * interval '1 second' / n.group_rps, updated_at = p_now
    from (select platform, rate_group, group_base, group_rps, count(*) as taken
          from slots where group_rps is not null group by 1, 2, 3, 4) n
    where g.workspace_id = p_workspace_id and g.platform = n.platform and g.rate_group = n.rate_group
  )
  update delivery.deliveries d
  set status = 'claimed', not_before = s.slot, claimed_at = p_now, claim_token = p_run_id, updated_at = p_now
  from slots s
  where d.workspace_id = p_workspace_id and d.delivery_id = s.delivery_id
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
    'media', (select jsonb_agg(item || jsonb_strip_nulls(jsonb_build_object(
                       'url', delivery.canonical_url(item ->> 'url', true),
                       'caption', delivery.fold_for_hash(item ->> 'caption'))) order by place)
              from jsonb_array_elements(p_payload -> 'media') with ordinality as items (item, place))
  )))::text, 'UTF8')), 'hex')
$function$;

CREATE OR REPLACE FUNCTION delivery.day_intervals(p_window jsonb, p_day timestamp without time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(p_window #> array['holidays', to_char(p_day, 'YYYY-MM-DD')], p_window -> to_char(p_day, 'dy'), '[]')
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

CREATE OR REPLACE FUNCTION delivery.enqueue_messages_and_deliveries(p_workspace_id uuid, p_endpoint_id uuid, p_kind text, p_raw jsonb, p_now timestamp with time zone DEFAULT now(), p_compiled jsonb DEFAULT '{}'::jsonb, p_run_id text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  v_payload    jsonb := delivery.normalize(p_raw);
  v_tags       text[] := delivery.tags_of(p_raw, v_payload);
  v_version    int := case when jsonb_typeof(p_raw -> 'hash_version') = 'number'
                             and (p_raw ->> 'hash_version') ~ '^[0-9]{1,9}$'
                           then (p_raw ->> 'hash_version')::int else 1 end;
  v_hash       text := delivery.content_hash(v_payload, v_version);
  v_trace      text := coalesce(nullif(btrim(p_raw ->> 'trace_id'), ''), p_run_id);
  v_scheduled  timestamptz := (p_raw ->> 'scheduled_for')::timestamptz;
  v_meta       jsonb := jsonb_strip_nulls(jsonb_build_object(
                          'trace_id', v_trace, 'endpoint_id', p_endpoint_id, 'kind', p_kind, 'run_id', p_run_id));
  v_message_id uuid;
  v_first_tags text[];
  v_is_new     boolean;
  v_timezone   text;
  v_keep_rows  boolean;
  v_repeats    uuid[] := '{}';
  v_reasons    text[] := '{}';
  v_earlier    uuid[] := '{}';
  v_counts     jsonb;
begin
  -- The upsert holds the message's row until commit, so the same post sent twice at once is judged one after the other.
  insert into delivery.messages as m (
    workspace_id, message_id, hash_version, content_hash, payload, tags, source, source_ref,
    first_seen_trace_id, first_ingest_run_id, last_seen_at, last_ingest_run_id, created_at)
  values (
    p_workspace_id, molva.uuidv7(p_now), v_version, v_hash, v_payload, v_tags,
    jsonb_strip_nulls(coalesce(p_raw -> 'source', '{}') || jsonb_build_object(
      'kind', p_kind, 'endpoint_id', p_endpoint_id, 'content_hash', p_raw ->> 'content_hash')),
    nullif(btrim(p_raw ->> 'source_ref'), ''), v_trace, p_run_id, p_now, p_run_id, p_now)
  on conflict (workspace_id, hash_version, content_hash) do update
    set last_seen_at = p_now, last_ingest_run_id = p_run_id, seen_count = m.seen_count + 1
  returning m.message_id, m.payload, m.tags, m.xmax = 0 into v_message_id, v_payload, v_first_tags, v_is_new;

  select w.timezone, coalesce((w.settings ->> 'deduped_rows')::boolean, false) into v_timezone, v_keep_rows
  from delivery.workspaces w where w.workspace_id = p_workspace_id;

  if not v_is_new then
    if v_first_tags <> v_tags then
      insert into delivery.events (workspace_id, id, message_id, ts, action, result, meta)
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

  with judged as (
    select c.channel_id, r.reason as repeat_of, r.earlier,
      p_compiled -> c.profile_key as compiled,
      case
        when r.reason is not null then null
        when p_compiled ? c.profile_key
          then case when not (p_compiled #>> array[c.profile_key, 'ok'])::boolean
                 then p_compiled #> array[c.profile_key, 'error'] end
        else delivery.preflight(c.platform, c.send_mode, v_payload)
      end as problem,
      case when v_scheduled is not null then greatest(p_now, v_scheduled)
           when c.window_mode = 'immediate' then p_now
           else p_now
      end as opens_at
    from delivery.channels c
    left join unnest(v_repeats, v_reasons, v_earlier) as r (channel_id, reason, earlier) using (channel_id)
    where c.enabled and c.workspace_id = p_workspace_id
      and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || '*'::text) as t)
      and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
    order by c.channel_id
  ),
  decided as materialized (
    select molva.uuidv7(p_now) as delivery_id, j.channel_id, j.compiled, j.repeat_of, j.earlier, j.opens_at,
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
      coalesce(d.compiled ->> 'text', nullif(btrim(p_raw ->> 'rendered_text'), ''), v_payload ->> 'text'),
      coalesce(d.compiled -> 'meta', '{}'), d.compiled ->> 'template_version',
      v_trace, p_now, p_now
    from decided d
    where d.repeat_of is null or v_keep_rows
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, result, error, meta)
    select p_workspace_id, molva.uuidv7(p_now),
      case when d.repeat_of is null or v_keep_rows then d.delivery_id end, v_message_id, d.channel_id, p_now,
      case when d.repeat_of is not null then 'dedup_suppressed'
           when d.problem is not null then 'validation_failed' else 'enqueue' end,
      case when d.problem is null then 'ok' else 'error' end,
      d.problem,
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

CREATE OR REPLACE FUNCTION delivery.ensure_event_partitions(p_days_ahead integer DEFAULT 7, p_now timestamp with time zone DEFAULT now())
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  v_day  date;
  v_name text;
  v_made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('delivery.event_partitions'));
  for v_day in
    select generate_series((p_now at time zone 'UTC')::date - 1, (p_now at time zone 'UTC')::date + p_days_ahead, '1 day')
  loop
    v_name := 'events_' || to_char(v_day, 'YYYYMMDD');
    continue when to_regclass('delivery.' || v_name) is not null;
    -- Rows of that day that came before their partition are moved into it.
    execute format('create table delivery.%I (like delivery.events including defaults including constraints)', v_name);
    execute format(
      'with early as (delete from delivery.events_rest where ts >= %L and ts < %L returning *)
       insert into delivery.%I select * from early',
      v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC', v_name);
    execute format('alter table delivery.events attach partition delivery.%I for values from (%L) to (%L)',
      v_name, v_day::timestamp at time zone 'UTC', (v_day + 1)::timestamp at time zone 'UTC');
    execute format('alter table delivery.%I enable row level security', v_name);
    v_made := v_made + 1;
  end loop;
  return v_made;
end
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
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
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
  select delivery.settle_one(p_workspace_id, p_delivery_id, jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed',
    'error', '{"scope": "delivery"}'::jsonb || p_error || '{"category": "PERMANENT"}'), p_now)
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
  join delivery.workspaces w using (workspace_id)
  where e.kind = p_kind and e.secret_hash = p_secret_hash and e.enabled and w.status <> 'disabled'
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
  select delivery.settle_one(p_workspace_id, p_delivery_id, jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'sent',
    'provider_message_id', p_provider_message_id, 'meta', p_raw_meta), p_sent_at)
$function$;

CREATE OR REPLACE FUNCTION delivery.mark_sent(p_workspace_id uuid, p_delivery_id uuid, p_provider_message_id text, p_sent_at timestamp with time zone, p_raw_meta jsonb)
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.mark_sent(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                            p_provider_message_id, p_sent_at, p_raw_meta)
$function$;

CREATE OR REPLACE FUNCTION delivery.next_due_at(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
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
    select greatest(h.due_at, c.paused_until, g.cooldown_until,
      case when c.rate_rps > 0 then c.next_allowed_at - interval '2 seconds' end,
      case when g.rate_rps > 0 then g.next_allowed_at - interval '2 seconds' end) as at
    from hop h
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = h.channel_id
    left join delivery.platform_limits g using (workspace_id, platform, rate_group)
    where c.enabled
  ),
  -- A claimed delivery waits for its slot, and then for the distance to the channel's last send.
  claimed as (
    select min(greatest(d.not_before, case when c.rate_rps > 0 then c.last_started_at + delivery.start_gap(c.rate_rps) end)) as at
    from (
      select d.channel_id, d.not_before from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.held_at is null
      order by d.not_before limit 1000
    ) d
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = d.channel_id
    -- A full channel goes on when one of its sends ends, which wakes the dispatcher by itself.
    where c.max_parallel > (
      select count(*) from delivery.deliveries s
      where s.workspace_id = p_workspace_id and s.status = 'sending' and s.channel_id = d.channel_id)
  )
  select min(at) from (
    select min(at) as at from waiting
    union all
    select at from claimed
    where exists (select from delivery.workspaces w where w.workspace_id = p_workspace_id and w.status = 'active')
  ) as due
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

CREATE OR REPLACE FUNCTION delivery.next_workspaces(p_now timestamp with time zone DEFAULT now())
 RETURNS SETOF uuid
 LANGUAGE plpgsql
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
  join delivery.workspaces w on w.workspace_id = h.workspace_id and w.status = 'active';

  if cardinality(v_live) > 1 then
    -- Best effort: several dispatchers may move the mark, none waits for it.
    update delivery.dispatcher_state s set workspace_id_last = v_live[1], updated_at = p_now
    where s.only_row and exists (select from delivery.dispatcher_state f where f.only_row for update skip locked);
  end if;
  return query select unnest(v_live);
end
$function$;

CREATE OR REPLACE FUNCTION delivery."normalize"(p_raw jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select jsonb_strip_nulls(
    (case when jsonb_typeof(p_raw -> 'payload') = 'object' then p_raw -> 'payload' else '{}' end
       - array['text', 'media', 'type', 'parse_mode', 'tags'])
    || jsonb_build_object(
         'type', case when m.media is null then 'text' else 'media' end,
         'text', delivery.clean_text(p_raw #>> '{payload,text}'),
         'parse_mode', case lower(coalesce(p_raw #>> '{payload,parse_mode}', p_raw #>> '{render_meta,parse_mode}'))
                         when 'html' then 'HTML' when 'markdown' then 'Markdown' when 'none' then 'None'
                       end,
         'media', m.media))
  from (
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
    (p_item - array['type', 'url', 'origin_url', 'media_url', 'caption'])
    || jsonb_build_object(
         'type', case lower(p_item ->> 'type')
                   when 'image' then 'photo' when 'gif' then 'animation' when 'file' then 'document'
                   else lower(p_item ->> 'type')
                 end,
         'url', delivery.canonical_url(
                  nullif(btrim(coalesce(p_item ->> 'url', p_item ->> 'origin_url', p_item ->> 'media_url')), '')),
         'caption', delivery.clean_text(p_item ->> 'caption')))
$function$;

CREATE OR REPLACE FUNCTION delivery.overview(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'workspace', (
      select jsonb_build_object('id', workspace_id, 'name', name, 'status', status)
      from delivery.workspaces where workspace_id = p_workspace_id),
    'queue', (
      select jsonb_object_agg(s.status, coalesce(n.count, 0))
      from unnest(array['queued', 'claimed', 'sending', 'retry', 'sent', 'deduped', 'failed_permanent', 'dead']) as s (status)
      left join (
        select status, count(*) from delivery.deliveries where workspace_id = p_workspace_id group by 1
      ) n using (status)),
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
        from delivery.events
        where workspace_id = p_workspace_id
          and action in ('sent', 'failed_permanent', 'dead_letter', 'validation_failed')
          and ts >= date_trunc('minute', p_now) - interval '59 minutes' and ts <= p_now + interval '1 minute'
        group by 1
      ) e using (minute)))
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

  if not p_window ? 'holidays' then
    return null;
  elsif jsonb_typeof(p_window -> 'holidays') <> 'object' then
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
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.preflight(p_platform text, p_send_mode text, p_payload jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  v_media   jsonb := coalesce(p_payload -> 'media', '[]');
  v_count   int := jsonb_array_length(v_media);
  v_length  int := coalesce(delivery.utf16_length(
                     delivery.visible_text(p_payload ->> 'text', p_payload ->> 'parse_mode')), 0);
  v_longest int := case p_platform when 'telegram' then 4096 when 'max' then 4000 end;
  v_most    int := case p_platform when 'telegram' then 10 when 'max' then 12 end;
  v_problem text;
begin
  v_problem := case
    when v_count = 0 and v_length = 0 then 'the post has neither text nor media'
    when p_send_mode = 'text' and v_length = 0 then 'the channel takes text only and the post has none'
    when p_send_mode = 'media' and v_count = 0 then 'the channel takes media only and the post has none'
    when v_length > v_longest
      then format('the text is %s characters long, the platform takes %s', v_length, v_longest)
    when v_count > v_most then format('the post has %s media, the platform takes %s', v_count, v_most)
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
        and c.route_keys && array(select p_workspace_id || ' ' || t from unnest(v_tags || '*'::text) as t)
        and (c.route_any = '{}' or c.route_any && v_tags) and c.route_all <@ v_tags and not c.route_none && v_tags
      order by c.profile_key
    ) c;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.record_ingress_drop(p_workspace_id uuid, p_endpoint_id uuid, p_run_id text, p_counter text, p_action text, p_meta jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into delivery.ingest_runs (workspace_id, run_id, kind, endpoint_id, started_at, finished_at, stats_json)
  values (p_workspace_id, p_run_id, 'push', p_endpoint_id, p_now, p_now,
          jsonb_build_object('processed', 1, 'accepted', 0, 'dropped', 1, p_counter, 1));
  insert into delivery.events (workspace_id, id, ts, action, result, meta)
  select p_workspace_id, molva.uuidv7(p_now), p_now, p_action, 'error',
         p_meta || jsonb_build_object('endpoint_id', p_endpoint_id, 'run_id', p_run_id)
  where p_action is not null;
$function$;

CREATE OR REPLACE FUNCTION delivery.recover_leases(p_sending_lease interval DEFAULT '00:05:00'::interval, p_claimed_lease interval DEFAULT '00:05:00'::interval, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(workspace_id uuid, delivery_id uuid, was text, status text)
 LANGUAGE sql
AS $function$
  with stale as materialized (
    select d.workspace_id, d.delivery_id, d.status as was,
      case when d.status = 'claimed' then 'queued'
           when d.attempt >= 5 + d.requeues then 'dead'
           else 'retry'
      end as new_status
    from delivery.deliveries d
    where (d.status = 'sending' and d.sending_started_at < p_now - p_sending_lease)
       or (d.status = 'claimed' and d.not_before <= p_now and d.claimed_at < p_now - p_claimed_lease)
    for update skip locked
  ),
  freed as (
    update delivery.deliveries d
    set status = s.new_status,
        next_retry_at = case s.new_status when 'retry' then p_now + make_interval(secs => 10 + 20 * random()) end,
        last_error = case s.was
          when 'sending' then jsonb_build_object(
            'category', 'TRANSIENT', 'scope', 'delivery', 'code', 'outcome_unknown', 'cause', 'sending_lease_expired',
            'message', 'the process that was sending it stopped before it could say how it ended')
          else d.last_error end,
        claimed_at = null, claim_token = null, sending_started_at = null, updated_at = p_now
    from stale s
    where d.workspace_id = s.workspace_id and d.delivery_id = s.delivery_id
    returning d.*, s.was
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    select f.workspace_id, molva.uuidv7(p_now), f.delivery_id, f.message_id, f.channel_id,
      p_now + a.place * interval '1 microsecond', a.action, f.attempt,
      'error', case f.was when 'sending' then f.last_error end, a.meta
    from freed f
    cross join lateral (
      select 2, f.was || '_lease_expired', '{}'::jsonb
      union all
      select 3, 'dead_letter', '{"reason": "sending_lease_expired_max_attempts"}' where f.status = 'dead'
    ) as a (place, action, meta)
  )
  select f.workspace_id, f.delivery_id, f.was, f.status from freed f
$function$;

CREATE OR REPLACE FUNCTION delivery.release_blocked(p_workspace_id uuid, p_channels uuid[], p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  update delivery.deliveries d
  set status = case when d.next_retry_at is null then 'queued' else 'retry' end,
      not_before = case b.block when 'window_closed' then coalesce(b.opens_at, d.not_before) else d.not_before end,
      claimed_at = null, claim_token = null, updated_at = p_now
  from (
    select c.channel_id, delivery.channel_block(c, p_now) as block, p_now as opens_at
    from delivery.channels c
    join delivery.workspaces w using (workspace_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (p_channels)
  ) b
  where b.block is not null
    and d.workspace_id = p_workspace_id and d.channel_id = b.channel_id and d.status = 'claimed'
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

CREATE OR REPLACE FUNCTION delivery.retry_delay(p_attempt integer, p_error jsonb, p_random double precision)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select make_interval(secs => case
    when p_error ->> 'retry_after_ms' is not null
      then (p_error ->> 'retry_after_ms')::double precision / 1000 * (1 + 0.1 * p_random)
    when p_error ->> 'code' = 'attachment_not_ready' and p_attempt <= 3
      then least(5, power(2, p_attempt - 1)) * (1 + 0.2 * p_random)
    else least(600, 2 * power(2, greatest(p_attempt, 1) - 1)) * (0.8 + 0.4 * p_random)
  end)
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
  select delivery.settle_one(p_workspace_id, p_delivery_id, jsonb_build_object(
    'delivery_id', p_delivery_id, 'token', p_claim_token, 'kind', 'failed', 'next_retry_at', p_next_retry_at,
    'error', '{"scope": "delivery"}'::jsonb || p_error || '{"category": "TRANSIENT"}'), p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.schedule_retry(p_workspace_id uuid, p_delivery_id uuid, p_next_retry_at timestamp with time zone, p_error jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE sql
AS $function$
  select delivery.schedule_retry(p_workspace_id, p_delivery_id, delivery.claim_token_of(p_workspace_id, p_delivery_id),
                                 p_next_retry_at, p_error, p_now)
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_deliveries(p_workspace_id uuid, p_outcomes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, applied boolean, status text, next_retry_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
begin
  if jsonb_path_exists(p_outcomes, '$[*] ? (@.kind != "sent" || exists (@.reconciled))') then
    return query select * from delivery.settle_mixed(p_workspace_id, p_outcomes, p_now);
  else
    return query select * from delivery.settle_sent(p_workspace_id, p_outcomes, p_now);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.settle_mixed(p_workspace_id uuid, p_outcomes jsonb, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, applied boolean, status text, next_retry_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  c_max_attempts  constant int := 5;
  c_pause         constant interval := interval '1 hour';
  c_disable_after constant int := 3;
  c_cooldown      constant interval := interval '30 seconds';
begin
  -- Channels that will change are locked first, in order, as everybody does.
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id in (
    select d.channel_id from jsonb_array_elements(p_outcomes) as o
    join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = (o ->> 'delivery_id')::uuid)
  order by c.channel_id
  for update;

  return query
  with outcomes as materialized (
    select (o ->> 'delivery_id')::uuid as delivery_id, o ->> 'token' as token, o ->> 'kind' as kind,
      o ->> 'provider_message_id' as provider_message_id, o -> 'meta' as meta, o ->> 'reconciled' as reconciled,
      (o ->> 'next_retry_at')::timestamptz as next_retry_at,
      (case when o ->> 'kind' = 'unknown'
        then (o -> 'error') || jsonb_build_object('code', 'outcome_unknown', 'category', 'TRANSIENT',
                                                  'cause', o #>> '{error,code}')
        else o -> 'error'
      end) as error
    from jsonb_array_elements(p_outcomes) as o
  ),
  judged as materialized (
    select d.delivery_id, d.channel_id, d.message_id, d.attempt, o.kind, o.error, o.provider_message_id, o.meta, o.reconciled,
      case
        when o.kind = 'sent' then 'sent'
        when o.error ->> 'category' = 'PERMANENT' then 'failed_permanent'
        when d.attempt >= c_max_attempts + d.requeues then 'dead'
        else 'retry'
      end as new_status,
      coalesce(o.next_retry_at, p_now + delivery.retry_delay(d.attempt, o.error, random())) as retry_at
    from outcomes o
    join delivery.deliveries d on d.workspace_id = p_workspace_id and d.delivery_id = o.delivery_id
    where d.status = 'sending' and d.claim_token = o.token
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
    where d.workspace_id = p_workspace_id and d.delivery_id = j.delivery_id
    returning d.delivery_id, d.status, d.next_retry_at
  ),
  -- One verdict per channel: a channel-scoped refusal counts once per delivery, a success clears the streak.
  verdicts as (
    select j.channel_id,
      bool_or(j.new_status = 'sent') as any_sent,
      count(*) filter (where j.new_status = 'failed_permanent' and j.error ->> 'scope' = 'channel') as refusals,
      max(j.error ->> 'migrate_to') as migrate_to
    from judged j group by 1
  ),
  channels_changed as (
    update delivery.channels c
    set error_streak = case when v.refusals > 0 then c.error_streak + v.refusals when v.any_sent then 0 else c.error_streak end,
        paused_until = case when v.refusals > 0
                         then greatest(coalesce(c.paused_until, p_now), p_now) + c_pause else c.paused_until end,
        enabled = c.enabled and not (v.refusals > 0 and c.error_streak + v.refusals >= c_disable_after),
        target_id = coalesce(v.migrate_to, c.target_id),
        updated_at = p_now
    from verdicts v
    where c.workspace_id = p_workspace_id and c.channel_id = v.channel_id
      and (v.refusals > 0 or (v.any_sent and c.error_streak > 0) or (v.migrate_to is not null and not exists (
            select from delivery.channels o
            where o.workspace_id = p_workspace_id and o.platform = c.platform and o.target_id = v.migrate_to)))
    returning c.channel_id, c.error_streak, c.enabled, c.paused_until, v.refusals, v.migrate_to
  ),
  cooldowns as (
    insert into delivery.platform_limits as g (workspace_id, platform, rate_group, cooldown_until, updated_at)
    select distinct on (c.platform, c.rate_group) p_workspace_id, c.platform, c.rate_group,
      p_now + coalesce(make_interval(secs => (j.error ->> 'retry_after_ms')::float8 / 1000), c_cooldown), p_now
    from judged j
    join delivery.channels c on c.workspace_id = p_workspace_id and c.channel_id = j.channel_id
    where j.error ->> 'scope' = 'platform'
      and (j.error ->> 'category' = 'PERMANENT' or j.error ->> 'retry_after_ms' is not null)
    order by c.platform, c.rate_group, (j.error ->> 'retry_after_ms')::float8 desc nulls last
    on conflict (workspace_id, platform, rate_group) do update
      set cooldown_until = greatest(g.cooldown_until, excluded.cooldown_until), updated_at = p_now
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, error, meta)
    -- Events of one instant keep their order by a microsecond each.
    select p_workspace_id, molva.uuidv7(p_now), j.delivery_id, j.message_id, j.channel_id,
      p_now + e.place * interval '1 microsecond', e.action, j.attempt, e.result, j.error, e.meta
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
      p_now + a.place * interval '1 microsecond', a.action, j.attempt, 'error', j.error,
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
    where d.workspace_id = p_workspace_id and d.delivery_id = o.delivery_id
      and d.status = 'sending' and d.claim_token = o.token
    returning d.delivery_id, d.message_id, d.channel_id, d.attempt, d.provider_message_id
  ),
  cleared as (
    update delivery.channels c set error_streak = 0, updated_at = p_now
    where c.workspace_id = p_workspace_id and c.error_streak > 0 and c.channel_id in (select s.channel_id from settled s)
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '4 microseconds', 'sent', s.attempt, 'ok',
      jsonb_build_object('provider_message_id', s.provider_message_id)
    from settled s
  )
  select o.delivery_id, s.delivery_id is not null, case when s.delivery_id is not null then 'sent' end, null::timestamptz
  from outcomes o
  left join settled s using (delivery_id)
$function$;

CREATE OR REPLACE FUNCTION delivery.start_gap(p_rps numeric)
 RETURNS interval
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select interval '1.01 seconds' / p_rps::float8
$function$;

CREATE OR REPLACE FUNCTION delivery.start_sending(p_workspace_id uuid, p_run_id text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, claim_token text, attempt integer, message_id uuid, channel_id uuid, platform text, target_id text, send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, render_meta jsonb, last_error jsonb, created_at timestamp with time zone, trace_id text)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  v_due uuid[];
begin
  select array_agg(distinct d.channel_id) into v_due
  from (
    select d.channel_id from delivery.deliveries d
    where d.workspace_id = p_workspace_id and d.status = 'claimed' and d.not_before <= p_now
    order by d.not_before limit 10000
  ) d;
  if v_due is null or p_limit <= 0 then
    return;
  end if;
  -- A statement of its own: what is counted below must be seen after the locks were got, not before.
  perform from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = any (v_due)
  order by c.channel_id
  for update;
  perform delivery.release_blocked(p_workspace_id, v_due, p_now);

  return query
  with sending as (
    select s.channel_id, count(*) as now_sending from delivery.deliveries s
    where s.workspace_id = p_workspace_id and s.status = 'sending'
    group by 1
  ),
  free_channels as materialized (
    select c.channel_id, c.platform, c.target_id, c.send_mode, c.settings, c.unknown_policy, c.auth_ref,
      -- A limited channel starts one at a time, a little more than 1/rate after the last one really began: the provider
      -- counts arrivals, and the network may bring the next one sooner than it left.
      case when c.rate_rps > 0 then
             case when coalesce(c.last_started_at + delivery.start_gap(c.rate_rps), '-infinity') <= p_now
               then least(1, c.max_parallel - coalesce(s.now_sending, 0)) else 0 end
           else c.max_parallel - coalesce(s.now_sending, 0)
      end as room
    from delivery.channels c
    left join sending s using (channel_id)
    where c.workspace_id = p_workspace_id and c.channel_id = any (v_due)
      and delivery.channel_block(c, p_now) is null
  ),
  ready as materialized (
    select r.delivery_id
    from free_channels f
    cross join lateral (
      select d.delivery_id, d.not_before
      from delivery.deliveries d
      where d.workspace_id = p_workspace_id and d.channel_id = f.channel_id
        and d.status = 'claimed' and d.not_before <= p_now and d.held_at is null
      order by d.not_before, d.delivery_id
      limit greatest(f.room, 0)
      for update skip locked
    ) r
    order by r.not_before, r.delivery_id
    limit p_limit
  ),
  started as (
    update delivery.deliveries d
    set status = 'sending', attempt = d.attempt + 1, sending_started_at = p_now,
        claim_token = p_run_id || ':' || d.delivery_id || ':' || d.attempt, updated_at = p_now
    from ready r
    where d.workspace_id = p_workspace_id and d.delivery_id = r.delivery_id
    returning d.*
  ),
  paced as (
    update delivery.channels c set last_started_at = p_now
    where c.workspace_id = p_workspace_id and c.rate_rps > 0 and c.channel_id in (select s.channel_id from started s)
  ),
  noted as (
    insert into delivery.events (workspace_id, id, delivery_id, message_id, channel_id, ts, action, attempt, result, meta)
    select p_workspace_id, molva.uuidv7(p_now), s.delivery_id, s.message_id, s.channel_id,
      p_now + interval '1 microsecond', 'send_attempt', s.attempt, 'ok',
      jsonb_build_object('idempotency_key', s.delivery_id, 'run_id', p_run_id, 'trace_id', s.trace_id)
    from started s
  )
  select s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, f.platform, f.target_id, f.send_mode,
    f.settings, b.secret_ref, f.unknown_policy, m.payload, s.render_meta, s.last_error, s.created_at, s.trace_id
  from started s
  join free_channels f using (channel_id)
  join delivery.messages m on m.workspace_id = p_workspace_id and m.message_id = s.message_id
  left join delivery.channel_auth a on a.workspace_id = p_workspace_id and a.channel_id = s.channel_id
  left join delivery.credential_bindings b
    on b.workspace_id = p_workspace_id and b.auth_ref = coalesce(a.auth_ref, f.auth_ref) and b.platform = f.platform
  order by s.not_before, s.delivery_id;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.tags_of(p_raw jsonb, p_payload jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(array_agg(distinct tag order by tag), '{}')
  from (
    select delivery.fold(btrim(tag))
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

CREATE OR REPLACE FUNCTION delivery.take_deliveries(p_workspace_id uuid, p_run_id text, p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(delivery_id uuid, claim_token text, attempt integer, message_id uuid, channel_id uuid, platform text, target_id text, send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, render_meta jsonb, last_error jsonb, created_at timestamp with time zone, trace_id text)
 LANGUAGE plpgsql
AS $function$
begin
  perform delivery.claim_deliveries(p_workspace_id, p_run_id, p_limit, p_now);
  return query select * from delivery.start_sending(p_workspace_id, p_run_id, p_limit, p_now);
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

CREATE OR REPLACE FUNCTION delivery.take_turn(p_workspace_id uuid, p_channel_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
declare
  v_channel delivery.channels;
  v_group   delivery.platform_limits;
  v_turn    timestamptz := p_now;
begin
  select * into v_channel from delivery.channels c
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id;
  -- Groups before channels: the order of all locks.
  update delivery.platform_limits g
  set next_allowed_at = greatest(p_now, coalesce(g.next_allowed_at, p_now)) + interval '1 second' / g.rate_rps::float8,
      updated_at = p_now
  where g.workspace_id = p_workspace_id and g.platform = v_channel.platform and g.rate_group = v_channel.rate_group
    and g.rate_rps > 0
  returning * into v_group;
  if found then
    v_turn := greatest(v_turn, v_group.next_allowed_at - interval '1 second' / v_group.rate_rps::float8);
  end if;
  select greatest(v_turn, g.cooldown_until) into v_turn from delivery.platform_limits g
  where g.workspace_id = p_workspace_id and g.platform = v_channel.platform and g.rate_group = v_channel.rate_group;
  v_turn := coalesce(v_turn, p_now);
  update delivery.channels c
  set next_allowed_at = greatest(v_turn, coalesce(c.next_allowed_at, v_turn), c.last_started_at + delivery.start_gap(c.rate_rps))
                        + interval '1 second' / c.rate_rps::float8,
      last_started_at = greatest(v_turn, coalesce(c.next_allowed_at, v_turn), c.last_started_at + delivery.start_gap(c.rate_rps))
  where c.workspace_id = p_workspace_id and c.channel_id = p_channel_id and c.rate_rps > 0
  returning c.last_started_at into v_channel.last_started_at;
  return case when found then v_channel.last_started_at else v_turn end;
end
$function$;

CREATE OR REPLACE FUNCTION delivery.timezone_fault(p_timezone text)
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

CREATE OR REPLACE FUNCTION delivery.utf16_length(p_text text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (length(p_text) + length(regexp_replace(p_text, '[^\U00010000-\U0010ffff]'::text, ''::text, 'g'::text)));

CREATE OR REPLACE FUNCTION delivery.visible_text(p_text text, p_parse_mode text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (p_parse_mode = 'HTML'::text) THEN replace(replace(replace(replace(regexp_replace(p_text, '<[^>]*>'::text, ''::text, 'g'::text), '&lt;'::text, '<'::text), '&gt;'::text, '>'::text), '&quot;'::text, '"'::text), '&amp;'::text, '&'::text) ELSE p_text END;

CREATE OR REPLACE FUNCTION delivery.waiting_channels(p_workspace_id uuid, p_now timestamp with time zone DEFAULT now())
 RETURNS uuid[]
 LANGUAGE sql
 STABLE
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
  )
  select coalesce(array_agg(channel_id), '{}') from hop where due_at <= p_now
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

COMMIT;
