-- The name under which a file from an address is stored: the same for every spelling of the address.
create or replace function delivery.blob_ref_of(p_url text) returns text
language sql immutable parallel safe as $$
  select 'url-' || left(encode(sha256(convert_to(delivery.canonical_url(p_url, true), 'UTF8')), 'hex'), 40)
$$;
