-- The database refuses an invalid posting window, whoever writes it.
create or replace function delivery.refuse_bad_window() returns trigger
language plpgsql as $$
declare
  v_fault text := case
    when new.window_mode = 'windowed' and new.posting_window is null
      then 'A windowed channel needs a posting window.'
    else delivery.posting_window_fault(new.posting_window)
  end;
begin
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = 'posting_window', constraint = 'posting_window_valid';
  end if;
  return new;
end
$$;
