-- The events that are reasons for alerts.
create or replace function delivery.monitor_reasons() returns table (reason text, action text)
language sql immutable as $$
  values ('dead_deliveries', 'dead_letter'),
         ('sending_leases_recovered', 'sending_lease_expired'),
         ('claimed_leases_recovered', 'claimed_lease_expired'),
         ('silence_detected', 'silence_detected'),
         ('source_failed', 'source_failed'),
         ('source_failed', 'ingress_config_error'),
         ('webhook_disabled', 'webhook_disabled'),
         ('bot_error_spike', 'bot_error_spike'),
         ('fallback_rate_high', 'fallback_rate_high'),
         ('operator_missing', 'operator_missing'),
         ('operator_silent', 'operator_silent'),
         ('accounts_stopped', 'account_flood_wait'),
         ('accounts_stopped', 'account_stopped'),
         ('billing_discrepancy', 'billing_discrepancy'),
         ('payment_refused', 'payment_refused'),
         ('payment_trouble', 'payment_trouble'),
         ('llm_no_credits', 'llm_no_credits')
$$;
