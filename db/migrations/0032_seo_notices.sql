-- Automatic notices are sent like broadcasts: once per kind and period in a workspace, with a text for each recipient.
alter table seo.broadcasts
  add column kind text not null default 'news' check (kind in ('news', 'low_balance', 'weekly_digest', 'reactivation')),
  -- The day or the week of a notice.
  add column period date,
  alter column by_user drop not null,
  alter column audience drop not null,
  alter column text drop not null,
  add constraint news_has_text check ((kind = 'news') = (text is not null and audience is not null and period is null));
drop index seo.broadcasts_under_way;
create unique index broadcasts_under_way on seo.broadcasts (workspace_id) where status = 'sending' and kind = 'news';
create unique index broadcasts_of_period on seo.broadcasts (workspace_id, kind, period) where period is not null;
create index broadcasts_to_send on seo.broadcasts (workspace_id, id) where status = 'sending';

alter table seo.broadcast_recipients add column text text check (length(text) between 1 and 4096);

-- Whoever blocked the bot is not written to until they write themselves.
alter table seo.users add column blocked_at timestamptz;

-- Kinds of notices that an administrator switched off or on again; a kind without a row is on.
create table seo.notice_switches (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  kind         text not null check (kind in ('low_balance', 'weekly_digest', 'reactivation')),
  enabled      boolean not null,
  changed_at   timestamptz not null,
  primary key (workspace_id, kind)
);
alter table seo.notice_switches enable row level security;
