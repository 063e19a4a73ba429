-- Media of posts: the stored original of each, and what providers call it.

-- What is known of media, in the order asked: the original, whether it may be used for a post of `p_since`, and the references
-- that the account may use, by the kind of file they are good for.
create or replace function delivery.media_known(
  p_workspace_id uuid, p_media jsonb, p_account text, p_since timestamptz, p_now timestamptz default now()
) returns table (
  blob_ref text, source_url text, origin_url text, sha256 text, content_type text, size_bytes bigint, file_name text,
  width int, height int, is_stored boolean, is_fresh boolean, file_ids jsonb
)
language sql stable as $$
  select r.blob_ref,
    -- An original that lies elsewhere is fetched like anything else, and kept.
    coalesce(m.item ->> 'url', o.source_url, substring(o.origin_url from '^https?://.*$')), o.origin_url, o.sha256, o.content_type, o.size_bytes, o.file_name,
    o.width, o.height,
    coalesce(o.origin_url like 'storage:%' and (o.source_url is null or o.fetched_at is not null), false),
    -- An address may show another picture tomorrow, so a new post looks again; a retry of an old post does not.
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

-- A post names its files: each is expected in the storage from now on, through whichever door the post came. Until it is
-- there, its origin is the address it was named by.
create or replace function delivery.media_expect() returns trigger
language plpgsql as $$
begin
  -- In one order, so that two posts with the same media do not wait for each other in a circle.
  insert into delivery.media_origin (workspace_id, blob_ref, origin_url, last_seen_at, created_at)
  select distinct on (m ->> 'blob_ref') new.workspace_id, m ->> 'blob_ref', m ->> 'url', new.last_seen_at, new.created_at
  from jsonb_array_elements(new.payload -> 'media') as m
  where m ->> 'url' ~ '^https?://' and m ->> 'blob_ref' is not null
  order by m ->> 'blob_ref'
  on conflict do nothing;
  perform pg_notify('molva_media', '');
  return null;
end
$$;

create or replace trigger media_expect
  after insert on delivery.messages
  for each row
  when (new.payload @? '$.media[*].url')
  execute function delivery.media_expect();

-- Takes files that are still to be fetched, and says when to try again should this try come to nothing. `p_busy` has the
-- workspace of each file that the caller is fetching already: workspaces take turns, and one never has the last of the
-- places, however slow the servers that it names. Uses media_origin_expected.
create or replace function delivery.media_take_expected(
  p_places int, p_retry_at timestamptz, p_busy uuid[] default '{}', p_now timestamptz default now()
) returns table (workspace_id uuid, blob_ref text, url text)
language sql as $$
  with due as (
    select w.workspace_id, o.blob_ref
    from workspaces.workspaces w
    cross join lateral (
      select o.blob_ref, o.fetch_after from delivery.media_origin o
      where o.workspace_id = w.workspace_id and o.origin_url not like 'storage:%' and o.fetch_after <= p_now
      order by o.fetch_after
      limit greatest(delivery.pull_room(w.workspace_id, p_places, p_busy), 0)
      for update skip locked
    ) o
    order by row_number() over (partition by w.workspace_id order by o.fetch_after)
        + (select count(*) from unnest(p_busy) as busy where busy = w.workspace_id), o.fetch_after
    limit greatest(p_places - cardinality(p_busy), 0)
  )
  update delivery.media_origin o set fetch_after = p_retry_at
  from due d
  where o.workspace_id = d.workspace_id and o.blob_ref = d.blob_ref
  returning o.workspace_id, o.blob_ref, o.origin_url
$$;

-- Nobody needs to look for this file again of his own accord.
create or replace function delivery.media_give_up(p_workspace_id uuid, p_blob_ref text) returns void
language sql as $$
  update delivery.media_origin set fetch_after = 'infinity'
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url not like 'storage:%'
$$;

-- Announces a file that is about to be stored: its row comes before its object, so that the collection of media sees it.
-- Gives the address of the object that it replaces, if there is one.
create or replace function delivery.media_announce(
  p_workspace_id uuid, p_blob_ref text, p_origin_url text, p_source_url text, p_about jsonb, p_now timestamptz default now()
) returns text
language plpgsql as $$
declare
  v_before delivery.media_origin;
