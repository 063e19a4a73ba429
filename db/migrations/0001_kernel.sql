-- What every module stands on. The schema itself and the migration books are made by the runner.

comment on schema molva is 'Molva''s own tables: migrations, operators, keys and values';

-- UUIDv7 for servers before 18, which have no uuidv7() of their own: 48 bits of milliseconds, version, random bits.
create function molva.uuidv7(p_now timestamptz default clock_timestamp()) returns uuid
language sql volatile parallel safe
return encode(
  set_bit(
    set_bit(
      overlay(uuid_send(gen_random_uuid())
              placing substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3)
              from 1 for 6),
      52, 1),
    53, 1),
  'hex')::uuid;
