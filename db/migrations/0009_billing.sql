-- Tokens and money: what people have, what moved, what is held for work, what is sold and what was paid.
-- Functions that use these tables live in db/functions/billing.

create schema billing;
comment on schema billing is 'The ledger of tokens, the catalogue and the payments';

-- People ------------------------------------------------------------------------------------------------------------

-- `id` is the Telegram id. `balance` is the sum of the person's entries; it is below zero only after a payment was refunded. Nothing
-- outside this schema's functions writes it.
create table billing.users (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  id           bigint not null check (id > 0),
  balance      int not null default 0,
  created_at   timestamptz not null default now(),
  primary key (workspace_id, id)
  -- Room for the next versions of a row in its page: a balance changes often and no index has it.
) with (fillfactor = 50);
create index users_by_time on billing.users (created_at desc, id desc);

-- The books ---------------------------------------------------------------------------------------------------------

-- A transfer is one row and an account is a column, so that a transfer comes with all of its entries and sums to zero by a
-- constraint. What an account got is above zero, what it gave is below. `billing.entries` shows a row per entry.
-- Rows refer to no other table: a reference would lock the person's row, or the workspace's, for every movement.
create table billing.transfers (
  workspace_id uuid not null,
  -- What it is done for: the same is not done twice.
  key          text not null check (length(key) between 1 and 450),
  id           bigint generated always as identity,
  kind         text not null check (kind in ('welcome', 'purchase', 'referral', 'credit', 'charge', 'hold', 'lower', 'settle',
                 'return', 'refund', 'payment_refund', 'referral_refund', 'adjustment')),
  user_id      bigint not null,
  -- Which work it paid for, if any.
  run          text,
  step         text,
  operation    text,
  -- Whose revenue it is.
  provider     text check (provider ~ '^[a-z][a-z0-9_]{0,19}$'),
  tokens       int not null default 0,
  debt         int not null default 0,
  in_progress  int not null default 0,
  done         int not null default 0,
  revenue      int not null default 0,
  bonuses      int not null default 0,
  referral     int not null default 0,
  refunds      int not null default 0,
  adjustments  int not null default 0,
  note         text,
  created_at   timestamptz not null,
  primary key (workspace_id, key),
  constraint balanced check (tokens::bigint + debt + in_progress + done + revenue + bonuses + referral + refunds + adjustments = 0),
  constraint moves_something check (tokens <> 0 or debt <> 0 or in_progress <> 0),
  constraint revenue_has_provider check (revenue = 0 or provider is not null)
);
-- Rows come in the order of time, so a range of days is a range of pages.
create index transfers_by_time on billing.transfers using brin (created_at) with (autosummarize = on);

comment on column billing.transfers.tokens is 'What the person may spend';
comment on column billing.transfers.debt is 'What the person owes after a payment was refunded: never above zero in sum';
comment on column billing.transfers.in_progress is 'Held for work whose outcome is not known yet';
comment on column billing.transfers.done is 'Spent on work that was done';
comment on column billing.transfers.revenue is 'Sold through the provider that is named';
comment on column billing.transfers.bonuses is 'Given: welcome, and the gift in a package';
comment on column billing.transfers.referral is 'Given for bringing somebody who paid';
comment on column billing.transfers.refunds is 'Taken back because the money was';
comment on column billing.transfers.adjustments is 'Given or taken by an operator';

create view billing.entries with (security_invoker = true) as
select t.workspace_id, t.key, t.id as transfer_id, t.kind, t.user_id, a.account, a.amount, t.created_at
from billing.transfers t
cross join lateral (values
  ('tokens', t.tokens), ('debt', t.debt), ('in_progress', t.in_progress), ('done', t.done),
  ('revenue_' || t.provider, t.revenue), ('bonuses', t.bonuses), ('referral', t.referral), ('refunds', t.refunds),
  ('adjustments', t.adjustments)) as a (account, amount)
where a.amount <> 0;
comment on view billing.entries is 'The transfers, a row per entry';

