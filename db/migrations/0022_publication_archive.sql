-- Publications are listed for 90 days. What statistics and the search for near copies need of older ones is kept here, see
-- seo.purge_publications. Taking turns looks seven days back and needs nothing more.

-- Counts by month. The category may be gone, and is 0 if there was none.
create table seo.publication_totals (
  workspace_id  uuid not null,
  project_id    int not null,
  category_id   int not null,
  platform_type text not null,
  content_type  text not null,
  status        text not null,
  month         date not null,
  publications  int not null check (publications > 0),
  images        bigint not null default 0,
  words         bigint not null default 0,
  tokens        bigint not null default 0,
  primary key (workspace_id, project_id, category_id, platform_type, content_type, status, month),
  foreign key (workspace_id, project_id) references seo.projects on delete cascade
);

-- SimHash of each text that was published, under the id it had in the log.
create table seo.publication_prints (
  workspace_id uuid not null,
  id           int not null,
  user_id      bigint not null,
  project_id   int not null,
  content_hash bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references seo.users on delete cascade,
  foreign key (workspace_id, project_id) references seo.projects on delete cascade
);
create index prints_of_user on seo.publication_prints (workspace_id, user_id, id desc);
create index prints_of_project on seo.publication_prints (workspace_id, project_id);
create index publications_by_time on seo.publication_logs (created_at);

alter table seo.publication_totals enable row level security;
alter table seo.publication_prints enable row level security;
