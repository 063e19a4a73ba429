-- What is known about the page of a delivery, for operators and callers. Null for a post that is no page.
create or replace function delivery.page_facts(p_delivery delivery.deliveries) returns jsonb
language sql stable as $$
  select case when p_delivery.provider_meta ? 'page' then (
    select jsonb_strip_nulls(jsonb_build_object(
      'url', p.url, 'read_at', p.read_at, 'in_order', p.in_order, 'findings', p.findings,
      'step', p.step, 'next_at', p.due_at, 'told_at', p.told_at, 'told', p.told))
    from delivery.page_checks p
    where p.workspace_id = p_delivery.workspace_id and p.delivery_id = p_delivery.delivery_id) end
$$;
