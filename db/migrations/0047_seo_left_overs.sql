-- Networks that are gone stayed in the cross-posting of schedules; from now on they leave with their connection.
update seo.platform_schedules s
set cross_post_connection_ids = array(
  select given.id
  from unnest(s.cross_post_connection_ids) with ordinality given (id, place)
  join seo.platform_connections c on c.workspace_id = s.workspace_id and c.id = given.id
  order by given.place)
where cross_post_connection_ids <> '{}';

-- Preview pages of articles that were given up.
create index runs_with_left_pages on seo.runs (ended_at)
  where kind = 'article' and status in ('cancelled', 'expired') and result #>> '{preview,path}' is not null;

-- A broadcast whose answer got lost is asked for again with the same key.
alter table seo.broadcasts add column request_key text check (length(request_key) between 1 and 200);
create unique index broadcasts_by_request on seo.broadcasts (workspace_id, request_key) where request_key is not null;
