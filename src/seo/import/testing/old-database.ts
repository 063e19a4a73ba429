/** The former SEO Master with generated people: its tables as the document has them, filled in SQL. */
import { generateKey, parseFernetKey, sealToken } from "../../../kernel/crypto/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";

export const oldKeyText = generateKey();
const oldKey = parseFernetKey(oldKeyText) ?? fail();
export const sealed = (account: object) =>
  sealToken(Buffer.from(JSON.stringify(account)), oldKey, new Date("2026-03-01T00:00:00Z"));

function fail(): never {
  throw new Error("a generated key is no key");
}

const schema = `
create table users (id bigint primary key, username varchar(255), first_name varchar(255), last_name varchar(255),
  balance int not null default 1500, language varchar(10) default 'ru', role varchar(20) default 'user', referrer_id bigint,
  notify_publications boolean default true, notify_balance boolean default true, notify_news boolean default true,
  created_at timestamptz default now(), last_activity timestamptz default now());
create table projects (id serial primary key, user_id bigint not null, name varchar(255) not null, company_name varchar(255) not null,
  specialization text not null, website_url varchar(500), company_city varchar(255), timezone varchar(50) default 'Europe/Moscow',
  created_at timestamptz default now());
create table platform_connections (id serial primary key, project_id int not null, platform_type varchar(20) not null,
  status varchar(20) default 'active', credentials text not null, metadata jsonb default '{}', identifier varchar(500) not null,
  created_at timestamptz default now());
create table categories (id serial primary key, project_id int not null, name varchar(255) not null, description text,
  keywords jsonb default '[]', media jsonb default '[]', prices text, reviews jsonb default '[]', image_settings jsonb default '{}',
  text_settings jsonb default '{}', created_at timestamptz default now());
create table platform_content_overrides (id serial primary key, category_id int not null, platform_type varchar(20) not null,
  image_settings jsonb, text_settings jsonb);
create table project_platform_settings (id serial primary key, project_id int not null, platform_type varchar(20) not null,
  image_settings jsonb, text_settings jsonb);
create table platform_schedules (id serial primary key, category_id int not null, platform_type varchar(20) not null,
  connection_id int not null, schedule_days text[] default '{}', schedule_times text[] default '{}', posts_per_day int default 1,
  enabled boolean default false, status varchar(20) default 'active', qstash_schedule_ids text[] default '{}',
  cross_post_connection_ids int[] default '{}', last_post_at timestamptz, created_at timestamptz default now());
create table publication_logs (id serial primary key, user_id bigint not null, project_id int not null, category_id int,
  platform_type varchar(20) not null, connection_id int, keyword varchar(500), content_type varchar(20) not null default 'article',
  images_count int default 0, post_url text, word_count int default 0, tokens_spent int default 0, content_hash bigint,
  status varchar(20) default 'success', created_at timestamptz default now());
create table token_expenses (id serial primary key, user_id bigint not null, amount int not null, operation_type varchar(50) not null,
  description text, ai_model varchar(100), input_tokens int, output_tokens int, cost_usd decimal(10,6), created_at timestamptz default now());
create table payments (id serial primary key, user_id bigint not null, provider varchar(20) not null, status varchar(20) not null,
  telegram_payment_charge_id varchar(255), provider_payment_charge_id varchar(255), stars_amount int, yookassa_payment_id varchar(255),
  yookassa_payment_method_id varchar(255), package_name varchar(50), tokens_amount int not null, amount_rub decimal(10,2),
  is_subscription boolean default false, subscription_id varchar(255), subscription_status varchar(20),
  subscription_expires_at timestamptz, referral_bonus_credited boolean default false, created_at timestamptz default now());
create table site_audits (id serial primary key, project_id int not null, url varchar(500) not null, performance int, full_report jsonb,
  recommendations jsonb default '[]', audited_at timestamptz default now());
create table site_brandings (id serial primary key, project_id int not null, url varchar(500) not null, colors jsonb default '{}',
  fonts jsonb default '{}', logo_url text, extracted_at timestamptz default now());
create table article_previews (id serial primary key, user_id bigint not null, project_id int not null, category_id int not null,
  connection_id int, title text, keyword varchar(500), tokens_charged int, regeneration_count int default 0,
  status varchar(20) default 'draft', content_html text, images jsonb default '[]', created_at timestamptz default now(),
  expires_at timestamptz default now());
create table prompt_versions (id serial primary key, task_type varchar(50) not null, version varchar(20) not null,
  prompt_yaml text not null, is_active boolean default false);`;

