-- Autopublishing: when schedules fire, and what becomes of each slot. Functions live in db/functions/seo/schedules.

alter table seo.platform_schedules
  -- Other connections of the project to which a published post is adapted.
  add column cross_post_connection_ids int[] not null default '{}',
  -- Failures in a row: three of them switch the schedule off.
  add column errors int not null default 0 check (errors >= 0),
  -- When days, times, the switch or the project's zone changed last, and which change the driver has followed.
  add column changed_at timestamptz not null default now(),
  add column arranged_at timestamptz,
  add column arranged_by text,
  -- Molva's own driver: the nearest slot.
  add column next_due_at timestamptz;
create index schedules_to_arrange on seo.platform_schedules (workspace_id, id) where arranged_at is distinct from changed_at;
create index schedules_due on seo.platform_schedules (next_due_at) where next_due_at is not null;

-- A slot of a schedule on a local date. The key makes it fire once, whatever happens to processes, drivers, clocks and zones.
--
-- waiting → generating → publishing → published | failed, or skipped. With posts to adapt, published comes after they have ended:
-- publishing → waiting (phase cross) → generating → publishing. A slot that passed during an outage is missed, unless it was the last one.
create table seo.autopublications (
  workspace_id uuid not null,
  schedule_id  int not null,
  local_date   date not null,
  slot         text not null check (slot ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  user_id      bigint not null,
  due_at       timestamptz not null,
  state        text not null
                 check (state in ('waiting', 'generating', 'publishing', 'published', 'skipped', 'failed', 'missed')),
  phase        text not null default 'lead' check (phase in ('lead', 'cross')),
  -- Slots of different people take turns.
  turn         bigint not null default 0,
  -- Runs begun for it; another one is begun when no model answered.
  attempt      int not null default 0 check (attempt >= 0),
  -- Times that its connection did not answer, or its work broke off.
  tries        int not null default 0 check (tries >= 0),
  not_before   timestamptz not null,
  -- The process that works on it.
  token        uuid,
  leased_until timestamptz,
  run_id       uuid,
  -- Why it ended as it did: no_phrases, too_few_tokens, …
  reason       text,
  fired_at     timestamptz not null,
  started_at   timestamptz,
  ended_at     timestamptz,
  primary key (workspace_id, schedule_id, local_date, slot),
  foreign key (workspace_id, schedule_id) references seo.platform_schedules on delete cascade,
  constraint leased_while_generating check ((state = 'generating') = (leased_until is not null)),
  constraint ended_has_time check ((state in ('published', 'skipped', 'failed', 'missed')) = (ended_at is not null))
);
create index autopublications_in_turn on seo.autopublications (turn, due_at) where state = 'waiting';
create index autopublications_of_user on seo.autopublications (workspace_id, user_id, turn) where state in ('waiting', 'generating');
create index autopublications_under_way on seo.autopublications (leased_until) where state = 'generating';
create index autopublications_by_time on seo.autopublications (fired_at);
alter table seo.autopublications enable row level security;
