-- Drafts of posts, and what operators look at first.

-- A post that an operator has not sent yet. It may be incomplete: it is checked when it is sent. A sent draft is kept for a while
-- with its answer, so that a request that comes twice posts once.
create table delivery.drafts (
  workspace_id  uuid not null references workspaces.workspaces on delete cascade,
  draft_id      uuid not null default molva.uuidv7(),
  title         text not null,
  payload       jsonb not null check (jsonb_typeof(payload) = 'object'),
  tags          text[] not null default '{}',
  channel_ids   uuid[] check (cardinality(channel_ids) between 1 and 100),
  scheduled_for timestamptz,
  -- Who began it: an operator or a token, with its id.
  author        text not null,
  version       int not null default 1 check (version >= 1),
  -- The files that it uses, by the names under which they are stored: they are kept for as long as it is.
  blobs         text[] not null default '{}',
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  sent_at       timestamptz,
  answer        jsonb,
  primary key (workspace_id, draft_id),
  constraint sent_has_answer check ((sent_at is null) = (answer is null))
);
create index drafts_open on delivery.drafts (workspace_id, updated_at desc, draft_id desc) where sent_at is null;
create index drafts_sent on delivery.drafts (sent_at) where sent_at is not null;
create index drafts_blobs on delivery.drafts using gin (blobs) where blobs <> '{}';
alter table delivery.drafts enable row level security;

-- Deliveries that are kept back, which are few.
create index deliveries_held on delivery.deliveries (workspace_id, held_at) where held_at is not null;
