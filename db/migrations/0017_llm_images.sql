-- Pictures by language models, prompts with a task, and how well each version of a prompt does.

-- Dollars for one picture; null for models that draw none.
alter table llm.model_prices add column image_usd numeric check (image_usd >= 0);

alter table llm.calls drop constraint calls_kind_check;
alter table llm.calls add constraint calls_kind_check check (kind in ('text', 'object', 'stream', 'images'));
alter table llm.requests add column images int not null default 0 check (images >= 0);

-- The same list as in src/llm/policies/options.ts. `response_healing` is ours: it becomes OpenRouter's plugin of that name.
alter table llm.llm_policies drop constraint options_allowed;
alter table llm.llm_policies add constraint options_allowed check (
  options - array[
    'chat_template_kwargs', 'frequency_penalty', 'include_reasoning', 'logit_bias', 'min_p', 'presence_penalty', 'provider',
    'reasoning', 'reasoning_effort', 'repetition_penalty', 'response_healing', 'seed', 'stop', 'top_a', 'top_k', 'top_p',
    'transforms', 'user', 'verbosity'] = '{}');

-- Prompts of a task ----------------------------------------------------------------------------------------------------

-- Only prompts written as YAML with `meta` have a task.
alter table llm.prompts
  add column id        bigint generated always as identity,
  add column task_type text check (task_type ~ '^[a-z][a-z0-9_]{0,49}$');
create unique index prompts_by_id on llm.prompts (id);

-- How a version does, as the products that ask by it find out: the share of runs that succeeded in per cent, and the mean
-- score of what came out of them, from 0 to 100 (a digit more than the document's type has). Written by
-- llm.note_prompt_quality.
create table llm.prompt_quality (
  workspace_id uuid not null,
  name         text not null,
  version      int not null,
  runs         int not null check (runs >= 0),
  success_rate numeric(5, 2) check (success_rate between 0 and 100),
  avg_quality  numeric(4, 1) check (avg_quality between 0 and 100),
  noted_at     timestamptz not null,
  primary key (workspace_id, name, version),
  foreign key (workspace_id, name, version) references llm.prompts on delete cascade
);
alter table llm.prompt_quality enable row level security;

-- Versions of the prompts that have a task, in the columns of SEO Master's document.
create view llm.prompt_versions with (security_invoker = true) as
select p.id, p.workspace_id, p.name, p.task_type, 'v' || p.version as version, p.body as prompt_yaml, p.active as is_active,
  q.success_rate, q.avg_quality, p.created_at
from llm.prompts p
left join llm.prompt_quality q using (workspace_id, name, version)
where p.task_type is not null;
