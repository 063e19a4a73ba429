-- Takes the step of a page that is due, for five minutes; no row if none is due, or somebody else has it. `try` is needed to
-- settle it.
create or replace function delivery.take_page(p_workspace_id uuid, p_delivery_id uuid, p_now timestamptz default now())
returns table (
  step text, try int, url text, platform text, compiled jsonb, rendered_text text, lost text[], key text, key_location text)
language sql as $$
  with taken as (
    update delivery.page_checks p
    set tries = p.tries + 1, taken_until = p_now + interval '5 minutes'
    where p.workspace_id = p_workspace_id and p.delivery_id = p_delivery_id
      -- Clocks of processes differ by less than a second.
      and p.due_at <= p_now + interval '1 second' and coalesce(p.taken_until, '-infinity') <= p_now
    returning p.*
  )
  select t.step, t.tries, t.url, c.platform, o.compiled, o.text, l.codes, k.key, k.location
  from taken t
  join delivery.deliveries d using (workspace_id, delivery_id)
  cross join lateral delivery.posted_of(d) as o
  cross join lateral (
    select array(select x ->> 'code' from jsonb_array_elements(coalesce(e.provider_meta, d.provider_meta) -> 'losses') x) as codes
    from (select 1) as one
    left join lateral (
      select n.provider_meta from delivery.corrections n
      where n.workspace_id = d.workspace_id and n.delivery_id = d.delivery_id and n.kind = 'edit' and n.status = 'done'
      order by n.number desc limit 1
    ) e on true
  ) l
  join delivery.channels c on c.workspace_id = t.workspace_id and c.channel_id = t.channel_id
  left join delivery.indexnow_keys k
    on k.workspace_id = t.workspace_id and k.channel_id = t.channel_id and k.verified_at is not null
$$;
