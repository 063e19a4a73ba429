-- How a project writes, learned from texts that its owner likes: measured figures, and a description by a model if one answered.
create table seo.project_styles (
  workspace_id uuid not null,
  project_id   int not null,
  features     jsonb not null check (jsonb_typeof(features) = 'object'),
  description  jsonb check (jsonb_typeof(description) = 'object'),
  -- What it was learned from: kinds and names, not the texts.
  learned_from jsonb not null default '[]' check (jsonb_typeof(learned_from) = 'array'),
  learned_at   timestamptz not null default now(),
  primary key (workspace_id, project_id),
  foreign key (workspace_id, project_id) references seo.projects on delete cascade
);
comment on table seo.project_styles is 'The style guide of a project: one for each';
alter table seo.project_styles enable row level security;
