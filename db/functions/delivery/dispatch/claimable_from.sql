-- The earliest time from which a channel may get slots, or null if it may not. The only function that decides it. It contains
-- no query, so that PostgreSQL inlines it into the calling query.
create or replace function delivery.claimable_from(p_channel delivery.channels, p_group delivery.platform_limits)
returns timestamptz
language sql stable parallel safe as $$
  select case when p_channel.enabled then greatest('-infinity', p_channel.paused_until, p_group.cooldown_until,
    case when p_channel.rate_rps > 0 then p_channel.next_allowed_at - delivery.claim_again() end,
    case when p_group.rate_rps > 0 then p_group.next_allowed_at - delivery.claim_again() end) end
$$;

create or replace function delivery.claim_again() returns interval
language sql immutable parallel safe as $$ select interval '1 second' $$;
