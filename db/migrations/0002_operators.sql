-- The people and machines that may use the HTTP API. Secrets are kept only as hashes: passwords as scrypt,
-- everything random as the SHA-256 of 32 random bytes, in hex.

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

create table molva.api_tokens (
  id           uuid        primary key default molva.uuidv7(),
  name         text        not null,
  token_sha256 text        not null unique,
  scopes       text[]      not null check (
    cardinality(scopes) > 0 and scopes <@ array['read', 'write', 'operate', 'payload', 'admin']
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

alter table molva.operators       enable row level security;
alter table molva.sessions        enable row level security;
alter table molva.signin_links    enable row level security;
alter table molva.api_tokens      enable row level security;
alter table molva.signin_attempts enable row level security;
