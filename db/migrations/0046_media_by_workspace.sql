-- Workspaces take turns in having their files fetched, so the files that are still expected are found by workspace.
drop index delivery.media_origin_expected;
create index media_origin_expected on delivery.media_origin (workspace_id, fetch_after) where origin_url not like 'storage:%';
-- Its successor also hears whose files are being fetched already.
drop function if exists delivery.media_take_expected(int, timestamptz, timestamptz);
