-- Deletes everything about a pet, with stored answers and the conversation, which may be about it.
create or replace function advisor.forget_pet(
  p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_now timestamptz default now()
) returns int
language plpgsql as $$
declare
  v_count int;
begin
  perform from advisor.users u where u.workspace_id = p_workspace_id and u.id = p_user_id for update;
  update advisor.media_assets m set deleted_at = coalesce(m.deleted_at, p_now), user_id = null
  where m.workspace_id = p_workspace_id and m.user_id = p_user_id and m.pet_id = p_pet_id;
  delete from advisor.request_dedup d
  where d.workspace_id = p_workspace_id and d.user_id = p_user_id and d.pet_id = p_pet_id;
  delete from advisor.sessions s where s.workspace_id = p_workspace_id and s.user_id = p_user_id;
  delete from advisor.pets p where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.id = p_pet_id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