-- The history that people and reports read, as the document lists it: below zero is spent, above is got. A call of a provider has
-- amount 0 and its cost, under its own id; of what work it was is `operation`.
create table billing.token_expenses (
  workspace_id   uuid not null,
  id             bigint generated always as identity,
  user_id        bigint not null,
  amount         int not null,
  operation_type text not null check (operation_type ~ '^[a-z][a-z0-9_]{0,49}$'),
  description    text,
  ai_model       text check (length(ai_model) <= 100),
  input_tokens   int check (input_tokens >= 0),
  output_tokens  int check (output_tokens >= 0),
  cost_usd       numeric(10, 6) check (cost_usd >= 0),
  -- The transfer it tells of, or the call of a provider.
  transfer_key   text,
  call_id        text check (length(call_id) between 1 and 200),
  run            text,
  operation      text,
  created_at     timestamptz not null,
  primary key (workspace_id, id),
  constraint of_a_transfer_or_a_call check ((transfer_key is null) <> (call_id is null)),
  constraint a_call_moves_nothing check ((operation_type like 'api\_%') = (amount = 0) and (amount = 0) = (call_id is not null))
);
create index token_expenses_of_user on billing.token_expenses (user_id, workspace_id, id desc);
create unique index token_expenses_of_call on billing.token_expenses (workspace_id, call_id) where call_id is not null;
create index token_expenses_by_time on billing.token_expenses using brin (created_at) with (autosummarize = on);

-- Work --------------------------------------------------------------------------------------------------------------

-- What a step of a piece of work holds: `held` until its outcome is known, then `settled` or `returned`. `charged` is what was held
-- first, `amount` what is left of it.
create table billing.holds (
  workspace_id uuid not null,
  run          text not null check (run ~ '^[^\s/]{1,150}$'),
  step         text not null check (step ~ '^[^\s/]{1,100}$'),
  user_id      bigint not null,
  operation    text not null check (operation ~ '^[a-z][a-z0-9_]{0,49}$' and operation not like 'api\_%'),
  charged      int not null check (charged > 0),
  amount       int not null check (amount > 0 and amount <= charged),
  state        text not null default 'held' check (state in ('held', 'settled', 'returned')),
  reason       text,
  created_at   timestamptz not null,
  ended_at     timestamptz,
  primary key (workspace_id, run, step),
  constraint ended_has_time check ((state = 'held') = (ended_at is null))
) with (fillfactor = 80);
create index holds_under_way on billing.holds (created_at) where state = 'held';
create index holds_by_time on billing.holds (created_at desc, run desc, step desc);

-- Selling -----------------------------------------------------------------------------------------------------------

-- What an operator has set; what is not here is as the release brings it (src/billing/catalogue/defaults.ts).
create table billing.settings (
  workspace_id     uuid primary key references workspaces.workspaces on delete cascade,
  welcome_tokens   int not null default 1500 check (welcome_tokens >= 0),
  referral_percent numeric(5, 2) not null default 10 check (referral_percent between 0 and 100),
  -- What a token is worth, for the margin of work.
  token_rub        numeric(10, 4) not null default 1 check (token_rub >= 0),
  updated_at       timestamptz not null default now()
);

create table billing.packages (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  code              text not null check (code ~ '^[a-z][a-z0-9_]{0,49}$'),
  place             int not null,
  -- All tokens of the package; `bonus` of them are the gift.
  tokens            int not null check (tokens > 0),
  bonus             int not null default 0 check (bonus >= 0 and bonus < tokens),
  price_rub         numeric(10, 2) not null check (price_rub > 0),
  price_stars       int not null check (price_stars between 1 and 100000),
  subscription_days int check (subscription_days > 0),
  enabled           boolean not null default true,
  updated_at        timestamptz not null default now(),
  primary key (workspace_id, code)
);

