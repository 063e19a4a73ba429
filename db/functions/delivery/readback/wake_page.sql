-- Enqueues the job for the next step of a page. Retries are planned by the step, not by the job queue.
create or replace function delivery.wake_page(p_workspace_id uuid, p_delivery_id uuid, p_at timestamptz) returns void
language sql as $$
  select molva.add_job(
    'delivery.page', jsonb_build_object('workspace_id', p_workspace_id, 'delivery_id', p_delivery_id), 1, p_at)
$$;
