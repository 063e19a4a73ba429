-- Second factors of operators (TOTP, RFC 6238), their recovery codes, sign-ins that wait for the second step, and the identities
-- of operators at an OpenID Connect provider.

create table molva.second_factors (
  operator_id  uuid        primary key references molva.operators on delete cascade,
  secret       text        not null,
  last_step    bigint,
  created_at   timestamptz not null,
  confirmed_at timestamptz
);
comment on column molva.second_factors.secret is 'the TOTP secret in base32, encrypted for this row';
comment on column molva.second_factors.last_step is 'the last 30-second step whose code was used; no code of it or an earlier one works again';
comment on column molva.second_factors.confirmed_at is 'null: shown to the operator, but not yet asked for';

create table molva.recovery_codes (
  operator_id uuid        not null references molva.second_factors on delete cascade,
  code_sha256 text        not null,
  used_at     timestamptz,
  primary key (operator_id, code_sha256)
);
comment on column molva.recovery_codes.code_sha256 is 'of 80 random bits, so a plain hash is enough';

-- Somebody has shown a password, a link or a provider's word, and has the second step to make.
create table molva.signin_challenges (
  token_sha256 text        primary key,
  operator_id  uuid        not null references molva.operators on delete cascade,
  method       text        not null check (method in ('password', 'link', 'oidc')),
  created_at   timestamptz not null,
  expires_at   timestamptz not null
);
create index signin_challenges_operator on molva.signin_challenges (operator_id);
create index signin_challenges_expiry on molva.signin_challenges (expires_at);

create table molva.oidc_identities (
  issuer      text        not null,
  subject     text        not null,
  operator_id uuid        not null references molva.operators on delete cascade,
  linked_at   timestamptz not null,
  primary key (issuer, subject),
  -- An address that was given to somebody else at the provider comes with another subject and must not open the old account.
  unique (operator_id, issuer)
);

alter table molva.second_factors    enable row level security;
alter table molva.recovery_codes    enable row level security;
alter table molva.signin_challenges enable row level security;
alter table molva.oidc_identities   enable row level security;
