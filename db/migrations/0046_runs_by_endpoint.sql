-- What came through one endpoint, newest first, however busy the others are.
create index ingest_runs_by_endpoint on delivery.ingest_runs (workspace_id, endpoint_id, started_at desc)
  where endpoint_id is not null;
