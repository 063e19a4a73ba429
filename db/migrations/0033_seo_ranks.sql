-- Where pages of articles stand in Google's results, week by week. The newest check is also in seo.publication_logs.
create table seo.rank_checks (
  workspace_id   uuid not null,
  publication_id int not null,
  checked_at     timestamptz not null,
  -- Null: not among the results that were looked at.
  position       int check (position > 0),
  -- How many results were looked at.
  depth          int not null check (depth > 0),
  primary key (workspace_id, publication_id, checked_at),
  foreign key (workspace_id, publication_id) references seo.publication_logs on delete cascade
);
alter table seo.rank_checks enable row level security;
create index publications_to_rank on seo.publication_logs (rank_checked_at nulls first, workspace_id, id)
  where content_type = 'article' and status = 'success' and post_url is not null and keyword is not null;

-- The scores of every audit; seo.site_audits has the newest one with all that it says.
create table seo.audit_scores (
  workspace_id   uuid not null,
  project_id     int not null,
  audited_at     timestamptz not null,
  performance    int check (performance between 0 and 100),
  accessibility  int check (accessibility between 0 and 100),
  best_practices int check (best_practices between 0 and 100),
  seo_score      int check (seo_score between 0 and 100),
  primary key (workspace_id, project_id, audited_at),
  foreign key (workspace_id, project_id) references seo.projects on delete cascade
);
alter table seo.audit_scores enable row level security;
insert into seo.audit_scores (workspace_id, project_id, audited_at, performance, accessibility, best_practices, seo_score)
select workspace_id, project_id, audited_at, performance, accessibility, best_practices, seo_score from seo.site_audits;
