-- What blocks the delivery's channel at that time; an exact time overrides a closed window.
create or replace function delivery.delivery_block(
  p_delivery delivery.deliveries, p_channel delivery.channels, p_now timestamptz default now()
) returns text
language sql stable as $$
  select case when b.block = 'window_closed' and p_delivery.scheduled_for is not null then null else b.block end
  from (select delivery.channel_block(p_channel, p_now) as block) b
$$;
