-- Selling: what a sale remembers, payments whichever provider they come by, subscriptions; and the advisor's Pro that was bought.

-- Sales -------------------------------------------------------------------------------------------------------------

alter table billing.sales
  drop column price_stars,
  drop constraint sales_tokens_check,
  drop constraint sales_check,
  alter column price_rub drop not null,
  -- Who sells, and the job in which it hears what becomes of the sale, if any; `given` is its own and comes back with each outcome.
  add column product  text not null check (product ~ '^[a-z][a-z0-9_]{0,49}$'),
  add column task     text check (length(task) between 1 and 100),
  add column given    jsonb not null default '{}' check (jsonb_typeof(given) = 'object'),
  -- Whose account of the provider: a bot, a shop.
  add column seller   text not null check (length(seller) between 1 and 100),
  -- What is to be paid. `price_rub` is the nominal price, which bonuses are counted from.
  add column amount   numeric(10, 2) not null check (amount > 0),
  add column currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Charged again for every period until it is cancelled.
  add column recurring boolean not null default false,
  -- A plan is sold without tokens.
  add constraint sales_tokens check (tokens >= 0 and bonus >= 0 and (bonus < tokens or tokens = 0 and bonus = 0));
alter table billing.sales rename column subscription_days to period_days;
alter table billing.sales
  add constraint sales_period check (period_days > 0),
  add constraint recurring_has_period check (not recurring or period_days is not null);
comment on column billing.sales.period_days is 'How long what was bought lasts; null when it does not end';
create index sales_by_time on billing.sales (user_id, created_at desc, workspace_id);

-- Subscriptions -----------------------------------------------------------------------------------------------------

-- A sale that is charged again. `paused`: the last charge did not come; `cancelled`: paid until `period_end` and not charged again.
create table billing.subscriptions (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           bigint generated always as identity,
  user_id      bigint not null,
  sale_id      bigint not null,
  product      text not null,
  provider     text not null,
  status       text not null default 'active' check (status in ('active', 'paused', 'cancelled', 'expired')),
  -- By which the provider knows it: the charge it began with. The saved method it is charged by, where we charge.
  charge_id    text,
  method_id    text,
  period_end   timestamptz not null,
  renewals     int not null default 0,
  -- Of which end of a period the person was warned.
  warned_of    timestamptz,
  created_at   timestamptz not null,
  changed_at   timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, sale_id) references billing.sales
);
create unique index subscription_of_sale on billing.subscriptions (workspace_id, sale_id);
create index subscriptions_of_user on billing.subscriptions (user_id, workspace_id, id desc);
create index subscriptions_ending on billing.subscriptions (period_end) where status <> 'expired';
create index subscriptions_by_time on billing.subscriptions (workspace_id, id desc);

-- Payments ----------------------------------------------------------------------------------------------------------

-- What providers call things stands in columns that are the same for all of them; the document's columns are made of these.
alter table billing.payments
  drop column telegram_payment_charge_id,
  drop column stars_amount,
  drop column yookassa_payment_id,
  drop column yookassa_payment_method_id,
  drop constraint payments_tokens_amount_check,
  drop constraint payments_check,
  alter column sale_id drop not null,
  add column product   text,
  add column charge_id text check (length(charge_id) between 1 and 255),
  add column method_id text check (length(method_id) between 1 and 255),
  add column amount    numeric(10, 2) not null check (amount > 0),
  add column currency  text not null check (currency ~ '^[A-Z]{3}$'),
  add column subscription bigint,
  -- Which end of a period it prolongs; null for the first payment and for what is paid once.
  add column renews    timestamptz,
  -- Why money that came was not credited.
  add column fault     text check (fault in ('sale_unknown', 'user_differs', 'amount_differs')),
  -- Why a payment did not come.
  add column reason    text,
  add column telegram_payment_charge_id text generated always as (case when provider = 'stars' then charge_id end) stored,
  add column stars_amount int generated always as (case when currency = 'XTR' then amount::int end) stored,
  add column yookassa_payment_id text generated always as (case when provider = 'yookassa' then charge_id end) stored,
  add column yookassa_payment_method_id text generated always as (case when provider = 'yookassa' then method_id end) stored,
  add constraint payments_tokens check (tokens_amount >= 0 and tokens_bonus >= 0 and tokens_bonus <= tokens_amount),
  add constraint credited_has_sale check (sale_id is not null or fault = 'sale_unknown'),
  add constraint faulty_is_not_credited check (fault is null or status = 'failed'),
  add foreign key (workspace_id, subscription) references billing.subscriptions;
create unique index payments_of_charge on billing.payments (workspace_id, provider, charge_id) where charge_id is not null;
-- A period is asked to be paid for once.
create unique index payments_of_period on billing.payments (workspace_id, subscription, renews) where renews is not null;
create index payments_of_sale on billing.payments (workspace_id, sale_id);
create index payments_of_payer on billing.payments (workspace_id, provider, payer) where payer is not null;

-- What record_payment answers: `credited`, `renewed`, `repeated`, or the fault.
create type billing.recorded_payment as (payment_id bigint, outcome text, balance int);

alter table billing.subscriptions enable row level security;

-- Conversations -----------------------------------------------------------------------------------------------------

-- Since when the person has blocked the bot.
alter table dialogs.dialogues add column blocked_at timestamptz;

-- The advisor -------------------------------------------------------------------------------------------------------

-- When a Pro plan that was paid for ends; null for one that an operator set, which does not.
alter table advisor.users add column plan_until timestamptz;
create index users_by_plan_end on advisor.users (plan_until) where plan_until is not null;