begin
  select * into v_before from delivery.media_origin o
  where o.workspace_id = p_workspace_id and o.blob_ref = p_blob_ref
  for update;
  insert into delivery.media_origin as o (
    workspace_id, blob_ref, origin_url, source_url, sha256, content_type, size_bytes, file_name, width, height, last_seen_at,
    created_at)
  values (
    p_workspace_id, p_blob_ref, p_origin_url, p_source_url, p_about ->> 'sha256', p_about ->> 'content_type',
    (p_about ->> 'size_bytes')::bigint, p_about ->> 'file_name', (p_about ->> 'width')::int, (p_about ->> 'height')::int,
    p_now, p_now)
  on conflict (workspace_id, blob_ref) do update
    set origin_url = excluded.origin_url, source_url = excluded.source_url, sha256 = excluded.sha256,
        content_type = excluded.content_type, size_bytes = excluded.size_bytes, file_name = excluded.file_name,
        width = excluded.width, height = excluded.height, fetched_at = null,
        last_seen_at = greatest(o.last_seen_at, excluded.last_seen_at);
  if v_before.sha256 is distinct from p_about ->> 'sha256' then
    -- Another file under the same name: what providers call the old one is of no use for it.
    delete from delivery.media_blobs b where b.workspace_id = p_workspace_id and b.blob_ref = p_blob_ref;
  end if;
  return nullif(v_before.origin_url, p_origin_url);
end
$$;

-- The object is there, or an address was looked at again and still shows the same file.
create or replace function delivery.media_stored(p_workspace_id uuid, p_blob_ref text, p_now timestamptz default now())
returns void
language sql as $$
  update delivery.media_origin set fetched_at = p_now, last_seen_at = greatest(last_seen_at, p_now)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref
$$;

-- The object behind an original turned out to be missing: it has to be fetched again.
create or replace function delivery.media_lost(p_workspace_id uuid, p_blob_ref text, p_origin_url text) returns void
language sql as $$
  update delivery.media_origin set fetched_at = null
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and origin_url = p_origin_url and source_url is not null
$$;

-- What a provider calls a file. `p_provider` names platform, account and kind of file: references are good for nothing else.
create or replace function delivery.media_remember(
  p_workspace_id uuid, p_blob_ref text, p_provider text, p_file_id text, p_expires_at timestamptz,
  p_now timestamptz default now()
) returns void
language sql as $$
  insert into delivery.media_blobs as b (workspace_id, blob_ref, provider, file_id, expires_at, created_at, updated_at)
  values (p_workspace_id, p_blob_ref, p_provider, p_file_id, p_expires_at, p_now, p_now)
  on conflict (workspace_id, blob_ref, provider) do update
    set file_id = excluded.file_id, url = null, expires_at = excluded.expires_at, updated_at = p_now
$$;

-- True when this holder now has the claim: it was free, or its last holder has not renewed it.
create or replace function delivery.media_claim(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds int, p_now timestamptz default now()
) returns boolean
language sql as $$
  with taken as (
    insert into delivery.media_claims as c (workspace_id, blob_ref, purpose, holder, expires_at)
    values (p_workspace_id, p_blob_ref, p_purpose, p_holder, p_now + make_interval(secs => p_seconds))
    on conflict (workspace_id, blob_ref, purpose) do update
      set holder = excluded.holder, expires_at = excluded.expires_at
      where c.expires_at <= p_now
    returning 1
  )
  select exists (select from taken)
$$;

create or replace function delivery.media_renew(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid, p_seconds int, p_now timestamptz default now()
) returns void
language sql as $$
  update delivery.media_claims set expires_at = p_now + make_interval(secs => p_seconds)
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$$;

create or replace function delivery.media_release(
  p_workspace_id uuid, p_blob_ref text, p_purpose text, p_holder uuid
) returns void
language sql as $$
  delete from delivery.media_claims
  where workspace_id = p_workspace_id and blob_ref = p_blob_ref and purpose = p_purpose and holder = p_holder
$$;
