-- Payments by card: where receipts go, and what YooKassa was asked for.

-- Asked once, before the first payment by card.
create table billing.contacts (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  user_id      bigint not null,
  kind         text not null check (kind in ('email', 'phone')),
  value        text not null check (length(value) between 5 and 254),
  updated_at   timestamptz not null,
  primary key (workspace_id, user_id)
);
comment on table billing.contacts is 'An e-mail or a phone for receipts';

-- A request that moves money, as it is sent however often: YooKassa does the same once under one key, and refuses the key with other
-- words. Written before it is sent; forgotten when the payment has ended and nobody could repeat it any more.
create table billing.yookassa_requests (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  -- `payment/17`; `refund/17/450.00/0`: what has gone back after it, and how many refunds were asked for before.
  purpose      text not null check (length(purpose) between 1 and 100),
  payment_id   bigint not null,
  key          uuid not null default gen_random_uuid(),
  body         text not null,
  created_at   timestamptz not null,
  -- When YooKassa was last asked what became of it.
  looked_at    timestamptz,
  primary key (workspace_id, purpose)
);
create index yookassa_requests_by_look on billing.yookassa_requests ((coalesce(looked_at, created_at)));
create index yookassa_requests_of_payment on billing.yookassa_requests (workspace_id, payment_id);

-- Renewals look for their subscriptions by the end of the period; QStash names one by its method.
create index subscriptions_of_method on billing.subscriptions (provider, method_id) where method_id is not null;

alter table billing.contacts          enable row level security;
alter table billing.yookassa_requests enable row level security;
