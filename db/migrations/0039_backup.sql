-- Backup and restore.

-- Has a row while a restored database is not released: nothing runs on it before somebody has looked, because what was sent after the
-- backup would be sent again. `molva restore` creates it in databases of older releases, too.
create table if not exists molva.restored (
  only_row    bool primary key default true check (only_row),
  backup      text not null,
  taken_at    timestamptz not null,
  restored_at timestamptz not null
);
alter table molva.restored enable row level security;
