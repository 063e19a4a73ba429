-- Several operators: roles per workspace, invitations, sessions that can be recognised, tokens with a maker and allowed networks.

-- Until now every operator could do everything, so everyone who is here stays an administrator of the installation.
alter table molva.operators add column administrator boolean not null default false;
update molva.operators set administrator = true;
comment on column molva.operators.administrator is 'of the whole installation: every scope in every workspace';

create table molva.memberships (
  workspace_id uuid        not null,
  operator_id  uuid        not null references molva.operators on delete cascade,
  role         text        not null check (role in ('viewer', 'operator', 'admin')),
  created_at   timestamptz not null,
  primary key (workspace_id, operator_id)
);
comment on table molva.memberships is 'The role of an operator in a workspace; administrators of the installation need none';
create index memberships_operator on molva.memberships (operator_id);

-- A row is deleted when its invitation is accepted or revoked.
create table molva.invitations (
  id           uuid        primary key default molva.uuidv7(),
  workspace_id uuid,
  login        text        not null check (login = lower(login) and login <> ''),
  role         text        not null check (role in ('viewer', 'operator', 'admin', 'administrator')),
  token_sha256 text        not null unique,
  invited_by   uuid        references molva.operators on delete cascade,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  check ((workspace_id is null) = (role = 'administrator'))
);
comment on column molva.invitations.workspace_id is 'null: to administer the installation';
comment on column molva.invitations.invited_by is 'null: at the command line';
-- A second invitation of the same person replaces the first.
create unique index invitations_of_login on molva.invitations (workspace_id, login) nulls not distinct;
create index invitations_expiry on molva.invitations (expires_at);

alter table molva.sessions add column address text;
comment on column molva.sessions.address is 'the network address at sign-in';

alter table molva.api_tokens
  add column made_by_token uuid references molva.api_tokens on delete cascade,
  -- Text, checked by a cast: drivers read arrays of inet in different ways.
  add column networks text[] not null default '{}' check (networks::inet[] is not null),
  add column refused_at timestamptz;
comment on column molva.api_tokens.made_by_token is 'revoked with that token';
comment on column molva.api_tokens.networks is 'from which the token works; empty: from everywhere';
comment on column molva.api_tokens.refused_at is 'when it last came from another network, exact to a minute';
create index api_tokens_made_by_token on molva.api_tokens (made_by_token) where made_by_token is not null;

alter table delivery.workspace_endpoints
  add column networks text[] not null default '{}' check (networks::inet[] is not null);
comment on column delivery.workspace_endpoints.networks is 'from which posts are taken; empty: from everywhere';

alter table molva.memberships enable row level security;
alter table molva.invitations enable row level security;
