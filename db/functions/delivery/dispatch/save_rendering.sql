-- Stores the result of compiling a post at its first attempt, if it was not compiled at enqueue, so that retries send exactly
-- this.
create or replace function delivery.save_rendering(
  p_workspace_id uuid, p_delivery_id uuid, p_token text, p_text text, p_meta jsonb, p_template_version text
) returns boolean
language plpgsql as $$
begin
  update delivery.deliveries d
  set rendered_text = p_text, render_meta = d.render_meta || p_meta,
      template_version = coalesce(p_template_version, d.template_version)
  where d.workspace_id = p_workspace_id and d.delivery_id = p_delivery_id
    and d.status = 'sending' and d.claim_token = p_token;
  return found;
end
$$;
