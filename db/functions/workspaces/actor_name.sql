-- The present name of whoever did something. Events and other records hold `operator:<id>` or `token:<id>`, because names can be chosen
-- and changed; what is neither (`command:uid:0@db1`, a product, a record from before) is returned as it is.
create or replace function workspaces.actor_name(p_actor text) returns text
language plpgsql stable parallel safe as $$
declare
  v_id uuid;
begin
  if p_actor !~ '^(operator|token):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return p_actor;
  end if;
  v_id := split_part(p_actor, ':', 2)::uuid;
  return coalesce(
    case split_part(p_actor, ':', 1)
      when 'operator' then (select name from molva.operators where id = v_id)
      else (select name from molva.api_tokens where id = v_id)
    end, p_actor);
end
$$;
