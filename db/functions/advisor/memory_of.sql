-- The memory of Pro: the chosen pet, else the newest, and summaries of earlier questions that may be about it, oldest first.
create or replace function advisor.memory_of(p_workspace_id uuid, p_user_id uuid, p_pet_id uuid, p_summaries int) returns jsonb
language plpgsql stable as $$
declare
  v_pet advisor.pets;
begin
  select * into v_pet from advisor.pets p
  where p.workspace_id = p_workspace_id and p.user_id = p_user_id and p.archived_at is null and p.id = coalesce(p_pet_id, p.id)
  order by p.created_at desc, p.id desc limit 1;
  return jsonb_build_object(
    'pet', case when v_pet.id is not null then jsonb_build_object('id', v_pet.id, 'profile', v_pet.profile || jsonb_build_object(
      'type', v_pet.type, 'name', v_pet.name, 'sex', v_pet.sex, 'birth_date', v_pet.birth_date, 'age_text', v_pet.age_text,
      'breed', v_pet.breed)) end,
    'summaries', coalesce((
      select jsonb_agg(i.summary order by i.created_at) from (
        select summary, created_at from advisor.interactions
        where workspace_id = p_workspace_id and user_id = p_user_id
          and (v_pet.id is null or pet_id is null or pet_id = v_pet.id)
        order by created_at desc limit p_summaries) i
    ), '[]'));
end
$$;
