-- Ids of a whole batch: randomness is asked for once, and each row adds its place. They sort by time and then by place, so
-- neighbours in a batch are neighbours in every index.
create or replace function molva.uuid_batch(p_now timestamptz default clock_timestamp()) returns text
language sql volatile parallel safe as $$
  select left(replace(molva.uuidv7(p_now)::text, '-', ''), 27)
$$;
