create or replace function delivery.workspace_busy(p_workspace_id uuid) returns boolean
language sql stable as $$
  select exists (select from delivery.deliveries d where d.workspace_id = p_workspace_id and d.status = 'sending')
    or exists (select from delivery.corrections c where c.workspace_id = p_workspace_id and c.status = 'sending')
$$;
