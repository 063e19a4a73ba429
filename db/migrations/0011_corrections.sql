-- Posts that were put right, or taken back, after they had been sent. A delivery stays `sent`; what is done to it afterwards is a row
-- of its own, with its own attempts and outcome.

-- When the post was taken back. Only the row knows: readers see nothing any more, and the channel may get the post again.
alter table delivery.deliveries add column withdrawn_at timestamptz,
  add constraint only_sent_is_withdrawn check (withdrawn_at is null or status = 'sent');

-- What a post was to say instead, once for all its channels.
create table delivery.revisions (
  workspace_id uuid not null,
  revision_id  uuid not null default molva.uuidv7(),
  message_id   uuid not null,
  payload      jsonb not null,
  operator     text not null,
  reason       text not null,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, revision_id),
  foreign key (workspace_id, message_id) references delivery.messages on delete cascade
);
create index revisions_of_message on delivery.revisions (workspace_id, message_id);
-- Which revisions use a blob.
create index revisions_blobs on delivery.revisions
  using gin ((jsonb_path_query_array(payload, '$.media[*].blob_ref')) jsonb_path_ops)
  where payload ? 'media';

create table delivery.corrections (
  workspace_id         uuid not null,
  correction_id        uuid not null default molva.uuidv7(),
  delivery_id          uuid not null,
  message_id           uuid not null,
  channel_id           uuid not null,
  -- Of all corrections of its delivery, from 1: ids made within one instant have no order.
  number               int not null check (number >= 1),
  kind                 text not null check (kind in ('edit', 'remove')),
  revision_id          uuid,
  status               text not null check (status in
                         ('queued', 'sending', 'retry', 'done', 'failed_permanent', 'dead', 'superseded')),
  attempt              int not null default 0 check (attempt >= 0),
  due_at               timestamptz not null,
  last_error           jsonb,
  -- The new post as it was compiled, as a delivery keeps its own.
  rendered_text        text,
  render_meta          jsonb not null default '{}',
  template_version     text,
  -- What the provider calls the messages now, and what it answered.
  provider_message_ids text[],
  provider_meta        jsonb,
  operator             text not null,
  reason               text not null,
  claim_token          text,
  sending_started_at   timestamptz,
  ended_at             timestamptz,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  foreign key (workspace_id, delivery_id) references delivery.deliveries on delete cascade,
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade,
  foreign key (workspace_id, revision_id) references delivery.revisions on delete cascade,
  constraint edit_has_revision check ((kind = 'edit') = (revision_id is not null)),
  constraint token_only_while_sending check ((claim_token is not null) = (status = 'sending')),
  constraint lease_only_while_sending check ((sending_started_at is not null) = (status = 'sending')),
  constraint end_has_time check ((ended_at is not null) = (status in ('done', 'failed_permanent', 'dead', 'superseded')))
) with (fillfactor = 70);
create index corrections_of_channel on delivery.corrections (workspace_id, channel_id);
create index corrections_of_message on delivery.corrections (workspace_id, message_id);
create index corrections_of_revision on delivery.corrections (workspace_id, revision_id) where revision_id is not null;
create unique index corrections_of_delivery on delivery.corrections (workspace_id, delivery_id, number);
-- The newest wins: of a delivery's corrections one waits at most, and one is under way.
create unique index corrections_waiting_one on delivery.corrections (workspace_id, delivery_id) where status in ('queued', 'retry');
create unique index corrections_sending_one on delivery.corrections (workspace_id, delivery_id) where status = 'sending';
create index corrections_due on delivery.corrections (workspace_id, due_at, correction_id) where status in ('queued', 'retry');
create index corrections_sending on delivery.corrections (workspace_id, channel_id) where status = 'sending';
-- Made last, as those of deliveries and channels: while a table is small, the index made last is taken.
alter table delivery.corrections add primary key (workspace_id, correction_id);

-- What stands at the provider as far as it is known: see delivery.posted_of.
create type delivery.posted as (
  text                 text,
  compiled             jsonb,
  provider_message_id  text,
  provider_meta        jsonb,
  provider_message_ids text[],
  may_differ           boolean
);

-- A correction that is being sent, with all that its adapter needs.
create type delivery.started_correction as (
  workspace_id  uuid,
  correction_id uuid,
  delivery_id   uuid,
  claim_token   text,
  attempt       int,
  kind          text,
  channel_id    uuid,
  platform      text,
  target_id     text,
  send_mode     text,
  settings      jsonb,
  secret_ref    text,
  rendered_text text,
  render_meta   jsonb,
  posted        jsonb,
  sent_at       timestamptz,
  created_at    timestamptz,
  departs_at    timestamptz,
  gap_ms        float8
);

alter table delivery.revisions enable row level security;
alter table delivery.corrections enable row level security;
