-- Every sealed text is bound to its row now: its id is known before it is sealed, and a copy in another row opens nothing.
drop function if exists workspaces.keep_secret(uuid, text, timestamptz);
drop function if exists workspaces.bind_credential(uuid, text, text, text, text, text, text, timestamptz);
drop function if exists accounts.move_session(uuid, uuid, uuid);

-- What was done once to the data of an earlier release, beyond what SQL can do.
create table molva.upgrades (
  name    text primary key,
  done_at timestamptz not null default now()
);
alter table molva.upgrades enable row level security;
