-- The deliveries of a correction, each with its channel's profile and what is published there. For a message, all that were
-- created for it; for a product and its user, only theirs.
create or replace function delivery.correction_targets(
  p_workspace_id uuid, p_message_id uuid, p_delivery_ids uuid[] default null, p_product text default null, p_user text default null
) returns table (
  delivery_id uuid, message_id uuid, status text, in_doubt boolean, withdrawn_at timestamptz, sent_at timestamptz, channel_id uuid, title text,
  platform text, target_id text, send_mode text, settings jsonb, profile_key text, template_ref text, template jsonb, secret_ref text,
  posted jsonb, live jsonb
)
language sql stable as $$
  select d.delivery_id, d.message_id, d.status, delivery.is_in_doubt(d), d.withdrawn_at, d.sent_at, c.channel_id, c.title, c.platform,
    delivery.chat_of_target(c.platform, c.target_id), c.send_mode, c.settings, c.profile_key, c.template_ref,
    delivery.active_template(p_workspace_id, c.template_ref), b.secret_ref,
    case when d.status = 'sent' then to_jsonb(delivery.posted_of(d)) end,
    (select jsonb_build_object('kind', l.kind, 'status', l.status) from delivery.corrections l
     where l.workspace_id = p_workspace_id and l.delivery_id = d.delivery_id and l.status in ('queued', 'retry', 'sending')
     order by l.number desc limit 1)
  from delivery.deliveries d
  join delivery.channels c using (workspace_id, channel_id)
  left join delivery.channel_auth a using (workspace_id, channel_id)
  left join workspaces.credential_bindings b
    on b.workspace_id = p_workspace_id and b.auth_ref = coalesce(a.auth_ref, c.auth_ref) and b.platform = c.platform
  where d.workspace_id = p_workspace_id and d.status <> 'deduped'
    and (p_message_id is null or d.message_id = p_message_id)
    and (p_delivery_ids is null or d.delivery_id = any (p_delivery_ids))
    and num_nonnulls(p_message_id, p_delivery_ids) > 0
    and (p_product is null or exists (
      select from delivery.addressed_deliveries o
      where o.workspace_id = p_workspace_id and o.delivery_id = d.delivery_id and (o.product, o.user_id) = (p_product, p_user)))
  order by d.delivery_id
$$;
