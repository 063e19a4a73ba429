-- The money and the tokens of a completed payment never change, and it cannot become unpaid.
create or replace trigger refuse_change
  before update on billing.payments
  for each row
  when (old.status in ('completed', 'refunded') and (
    new.status not in ('completed', 'refunded') or (old.status = 'refunded' and new.status = 'completed')
    or new.refunded < old.refunded or new.refunded_tokens < old.refunded_tokens
    or (new.workspace_id, new.id, new.user_id, new.sale_id, new.provider, new.tokens_amount, new.tokens_bonus, new.amount_rub,
        new.amount, new.currency, new.charge_id, new.completed_at)
      is distinct from (old.workspace_id, old.id, old.user_id, old.sale_id, old.provider, old.tokens_amount, old.tokens_bonus,
        old.amount_rub, old.amount, old.currency, old.charge_id, old.completed_at)))
  execute function billing.refuse_change();

create or replace trigger refuse_deletion
  before delete on billing.payments
  for each row
  execute function billing.refuse_change();

create or replace trigger refuse_truncate
  before truncate on billing.payments
  for each statement
  execute function billing.refuse_truncate();