create table billing.prices (
  workspace_id uuid not null references workspaces.workspaces on delete cascade,
  operation    text not null check (operation ~ '^[a-z][a-z0-9_]{0,49}$' and operation not like 'api\_%'),
  -- So many tokens for each begun unit.
  tokens       int not null check (tokens >= 0),
  unit         text not null check (unit in ('piece', 'hundred_words')),
  updated_at   timestamptz not null default now(),
  primary key (workspace_id, operation)
);

-- What was offered to somebody, at the price of that moment: whatever the catalogue says later, this was agreed.
create table billing.sales (
  workspace_id      uuid not null references workspaces.workspaces on delete cascade,
  id                bigint generated always as identity,
  user_id           bigint not null,
  provider          text not null check (provider ~ '^[a-z][a-z0-9_]{0,19}$'),
  package_name      text not null,
  tokens            int not null check (tokens > 0),
  bonus             int not null check (bonus >= 0 and bonus < tokens),
  price_rub         numeric(10, 2) not null check (price_rub > 0),
  price_stars       int check (price_stars > 0),
  subscription_days int,
  created_at        timestamptz not null,
  primary key (workspace_id, id)
);
create index sales_of_user on billing.sales (user_id, workspace_id, id desc);

-- The document's payments, with the sale that each belongs to. A subscription is one sale with a payment for each renewal.
create table billing.payments (
  workspace_id               uuid not null references workspaces.workspaces on delete cascade,
  id                         bigint generated always as identity,
  user_id                    bigint not null,
  sale_id                    bigint not null,
  provider                   text not null,
  status                     text not null default 'pending' check (status in ('pending', 'completed', 'refunded', 'failed')),
  telegram_payment_charge_id text,
  provider_payment_charge_id text,
  stars_amount               int check (stars_amount > 0),
  yookassa_payment_id        text,
  yookassa_payment_method_id text,
  package_name               text,
  tokens_amount              int not null check (tokens_amount > 0),
  -- The part of the tokens that is a gift.
  tokens_bonus               int not null default 0 check (tokens_bonus >= 0 and tokens_bonus < tokens_amount),
  -- What was paid; of Stars the nominal price.
  amount_rub                 numeric(10, 2) check (amount_rub > 0),
  -- Whom the provider knows as the payer, for the guard against bringing oneself.
  payer                      text,
  is_subscription            boolean not null default false,
  subscription_id            text,
  subscription_status        text check (subscription_status in ('active', 'paused', 'cancelled')),
  subscription_expires_at    timestamptz,
  referral_bonus_credited    boolean not null default false,
  -- Who got the bonus and how much, to take it back with the payment.
  referrer_id                bigint,
  referral_tokens            int not null default 0 check (referral_tokens >= 0),
  -- How much of the money went back, in the currency it was paid in, and the tokens that went with it.
  refunded                   numeric(10, 2) not null default 0 check (refunded >= 0),
  refunded_tokens            int not null default 0 check (refunded_tokens between 0 and tokens_amount),
  created_at                 timestamptz not null default now(),
  completed_at               timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, sale_id) references billing.sales,
  constraint completed_has_time check (status not in ('completed', 'refunded') or completed_at is not null)
);
create unique index payments_of_charge on billing.payments (workspace_id, telegram_payment_charge_id)
  where telegram_payment_charge_id is not null;
create unique index payments_of_yookassa on billing.payments (workspace_id, yookassa_payment_id)
  where yookassa_payment_id is not null;
create index payments_of_user on billing.payments (user_id, workspace_id, id desc);
create index payments_pending on billing.payments (status) where status = 'pending';
create index payments_by_time on billing.payments (completed_at, workspace_id) where completed_at is not null;

-- Row security: the owner passes through it, everyone else sees nothing -----------------------------------------------

alter table billing.users          enable row level security;
alter table billing.transfers      enable row level security;
alter table billing.token_expenses enable row level security;
alter table billing.holds          enable row level security;
alter table billing.settings       enable row level security;
alter table billing.packages       enable row level security;
alter table billing.prices         enable row level security;
alter table billing.sales          enable row level security;
alter table billing.payments       enable row level security;
