-- Phase two: takes claimed deliveries whose slot has come into `sending`, under the channel's lock, and hands out
-- everything the adapter needs. Everything that may have changed since the claim is looked at again: channel, workspace,
-- group, window, hold, age. The attempt is counted and its event written before anyone touches the network.
create or replace function delivery.start_sending(
  p_workspace_id uuid,
  p_run_id       text,
  p_limit        int,
  p_now          timestamptz default now()
) returns table (
  delivery_id uuid, claim_token text, attempt int, message_id uuid, channel_id uuid, platform text, target_id text,
  send_mode text, settings jsonb, secret_ref text, unknown_policy text, payload jsonb, rendered_text text, render_meta jsonb,
  last_error jsonb, created_at timestamptz, trace_id text
)
language sql as $$
  select s.delivery_id, s.claim_token, s.attempt, s.message_id, s.channel_id, s.platform, s.target_id, s.send_mode, s.settings,
    s.secret_ref, s.unknown_policy, s.payload, s.rendered_text, s.render_meta, s.last_error, s.created_at, s.trace_id
  from delivery.start_until(p_workspace_id, p_run_id, p_limit, p_now, p_now) s
$$;
