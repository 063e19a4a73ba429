-- When money went back, for reports: a payment stores only how much of it.

-- `refunded` is the total after this refund, in the currency of the payment.
create table billing.refunds (
  workspace_id uuid not null,
  payment_id   bigint not null,
  refunded     numeric(10, 2) not null,
  amount       numeric(10, 2) not null check (amount > 0 and amount <= refunded),
  created_at   timestamptz not null,
  primary key (workspace_id, payment_id, refunded),
  foreign key (workspace_id, payment_id) references billing.payments on delete cascade
);
create index refunds_by_time on billing.refunds (workspace_id, created_at);
comment on table billing.refunds is 'Refunds of payments, a row each';

-- Of earlier refunds only the total is known.
insert into billing.refunds (workspace_id, payment_id, refunded, amount, created_at)
select workspace_id, id, refunded, refunded, coalesce(completed_at, created_at) from billing.payments where refunded > 0;

alter table billing.refunds enable row level security;
