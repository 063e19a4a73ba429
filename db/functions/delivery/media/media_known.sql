-- What is known of media, in the given order: the original, whether it may be used for a post of `p_since`, and the file ids
-- that the account may use, by the kind of file that they are valid for.
create or replace function delivery.media_known(
  p_workspace_id uuid, p_media jsonb, p_account text, p_since timestamptz, p_now timestamptz default now()
) returns table (
  blob_ref text, source_url text, origin_url text, sha256 text, content_type text, size_bytes bigint, file_name text,
  width int, height int, is_stored boolean, is_fresh boolean, file_ids jsonb
)
language sql stable as $$
  select r.blob_ref,
    -- An original at another address is fetched like any other file, and stored.
    coalesce(m.item ->> 'url', o.source_url, substring(o.origin_url from '^https?://.*$')), o.origin_url, o.sha256, o.content_type, o.size_bytes, o.file_name,
    o.width, o.height,
    coalesce(o.origin_url like 'storage:%' and (o.source_url is null or o.fetched_at is not null), false),
    -- An address may have another picture tomorrow, so a new post checks it again; a retry of an old post does not.
    coalesce(o.origin_url like 'storage:%' and (o.source_url is null or o.fetched_at >= p_since - interval '1 hour'), false),
    coalesce((
      select jsonb_object_agg(substr(b.provider, length(p_account) + 2), b.file_id)
      from delivery.media_blobs b
      where b.workspace_id = p_workspace_id and b.blob_ref = r.blob_ref and b.file_id is not null
        and b.provider like replace(p_account, '_', '\_') || ':%' and (b.expires_at is null or b.expires_at > p_now)
    ), '{}')
  from jsonb_array_elements(p_media) with ordinality as m (item, place)
  cross join lateral (select coalesce(m.item ->> 'blob_ref', delivery.blob_ref_of(m.item ->> 'url'))) as r (blob_ref)
  left join delivery.media_origin o on o.workspace_id = p_workspace_id and o.blob_ref = r.blob_ref
  order by m.place
$$;