/**
 * Everybody has a project with a category; every other one a purchase, every fifth a site and a channel, every tenth settings of the
 * project, every fiftieth a schedule that is on, every hundredth a draft.
 */
export async function fillOldDatabase(sql: Sql, people: number): Promise<void> {
  const site = sealed({
    url: "https://shop.example",
    login: "anna",
    app_password: "abcd efgh ijkl mnop qrst uvwx",
    wp_categories: ["Блог"],
    seo_robots: "index, follow",
    internal_links: [],
  });
  const channel = sealed({ channel_id: "-1001", bot_token: `123456:${"A".repeat(35)}` });
  await sql.unsafe(schema);
  await sql`
    insert into users (id, first_name, balance, referrer_id, created_at)
    select 5000 + n, 'Клиент ' || n, 1000 + n, case when n % 3 = 0 then 5000 + n + 1 end, '2026-01-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, ${people}::int) n`;
  await sql`insert into projects (user_id, name, company_name, specialization) select id, 'Проект ' || id, 'Дубрава', 'кухни на заказ' from users order by id`;
  await sql`
    insert into platform_connections (project_id, platform_type, credentials, identifier)
    select id, 'wordpress', ${site}, 'https://shop' || id || '.example' from projects where id % 5 = 0 order by id`;
  await sql`
    insert into platform_connections (project_id, platform_type, credentials, identifier)
    select id, 'telegram', ${channel}, '-100' || (2000000000 + id) from projects where id % 5 = 0 order by id`;
  await sql`
    insert into categories (project_id, name, keywords, media, image_settings)
    select id, 'Кухни', '[{"phrase": "кухня из дуба", "volume": 100}]',
      case when id % 50 = 0 then '[{"file_id": "x"}]' else '[]' end::jsonb, '{"count": 2}' from projects order by id`;
  await sql`
    insert into project_platform_settings (project_id, platform_type, text_settings)
    select id, 'telegram', '{"words_min": 120}' from projects where id % 10 = 0`;
  await sql`
    insert into platform_schedules (category_id, platform_type, connection_id, schedule_days, schedule_times, enabled, qstash_schedule_ids)
    select c.id, 'wordpress', n.id, '{mon,wed}', '{10:00}', true, array['scd_' || c.id]
    from categories c join platform_connections n on n.project_id = c.project_id and n.platform_type = 'wordpress' where c.id % 50 = 0`;
  await sql`
    insert into publication_logs (user_id, project_id, category_id, platform_type, connection_id, keyword, content_hash)
    select p.user_id, p.id, p.id, 'wordpress', null, 'кухня из дуба', 9223372036854775807 - p.id from projects p`;
  await sql`
    insert into payments (user_id, provider, status, telegram_payment_charge_id, stars_amount, package_name, tokens_amount, amount_rub, created_at)
    select id, 'stars', 'completed', 'charge ' || id, 195, 'starter', 3500, 3000, '2026-02-01' from users where id % 2 = 0 order by id`;
  await sql`
    insert into token_expenses (user_id, amount, operation_type, description, cost_usd, created_at)
    select u.id, t.amount, t.type, 'кухня', t.cost, '2026-02-02'::timestamptz
    from users u cross join (values (3500, 'purchase', null), (-200, 'text_generation', null), (-120, 'image_generation', null),
      (320, 'refund', null), (0, 'api_openrouter', 0.25)) as t (amount, type, cost)
    where u.id % 2 = 0 or t.type <> 'purchase' order by u.id`;
  await sql`
    insert into article_previews (user_id, project_id, category_id, title, keyword, tokens_charged)
    select user_id, id, id, 'Кухни', 'кухня из дуба', 320 from projects where id % 100 = 0`;
  await sql`insert into site_audits (project_id, url, performance) select id, 'https://shop' || id || '.example', 88 from projects`;
  await sql`insert into site_brandings (project_id, url, colors) select id, 'https://shop' || id || '.example', '{"text": "#333333"}' from projects`;
  await sql`insert into prompt_versions (task_type, version, prompt_yaml) values ('article', 'v7', 'system: …')`;
}
