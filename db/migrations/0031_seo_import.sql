-- What `molva seo import` has brought, so that a second run brings only the rest, and a row that was deleted here does not come back.
create table seo.imported_rows (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  table_name   text not null,
  id           bigint not null,
  -- Of a schedule: whether it was switched on, and what it is called at QStash.
  kept         jsonb,
  imported_at  timestamptz not null,
  primary key (workspace_id, table_name, id)
);
comment on table seo.imported_rows is 'Rows of the former SEO Master that were imported';
alter table seo.imported_rows enable row level security;
