-- A process now says how many places it has and what is in its hands, so that no workspace takes them all.
drop function if exists delivery.lease_due_sources(int, interval, timestamptz);
drop function if exists delivery.next_pull_at();
