-- The post as readers see it: as it was sent, or as the last correction left it. A later correction that was tried and failed
-- may have changed a part of it. Uses corrections_of_delivery.
create or replace function delivery.posted_of(p_delivery delivery.deliveries) returns delivery.posted
language sql stable as $$
  select row(
    coalesce(e.rendered_text, p_delivery.rendered_text),
    coalesce(e.render_meta, p_delivery.render_meta) -> 'compiled',
    p_delivery.provider_message_id, p_delivery.provider_meta, e.provider_message_ids,
    exists (
      select from delivery.corrections c
      where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id
        and c.number > coalesce(e.number, 0) and c.attempt > 0))::delivery.posted
  from (select 1) as one
  left join lateral (
    select c.number, c.rendered_text, c.render_meta, c.provider_message_ids from delivery.corrections c
    where c.workspace_id = p_delivery.workspace_id and c.delivery_id = p_delivery.delivery_id
      and c.kind = 'edit' and c.status = 'done'
    order by c.number desc limit 1
  ) e on true
$$;
