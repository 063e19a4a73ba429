-- What every module stands on: ids, operators and their keys, keys and values. The schema itself and the migration books are
-- made by the runner (src/kernel/db/migrate.ts).

comment on schema molva is 'Molva''s own tables: migrations, operators, keys and values';

-- UUIDv7 for servers before 18, which have no uuidv7() of their own: 48 bits of milliseconds, version, random bits.
-- Here and not among the functions, because columns have it as their default.
create function molva.uuidv7(p_now timestamptz default clock_timestamp()) returns uuid
language sql volatile parallel safe
return encode(
  set_bit(
    set_bit(
      overlay(uuid_send(gen_random_uuid())
              placing substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3)
              from 1 for 6),
      52, 1),
    53, 1),
  'hex')::uuid;

-- Operators: the people and machines that may use the HTTP API --------------------------------------------------------

-- Secrets are kept only as hashes: passwords as scrypt, everything random as the SHA-256 of 32 random bytes, in hex.

create table molva.operators (
  id            uuid        primary key default molva.uuidv7(),
  login         text        not null unique check (login = lower(login) and login <> ''),
  name          text        not null,
  password_hash text,
  disabled      boolean     not null default false,
  created_at    timestamptz not null
);
comment on column molva.operators.password_hash is 'PHC string with its own parameters; null: signs in by link only';

create table molva.sessions (
  id           uuid        primary key default molva.uuidv7(),
  operator_id  uuid        not null references molva.operators on delete cascade,
  token_sha256 text        not null unique,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null,
  user_agent   text
);
create index sessions_operator on molva.sessions (operator_id);
create index sessions_expiry on molva.sessions (expires_at);

create table molva.signin_links (
  id           uuid        primary key default molva.uuidv7(),
  operator_id  uuid        not null references molva.operators on delete cascade,
  token_sha256 text        not null unique,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz
);
create index signin_links_operator on molva.signin_links (operator_id);
create index signin_links_expiry on molva.signin_links (expires_at);

-- Reading what people say and who they are (`people`), and reading the figures of the whole server (`metrics`), are rights
-- of their own.
create table molva.api_tokens (
  id           uuid        primary key default molva.uuidv7(),
  name         text        not null,
  token_sha256 text        not null unique,
  scopes       text[]      not null check (
    cardinality(scopes) > 0
    and scopes <@ array['read', 'write', 'operate', 'payload', 'people', 'metrics', 'admin']
  ),
  workspace_id uuid,
  created_by   uuid        references molva.operators on delete cascade,
  created_at   timestamptz not null,
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz
);
comment on column molva.api_tokens.workspace_id is 'null: every workspace';
comment on column molva.api_tokens.created_by is 'null: made at the command line; a disabled operator''s tokens stop working';

-- How many passwords were tried for a login or from an address in the current window.
create table molva.signin_attempts (
  subject_sha256 text        primary key,
  attempts       integer     not null,
  window_ends_at timestamptz not null
);
comment on column molva.signin_attempts.subject_sha256 is
  'hashed, because people type passwords into the login field';
create index signin_attempts_expiry on molva.signin_attempts (window_ends_at);

-- Keys and values -----------------------------------------------------------------------------------------------------

-- With a time to live: sessions, counters, short-lived marks. Unlogged, because it is written often and a crash of the
-- server may empty it: nothing that must not be lost belongs here.
create unlogged table molva.kv (
  key        text primary key check (length(key) between 1 and 512),
  value      text not null,
  expires_at timestamptz
) with (fillfactor = 70); -- room for counters to grow in their page
comment on table molva.kv is 'Keys and values with a time to live; may be emptied by a crash';
-- For the purge alone: readers find a row by its key and look at its time themselves.
create index kv_expires_at on molva.kv (expires_at) where expires_at is not null;

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table molva.operators       enable row level security;
alter table molva.sessions        enable row level security;
alter table molva.signin_links    enable row level security;
alter table molva.api_tokens      enable row level security;
alter table molva.signin_attempts enable row level security;
alter table molva.kv              enable row level security;
