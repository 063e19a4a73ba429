-- Outside production the time of everything can be moved on, to see what happens tomorrow.
create table molva.moved_clock (
  only_row boolean  primary key default true check (only_row),
  ahead    interval not null check (ahead >= interval '0')
);
comment on table molva.moved_clock is 'How far the clocks of all processes are ahead; ignored in production';

alter table molva.moved_clock enable row level security;
