-- What a critical reading of the promises about trust found.

-- How long entries of the audit are kept at least. Only the owner of the tables may write it (`molva migrate` does), so that a server
-- whose role was taken over cannot shorten the retention.
create table audit.retention (
  only_row bool primary key default true check (only_row),
  days     int  not null check (days >= 30)
);
insert into audit.retention (days) values (365);
alter table audit.retention enable row level security;

-- The token that was given a secret of an endpoint: the secret works while that token does, and from where it works. No reference, because
-- a secret whose token is gone must open nothing.
alter table delivery.workspace_endpoints
  add column secret_by_token  uuid,
  add column signing_by_token uuid;
comment on column delivery.workspace_endpoints.secret_by_token is 'null: the secret was given to a person or at the command line';
comment on column delivery.workspace_endpoints.signing_by_token is 'the same of the signing secret';
