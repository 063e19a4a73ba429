-- Stores the provider's id of an expected payment. An id that is set already stays.
create or replace function billing.name_charge(
  p_workspace_id uuid, p_payment_id bigint, p_charge_id text
) returns void
language plpgsql as $$
declare
  v_payment billing.payments := billing.lock_payment(p_workspace_id, p_payment_id);
begin
  if v_payment.charge_id is distinct from p_charge_id then
    if v_payment.charge_id is not null then
      raise exception 'key_reused' using detail = format('Payment %s is charge %s already.', p_payment_id, v_payment.charge_id);
    end if;
    update billing.payments p set charge_id = p_charge_id
    where p.workspace_id = p_workspace_id and p.id = p_payment_id;
  end if;
end
$$;
