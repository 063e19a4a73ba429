-- How often posts of this module, corrected versions of them, and drafts use a blob. Uses messages_blobs, revisions_blobs and
-- drafts_blobs.
create or replace function delivery.media_refs(p_workspace_id uuid, p_blob_ref text) returns bigint
language sql stable as $$
  select
    (select count(*) from delivery.messages m
     where m.workspace_id = p_workspace_id and m.payload ? 'media'
       and jsonb_path_query_array(m.payload, '$.media[*].blob_ref') @> jsonb_build_array(p_blob_ref))
    + (select count(*) from delivery.revisions r
       where r.workspace_id = p_workspace_id and r.payload ? 'media'
         and jsonb_path_query_array(r.payload, '$.media[*].blob_ref') @> jsonb_build_array(p_blob_ref))
    + (select count(*) from delivery.drafts d
       where d.workspace_id = p_workspace_id and d.blobs <> '{}' and d.blobs @> array[p_blob_ref])
$$;
