-- The channel was deleted (the foreign key sets it to null).
create or replace function seo.note_disconnected() returns trigger
language plpgsql as $$
begin
  new.status := 'disconnected';
  return new;
end
$$;
