-- Who gets a bonus for a payment: the payer's referrer, unless that is the payer, is gone, or has paid with the same payment
-- method. Each module may have `referrer_of(workspace_id, user_id) returns bigint`.
create or replace function billing.referrer_for(p_workspace_id uuid, p_user_id bigint, p_provider text, p_payer text) returns bigint
language plpgsql stable as $$
declare
  v_hook     text;
  v_referrer bigint;
begin
  for v_hook in select molva.hooks('referrer_of') loop
    execute format('select %s($1, $2)', v_hook) into v_referrer using p_workspace_id, p_user_id;
    exit when v_referrer is not null;
  end loop;
  return (
    select u.id from billing.users u
    where u.workspace_id = p_workspace_id and u.id = v_referrer and u.id <> p_user_id
      and (p_payer is null or not exists (
        select from billing.payments p
        where p.workspace_id = p_workspace_id and p.user_id = v_referrer and p.provider = p_provider and p.payer = p_payer)));
end
$$;
