-- Stores the answer and its pet, so that it is deleted with the pet. False if the request was deleted or taken over meanwhile:
-- then nothing of it may be stored.
create or replace function advisor.finish_request(
  p_workspace_id uuid, p_request_id uuid, p_attempt int, p_pet_id uuid, p_response jsonb, p_now timestamptz default now()
) returns boolean
language plpgsql as $$
begin
  update advisor.request_dedup d set status = 'done', pet_id = coalesce(p_pet_id, d.pet_id), response_json = p_response, finished_at = p_now
  where d.workspace_id = p_workspace_id and d.request_id = p_request_id and d.attempt = p_attempt and d.status = 'started';
  return found;
end
$$;
