-- Pages that are read back after they were published, and search engines that are told of them.

-- What follows a page, step by step: it is read until it is in order or its tries are used up, then search engines are told. A job
-- wakes each step; the row says what is due, so that a job that died with its process is missed and made again.
create table delivery.page_checks (
  workspace_id uuid not null,
  delivery_id  uuid not null,
  channel_id   uuid not null,
  url          text not null,
  step         text not null default 'read' check (step in ('read', 'tell', 'done')),
  -- Of the step: when it is due, how often it was begun, and until when somebody is at it.
  due_at       timestamptz,
  tries        int not null default 0,
  taken_until  timestamptz,
  -- How the reading ended, or what the last try found.
  read_at      timestamptz,
  in_order     boolean,
  findings     jsonb not null default '[]',
  -- What became of telling search engines; null: nobody asked for it.
  told_at      timestamptz,
  told         jsonb,
  primary key (workspace_id, delivery_id),
  foreign key (workspace_id, delivery_id) references delivery.deliveries on delete cascade,
  constraint step_is_due check ((step = 'done') = (due_at is null))
);
create index page_checks_due on delivery.page_checks (due_at) where due_at is not null;

-- The key by which a site's owner lets us tell search engines of its pages. It is public: a file on the site holds it.
create table delivery.indexnow_keys (
  workspace_id uuid not null,
  channel_id   uuid not null,
  key          text not null check (key ~ '^[A-Za-z0-9-]{8,128}$'),
  -- Where the file lies; it speaks for the pages of its folder and those below.
  location     text not null,
  -- Since when the file is known to be there; null: it was not found yet, or search engines refused the key.
  verified_at  timestamptz,
  -- Why it is not good, as far as anybody looked.
  fault        jsonb,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, channel_id),
  foreign key (workspace_id, channel_id) references delivery.channels on delete cascade
);

alter table delivery.page_checks enable row level security;
alter table delivery.indexnow_keys enable row level security;
