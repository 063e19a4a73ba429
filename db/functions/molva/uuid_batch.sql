-- Ids of a whole batch: random bits are drawn once, and each row adds its index. They sort by time and then by index, so
-- neighbours in a batch are neighbours in every database index.
create or replace function molva.uuid_batch(p_now timestamptz default clock_timestamp()) returns text
language sql volatile parallel safe as $$
  select left(replace(molva.uuidv7(p_now)::text, '-', ''), 27)
$$;
