-- Reading what people say and who they are, and reading the figures of the whole server, are rights of their own.
alter table molva.api_tokens drop constraint api_tokens_scopes_check;
alter table molva.api_tokens add constraint api_tokens_scopes_check check (
  cardinality(scopes) > 0
  and scopes <@ array['read', 'write', 'operate', 'payload', 'people', 'metrics', 'admin']
);

-- Prometheus goes on with the token it has. `people` is given to no existing token: whoever needs it is asked for.
update molva.api_tokens set scopes = scopes || array['metrics']
where 'read' = any (scopes) and workspace_id is null;
