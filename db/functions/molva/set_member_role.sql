-- Changes the role of a member of a workspace; null removes the member. Returns the role before, 'unknown' if the operator is no
-- member, or 'last_admin': a workspace with members keeps at least one admin who can sign in.
create or replace function molva.set_member_role(p_workspace_id uuid, p_operator_id uuid, p_role text) returns text
language plpgsql as $$
declare
  v_was text;
begin
  -- One change per workspace at a time: two admins must not remove each other.
  perform pg_advisory_xact_lock(hashtextextended('molva.memberships ' || p_workspace_id, 0));
  select role into v_was from molva.memberships where workspace_id = p_workspace_id and operator_id = p_operator_id;
  if not found then
    return 'unknown';
  end if;
  if v_was = 'admin' and p_role is distinct from 'admin' then
    if not exists (
      select from molva.memberships m join molva.operators o on o.id = m.operator_id and not o.disabled
      where m.workspace_id = p_workspace_id and m.role = 'admin' and m.operator_id <> p_operator_id)
    then
      return 'last_admin';
    end if;
    -- Who may not invite any more must not have links around that still work.
    delete from molva.invitations where workspace_id = p_workspace_id and invited_by = p_operator_id;
  end if;
  if p_role is null then
    delete from molva.memberships where workspace_id = p_workspace_id and operator_id = p_operator_id;
  else
    update molva.memberships set role = p_role where workspace_id = p_workspace_id and operator_id = p_operator_id;
  end if;
  return v_was;
end
$$;
