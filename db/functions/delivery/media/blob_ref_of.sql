-- The name under which a file from an address is stored: the same for every spelling of the address. A file that an operator has
-- uploaded has a name of its own, whatever host its address names: an installation may move.
create or replace function delivery.blob_ref_of(p_url text) returns text
language sql immutable parallel safe as $$
  select coalesce(
    'upload-' || substring(p_url from '^https?://[^/?#]+/api/v1/media/([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})(?:[?#]|$)'),
    'url-' || left(encode(sha256(convert_to(delivery.canonical_url(p_url, true), 'UTF8')), 'hex'), 40))
$$;
