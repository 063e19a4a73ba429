-- Sessions of people's own Telegram accounts: what a client keeps between two connections, who has it open, by which proxy it
-- goes, and sign-ins that are under way. Nothing here can be read without the vault's keys but who, when and how far.

-- What a client library remembers: authorisation keys, its own settings, the chats it has met. `value` is sealed; `names` are
-- hashes by which a row is looked for (a username, a phone). An account may be here before it is in accounts.accounts: a
-- sign-in writes first.
create table accounts.session_values (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  kind         text not null check (kind in ('auth_key', 'kv', 'peer', 'reference')),
  key          text not null,
  value        text not null,
  names        text[] not null default '{}',
  primary key (workspace_id, account_id, kind, key)
) with (fillfactor = 80);
create index session_values_by_name on accounts.session_values using gin (names);

-- Which process has the session open. Telegram burns a key that is used from two places at once.
create table accounts.session_leases (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  holder       text not null check (holder <> ''),
  held_until   timestamptz not null,
  -- Somebody else waits for it.
  wanted_at    timestamptz,
  primary key (workspace_id, account_id)
) with (fillfactor = 50);
create index session_leases_of_holder on accounts.session_leases (holder);

-- The proxy's address with its password, sealed.
create table accounts.proxies (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  account_id   uuid not null,
  address      text not null,
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, account_id)
);

-- A sign-in under way, so that its next step may be taken by another process. `code_hash` is Telegram's, sealed.
create table accounts.login_attempts (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           uuid not null default molva.uuidv7(),
  account_id   uuid not null,
  owner        text not null check (owner <> ''),
  method       text not null check (method in ('phone', 'qr')),
  phone        text,
  step         text not null check (step in ('code', 'password', 'qr', 'done', 'cancelled')),
  code_hash    text,
  sent_to      text,
  hint         text,
  device       jsonb not null check (jsonb_typeof(device) = 'object'),
  tries        int not null default 0,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  primary key (workspace_id, id),
  constraint phone_sign_in_has_phone check (method <> 'phone' or phone is not null),
  constraint code_has_hash check (step <> 'code' or code_hash is not null)
) with (fillfactor = 70);
create unique index login_attempts_one_open on accounts.login_attempts (workspace_id, account_id)
  where step in ('code', 'password', 'qr');
create index login_attempts_by_expiry on accounts.login_attempts (expires_at);

do $$
declare
  t text;
begin
  foreach t in array array['session_values', 'session_leases', 'proxies', 'login_attempts'] loop
    execute format('alter table accounts.%I enable row level security', t);
  end loop;
end
$$;
