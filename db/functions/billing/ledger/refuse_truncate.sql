create or replace function billing.refuse_truncate() returns trigger
language plpgsql as $$
begin
  raise exception '%.% is never emptied', tg_table_schema, tg_table_name using errcode = 'restrict_violation';
end
$$;
