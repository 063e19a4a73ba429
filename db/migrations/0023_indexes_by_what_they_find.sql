-- In an installation with one workspace, an index that begins with the workspace finds everything. As long as a table has no
-- statistics, PostgreSQL takes it to be as good as the key and may read the whole table for one row; so an index begins with
-- what is looked for. Ids of people and pets are unique without their workspace.
drop index llm.calls_by_time;
create index calls_by_time on llm.calls (started_at, workspace_id);
drop index llm.calls_of_user;
create index calls_of_user on llm.calls (user_id, workspace_id) where user_id is not null;

drop index advisor.users_by_time;
create index users_by_time on advisor.users (created_at desc, id);
drop index advisor.pets_of_user;
create index pets_of_user on advisor.pets (user_id, created_at desc);
drop index advisor.interactions_of_pet;
create index interactions_of_pet on advisor.interactions (pet_id, created_at desc);
drop index advisor.interactions_of_user;
create index interactions_of_user on advisor.interactions (user_id, created_at desc);
drop index advisor.media_assets_of_user;
create index media_assets_of_user on advisor.media_assets (user_id, created_at desc);
drop index advisor.request_dedup_of_user;
create index request_dedup_of_user on advisor.request_dedup (user_id, created_at desc);
