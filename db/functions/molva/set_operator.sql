-- Makes an operator an administrator of the installation or not, disables or enables them; null leaves as it is. Returns 'changed',
-- 'unchanged', 'unknown', or 'last_administrator': one who can sign in must remain. A disabled operator is signed out everywhere, and
-- the links and invitations they have made stop working.
create or replace function molva.set_operator(p_operator_id uuid, p_administrator boolean, p_disabled boolean) returns text
language plpgsql as $$
declare
  v_was molva.operators;
  v_new molva.operators;
begin
  perform pg_advisory_xact_lock(hashtextextended('molva.operators', 0));
  select * into v_was from molva.operators where id = p_operator_id;
  if not found then
    return 'unknown';
  end if;
  v_new := v_was;
  v_new.administrator := coalesce(p_administrator, v_was.administrator);
  v_new.disabled := coalesce(p_disabled, v_was.disabled);
  if v_new = v_was then
    return 'unchanged';
  end if;
  if v_was.administrator and not v_was.disabled and (not v_new.administrator or v_new.disabled)
    and not exists (select from molva.operators where administrator and not disabled and id <> p_operator_id)
  then
    return 'last_administrator';
  end if;
  update molva.operators set administrator = v_new.administrator, disabled = v_new.disabled where id = p_operator_id;
  if v_new.disabled then
    delete from molva.sessions where operator_id = p_operator_id;
    delete from molva.signin_links where operator_id = p_operator_id;
  end if;
  if v_new.disabled or not v_new.administrator then
    -- Invitations to workspaces where they are still an admin stay.
    delete from molva.invitations i
    where i.invited_by = p_operator_id
      and (v_new.disabled or not exists (
        select from molva.memberships m
        where m.workspace_id = i.workspace_id and m.operator_id = p_operator_id and m.role = 'admin'));
  end if;
  return 'changed';
end
$$;
