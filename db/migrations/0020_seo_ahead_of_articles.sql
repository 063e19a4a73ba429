-- What stands around an article of SEO Master: the owner's answers, regenerations that count, and an index for what waits.

-- Facts that only this business has, told by its owner when a plan asked: [{question, answer, at}], the newest last.
alter table seo.categories
  add column owner_answers jsonb not null default '[]' check (jsonb_typeof(owner_answers) = 'array');

-- Regenerations count for the limits of an hour like new work; each has the figures of its run.
create table seo.regenerations (
  workspace_id uuid not null,
  run_id       uuid not null,
  round        int not null check (round > 0),
  user_id      bigint not null,
  texts        int not null check (texts >= 0),
  images       int not null check (images >= 0),
  created_at   timestamptz not null,
  primary key (workspace_id, run_id, round),
  foreign key (workspace_id, run_id) references seo.runs on delete cascade
);
create index regenerations_of_user on seo.regenerations (workspace_id, user_id, created_at desc);
alter table seo.regenerations enable row level security;

-- The few that wait for a person's decision are looked through every minute.
create index runs_reviewed on seo.runs (reviewed_at) where status = 'review';
