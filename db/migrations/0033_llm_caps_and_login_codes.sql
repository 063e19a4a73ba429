-- Language models ---------------------------------------------------------------------------------------------------

-- What a policy may add to a request, the same list as in src/llm/policies/options.ts: nothing that multiplies answers,
-- chooses other models, costs extra or hides what was used, because the books would not know of it.
update llm.llm_policies p
set options = coalesce((
  select jsonb_object_agg(o.key, o.value) from jsonb_each(p.options) o
  where o.key in (
    'chat_template_kwargs', 'frequency_penalty', 'include_reasoning', 'logit_bias', 'min_p', 'presence_penalty', 'provider',
    'reasoning', 'reasoning_effort', 'repetition_penalty', 'seed', 'stop', 'top_a', 'top_k', 'top_p', 'transforms', 'user',
    'verbosity')
), '{}')
where p.options <> '{}';
alter table llm.llm_policies add constraint options_allowed check (
  options - array[
    'chat_template_kwargs', 'frequency_penalty', 'include_reasoning', 'logit_bias', 'min_p', 'presence_penalty', 'provider',
    'reasoning', 'reasoning_effort', 'repetition_penalty', 'seed', 'stop', 'top_a', 'top_k', 'top_p', 'transforms', 'user',
    'verbosity'] = '{}'
);

-- Caps over all workspaces together, set by whoever runs the server.
create table llm.installation_caps (
  period     text        not null check (period in ('day', 'month')),
  unit       text        not null check (unit in ('usd', 'tokens', 'calls')),
  cap        numeric     not null check (cap >= 0),
  updated_at timestamptz not null,
  updated_by text        not null,
  primary key (period, unit)
);
alter table llm.installation_caps enable row level security;

-- Adds up what all workspaces have spent in a period without reading the books of users and policies.
create index spending_of_workspaces on llm.spending (period, starts_on) where scope = 'workspace';

-- Accounts ----------------------------------------------------------------------------------------------------------

-- How many login codes were asked for in the current window: for a phone, in whatever workspace, and for a workspace.
create table accounts.login_code_requests (
  subject_sha256 text        primary key,
  requests       integer     not null,
  window_ends_at timestamptz not null
);
comment on column accounts.login_code_requests.subject_sha256 is 'hashed, so that a phone does not stand in clear in one more place';
create index login_code_requests_expiry on accounts.login_code_requests (window_ends_at);
alter table accounts.login_code_requests enable row level security;
